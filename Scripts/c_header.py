"""What plumbline.h declares, for the scripts of the interface for C."""
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "Sources/C/CPlumbline/include"
HEADER = INCLUDE / "plumbline.h"
SONAME = "libplumbline.so.0"


def text() -> str:
    """The header without comments and directives, on one line."""
    source = re.sub(r"//.*", "", HEADER.read_text())
    source = re.sub(r"^#.*", "", source, flags=re.M)
    return re.sub(r"\s+", " ", source.replace('extern "C" {', ""))


def declarations() -> list:
    """Each type and function, as it is written, in the order of the header."""
    parts = re.findall(r"typedef (?:enum|struct) \w+ \{[^}]*\} \w+;|[^;{}]+;", text())
    return [re.sub(r"\s+", " ", part).strip() for part in parts if part.strip(" ;")]


def functions() -> list:
    """The names of the functions, sorted."""
    names = [re.search(r"\b(plumbline_\w+)\(", line) for line in declarations() if not line.startswith("typedef")]
    return sorted(name[1] for name in names if name)


def nodes() -> dict:
    """The functions of each interface, by its number: `Since interface 2.` in a comment says which added a function."""
    found = {}
    for comment, name in re.findall(r"((?:^///.*\n)*)^\w[^;{}]*?\b(plumbline_\w+)\(", HEADER.read_text(), flags=re.M):
        since = re.search(r"Since interface (\d+)\.", comment)
        found.setdefault(int(since[1]) if since else 1, []).append(name)
    return {number: sorted(names) for number, names in sorted(found.items())}


def symbols() -> list:
    """The symbols of the library, each with the version that its interface gives it, sorted."""
    return sorted(f"{name}@@PLUMBLINE_{number}" for number, names in nodes().items() for name in names)


def layouts() -> list:
    """A line for each constant, size and offset, as this machine's compiler has them."""
    lines = []
    for line in declarations():
        if enum := re.match(r"typedef enum \w+ \{(.*)\} (\w+);", line):
            names = [entry.split("=")[0].strip() for entry in enum[1].split(",") if entry.strip()]
            lines.append(f'printf("sizeof {enum[2]} %zu\\n", sizeof({enum[2]}));')
            lines += [f'printf("{name} %d\\n", (int){name});' for name in names]
        elif struct := re.match(r"typedef struct \w+ \{(.*)\} (\w+);", line):
            lines.append(f'printf("sizeof {struct[2]} %zu\\n", sizeof({struct[2]}));')
            for field in struct[1].split(";"):
                if not field.strip():
                    continue
                for name in field.split(","):
                    name = re.sub(r"\[.*", "", name).split()[-1].lstrip("*")
                    lines.append(f'printf("{struct[2]}.{name} %zu\\n", offsetof({struct[2]}, {name}));')
    lines.append('printf("PLUMBLINE_INTERFACE %d\\n", PLUMBLINE_INTERFACE);')
    program = "#include <stdio.h>\n#include <plumbline.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "layout.c"), pathlib.Path(folder, "layout")
        source.write_text(program)
        subprocess.run(["cc", "-std=c11", f"-I{INCLUDE}", source, "-o", binary], check=True)
        return subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()


def version_script() -> str:
    """The linker's list of what the library shows: each function by name, nothing else."""
    script = ""
    for number, names in nodes().items():
        shown = "".join(f"    {name};\n" for name in names)
        hidden, base = ("  local: *;\n", "") if number == 1 else ("", f" PLUMBLINE_{number - 1}")
        script += f"PLUMBLINE_{number} {{\n  global:\n{shown}{hidden}}}{base};\n"
    return script


def linker_options(script: str) -> list:
    """How the library is linked, for the linker, which must be lld; `script` is the file of the version script."""
    return [part for option in (f"--version-script={script}", f"-soname={SONAME}", "--icf=safe")
            for part in ("-Xlinker", option)]


def exported(library: pathlib.Path) -> list:
    """The symbols that a built library shows, with their version, sorted; the nodes themselves are left out."""
    shown = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return sorted(name for line in shown.splitlines() if not (name := line.split()[-1]).startswith("PLUMBLINE_"))
