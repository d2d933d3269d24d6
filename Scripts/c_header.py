"""What plumbline.h declares, for the scripts of the interface for C."""
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "Sources/C/CPlumbline/include"
HEADER = INCLUDE / "plumbline.h"
# The name in the version script; functions that a later interface adds get a node of their own behind it.
NODE = "PLUMBLINE_1"
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
    names = "".join(f"    {name};\n" for name in functions())
    return f"{NODE} {{\n  global:\n{names}  local: *;\n}};\n"


def exported(library: pathlib.Path) -> list:
    """The symbols that a built library shows, with their version, sorted; the node itself is left out."""
    shown = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return sorted(name for line in shown.splitlines() if (name := line.split()[-1]).split("@")[0] != NODE)
