"""The documentation of the library by DocC, from a build that is there; only the toolchain is used."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from page_rendering import ROOT

LIBRARY = "Plumbline"


def output(*command) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def library_modules() -> list:
    """The Swift targets of the library product, in the order of Package.swift."""
    package = json.loads(output("swift", "package", "dump-package"))
    targets = {target["name"]: target for target in package["targets"]}
    reached, waiting = set(), [
        name for product in package["products"] if product["name"] == LIBRARY for name in product["targets"]]
    while waiting:
        name = waiting.pop()
        if name in targets and name not in reached:
            reached.add(name)
            waiting += [next(iter(d.values()))[0] for d in targets[name]["dependencies"]]
    return [name for name in targets
            if name in reached and any((ROOT / targets[name]["path"]).rglob("*.swift"))]


def write_api(modules_folder: pathlib.Path, base_path: str, goal: pathlib.Path) -> list:
    """Converts the public symbols of the library's modules to GOAL and returns the modules.

    - modules_folder: the folder `Modules` of a build.
    - base_path: where the site is on its host, without slashes at its ends; DocC's pages name it.
    """
    found = library_modules()
    target = json.loads(output("swiftc", "-print-target-info"))["target"]["unversionedTriple"]
    shims = [path for path in sorted((ROOT / "Sources/C").iterdir()) if (path / "module.modulemap").is_file()]
    shims += [path / "include" for path in sorted((ROOT / "Sources/C").iterdir()) if (path / "include").is_dir()]
    with tempfile.TemporaryDirectory() as made:
        graphs, catalog = pathlib.Path(made) / "graphs", pathlib.Path(made) / "Plumbline.docc"
        graphs.mkdir()
        catalog.mkdir()
        for module in found:
            arguments = ["-module-name", module, "-target", target, "-I", modules_folder, "-output-dir", graphs,
                         "-minimum-access-level", "public", "-skip-synthesized-members"]
            for shim in shims:
                arguments += ["-I", shim]
            output("swift", "symbolgraph-extract", *map(str, arguments))
        (catalog / "Info.plist").write_text(
            '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleDisplayName</key>'
            "<string>Plumbline</string><key>CFBundleIdentifier</key><string>plumbline</string></dict></plist>")
        if goal.exists():
            shutil.rmtree(goal)
        # DocC's own warnings about links in comments are for whoever writes these.
        subprocess.run(
            ["docc", "convert", catalog, "--additional-symbol-graph-dir", graphs, "--output-path", goal,
             "--transform-for-static-hosting", "--hosting-base-path", f"/{base_path}".rstrip("/")],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"DOCC_HTML_DIR": str(docc_template())})
    return found


def docc_template() -> pathlib.Path:
    compiler = pathlib.Path(output("sh", "-c", "command -v swift").strip()).resolve()
    return compiler.parent.parent / "share/docc/render"
