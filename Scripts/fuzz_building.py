"""Builds what `Scripts/fuzz` runs: the library under sanitizers, and each target against it."""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build-fuzz"
MODULES = ["PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
           "PlumblineRecordings", "PlumblineInference", "PlumblineExport", "PlumblineStereo", "PlumblineGeometry",
           "PlumblineFaces", "PlumblineVision", "PlumblineCorrection",
           "CKernels", "CEmbeddedData", "CDecoderSandbox", "COpenVINO", "CONNXRuntime",
           "CTensors"]
# Between them they need every module above.
TARGETS = ["PlumblineFaces", "PlumblineExport"]


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def build_modules(quick: bool) -> pathlib.Path:
    """Compiles the library instrumented for coverage and addresses; returns the build folder.

    A quick build optimizes only what decodes: half the time to compile, fewer inputs a second.

    SwiftPM cannot link such a program, since libFuzzer brings its own `main`; so only objects are
    made here and each target is linked by hand. The two sanitizers stand in one option because
    Swift heeds only one of two (`--sanitize address --sanitize fuzzer` counts no coverage).
    """
    build = ["swift", "build", "-c", "release", "--scratch-path", str(BUILD)]
    environment = {**os.environ, **({"PLUMBLINE_CHECK_BUILD": "fuzz"} if quick else {})}
    sanitized = [*build, "--sanitize", "address", "-Xswiftc", "-sanitize=fuzzer,address"]
    if quick:
        # As in Scripts/check-build.
        for option in ("-Onone", "-num-threads", "2"):
            sanitized += ["-Xswiftc", option]
    sanitized += ["-Xcc", "-fsanitize=fuzzer-no-link", "-Xswiftc", "-gline-tables-only"]
    # C's undefined behavior; Swift traps of itself. The run time of the address sanitizer has what reports it.
    for option in ("undefined,float-cast-overflow", "-recover=undefined,float-cast-overflow"):
        prefix = "-fno-sanitize" if option.startswith("-") else "-fsanitize="
        sanitized += ["-Xcc", prefix + option]
    # Parsers are internal; targets reach them by a testable import.
    sanitized += ["-Xswiftc", "-enable-testing"]
    for target in TARGETS:
        if subprocess.run([*sanitized, "--target", target], cwd=ROOT, env=environment).returncode != 0:
            sys.exit("fuzz: the library does not build with sanitizers")
    return pathlib.Path(output(*build, "--show-bin-path").strip())


def package_name(products: pathlib.Path) -> str:
    """What SwiftPM calls this package, after its folder; what is `package` is seen under that name alone."""
    manifest = (BUILD / f"{products.name}.yaml").read_text()
    line = next(line for line in manifest.splitlines() if '"-module-name","PlumblineImages"' in line)
    return re.search(r'"-package-name","(\w+)"', line)[1]


def link_arguments(products: pathlib.Path) -> list:
    arguments = ["-I", str(products / "Modules"), "-package-name", package_name(products)]
    # Headers of C targets that include one of another.
    arguments += ["-Xcc", f"-I{ROOT / 'Sources/C/CTensors/include'}"]
    for module in MODULES:
        folder = products / f"{module}.build"
        file_map = folder / "output-file-map.json"
        if file_map.exists():
            # The map names today's sources; a glob would link what a deleted file left behind.
            entries = json.loads(file_map.read_text()).values()
            objects = [entry["object"] for entry in entries if "object" in entry]
            arguments += [path for path in objects if pathlib.Path(path).exists()]
        else:
            sources = ROOT / "Sources/C" / module
            paths = [path.relative_to(sources) for path in sources.rglob("*.c")]
            arguments += [str(folder / f"{path}.o") for path in paths]
        if (folder / "module.modulemap").exists():
            arguments += ["-Xcc", f"-fmodule-map-file={folder / 'module.modulemap'}"]
    package = json.loads(output("swift", "package", "dump-package"))
    libraries = []
    for target in package["targets"]:
        if target["type"] == "system":
            module_map = ROOT / target["path"] / "module.modulemap"
            arguments += ["-Xcc", f"-fmodule-map-file={module_map}"]
            libraries += [target["pkgConfig"]] if target.get("pkgConfig") else []
    return arguments + output("pkg-config", "--libs", *libraries).split() + ["-lm"]


def compile_mutation(arguments: list) -> list:
    """Compiles Fuzz/Mutation; returns what links it.

    It is not instrumented: what a change of an input compares is nothing that the search should learn.
    """
    sources = sorted(map(str, (ROOT / "Fuzz/Mutation").glob("*.swift")))
    compiled = BUILD / "FuzzMutation.o"
    command = ["swiftc", "-O", "-wmo", "-parse-as-library", "-module-name", "FuzzMutation", "-c", *sources]
    command += ["-o", str(compiled), "-emit-module", "-emit-module-path", str(BUILD / "FuzzMutation.swiftmodule")]
    if subprocess.run([*command, *without_objects(arguments)], cwd=ROOT).returncode != 0:
        sys.exit("fuzz: Fuzz/Mutation does not build")
    return ["-I", str(BUILD), str(compiled)]


def without_objects(arguments: list) -> list:
    """Of arguments to link those that show a compiler where modules are."""
    return [argument for argument in arguments if not argument.endswith(".o") and not argument.startswith("-l")]


def compile_target(target: str, sources: list, arguments: list, sanitizers: str = "fuzzer,address") -> pathlib.Path:
    program = BUILD / target
    # What runs is the library: a target itself is a few calls into it.
    command = ["swiftc", "-Onone", "-gline-tables-only", "-parse-as-library", f"-sanitize={sanitizers}"]
    # lld, since gold complains of every symbol of the address sanitizer.
    command += ["-use-ld=lld", "-module-name", target, *map(str, sources), "-o", str(program)]
    if subprocess.run([*command, *arguments], cwd=ROOT).returncode != 0:
        sys.exit(f"fuzz: {target} does not build")
    return program


def compile_fuzzer(target: str, source: pathlib.Path, arguments: list) -> pathlib.Path:
    """Compiles a target, with the mutator of Fuzz/Engine where it uses one."""
    sources = [source]
    if "LLVMFuzzerCustomMutator" in source.read_text():
        sources += sorted((ROOT / "Fuzz/Engine").glob("*.swift"))
    return compile_target(target, sources, arguments)


def compile_peer_decoding(arguments: list) -> pathlib.Path:
    """Compiles the program that decodes for `Scripts/fuzz-differential`."""
    return compile_target("PeerDecoding", sorted((ROOT / "Fuzz/PeerDecoding").glob("*.swift")), arguments, "address")
