"""The public symbols of the library as the compiler writes them, for the scripts that list or document them."""
import json
import pathlib
import subprocess
import sys

LIBRARY = "Plumbline"


def output(root: pathlib.Path, *command) -> str:
    """What a program prints; one that fails ends the script."""
    run = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {' '.join(map(str, command))} failed:\n{run.stdout}")
    return run.stdout


def library_modules(root: pathlib.Path) -> list:
    """The Swift targets that the library product is made of, in the order of Package.swift."""
    package = json.loads(output(root, "swift", "package", "dump-package"))
    targets = {target["name"]: target for target in package["targets"]}
    reached, waiting = set(), [
        name for product in package["products"] if product["name"] == LIBRARY
        for name in product["targets"]
    ]
    while waiting:
        name = waiting.pop()
        if name in targets and name not in reached:
            reached.add(name)
            waiting += [next(iter(d.values()))[0] for d in targets[name]["dependencies"]]
    return [
        name for name in targets
        if name in reached and any((root / targets[name]["path"]).rglob("*.swift"))
    ]


def write_symbol_graphs(root: pathlib.Path, products: pathlib.Path, module: str, folder: pathlib.Path) -> list:
    """Writes the graphs of a module's public symbols to FOLDER and returns their files.

    PRODUCTS is the folder of a build that has the module: what --show-bin-path prints.
    """
    maps = [*products.glob("C*.build/module.modulemap"), *root.glob("Sources/C/*/module.modulemap")]
    options = [word for path in sorted(maps) for word in ("-Xcc", f"-fmodule-map-file={path}")]
    # Headers of C targets that include one of another.
    options += ["-Xcc", f"-I{root / 'Sources/C/CTensors/include'}"]
    target = json.loads(output(root, "swift", "-print-target-info"))["target"]["triple"]
    output(
        root, "swift", "symbolgraph-extract", "-module-name", module, "-output-dir", folder, "-target", target,
        "-minimum-access-level", "public", "-skip-synthesized-members", "-I", products / "Modules", *options)
    return [folder / f"{module}.symbols.json", *sorted(folder.glob(f"{module}@*.symbols.json"))]
