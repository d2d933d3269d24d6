"""The documentation of the library by DocC, from a build that is there; only the toolchain is used."""
import pathlib
import shutil
import subprocess
import tempfile

from page_rendering import ROOT
from symbol_graphs import library_modules, write_symbol_graphs

INFORMATION = """\
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>CFBundleDisplayName</key><string>Plumbline</string>
<key>CFBundleIdentifier</key><string>plumbline</string>
</dict></plist>
"""


def write_api(products: pathlib.Path, base_path: str, goal: pathlib.Path) -> list:
    """Converts the public symbols of the library's modules to GOAL and returns the modules.

    - products: the folder of a build: what --show-bin-path prints.
    - base_path: where GOAL is on its host, without slashes at its ends; DocC's pages name it.
    """
    found = library_modules(ROOT)
    with tempfile.TemporaryDirectory() as made:
        graphs, catalog = pathlib.Path(made) / "graphs", pathlib.Path(made) / "Plumbline.docc"
        graphs.mkdir()
        catalog.mkdir()
        for module in found:
            write_symbol_graphs(ROOT, products, module, graphs)
        (catalog / "Info.plist").write_text(INFORMATION)
        shutil.rmtree(goal, ignore_errors=True)
        # DocC's warnings are about links in comments, which is no matter of this script.
        subprocess.run(
            ["docc", "convert", catalog, "--additional-symbol-graph-dir", graphs, "--output-path", goal,
             "--transform-for-static-hosting", "--hosting-base-path", f"/{base_path}"],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return found
