"""Lays out what a release installs: the stripped program, its man pages and completions."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from release_facts import ROOT


def stripped(program: pathlib.Path, place: pathlib.Path, search_path: str):
    """Writes PROGRAM to PLACE without symbols, with SEARCH_PATH as the only one of its libraries; "" for none."""
    subprocess.run(["strip", "-o", place, program], check=True)
    change = ["--set-rpath", search_path] if search_path else ["--remove-rpath"]
    subprocess.run(["patchelf", *change, place], check=True)


def stage(program: pathlib.Path, folder: pathlib.Path, prefix: str, search_path: str) -> pathlib.Path:
    """Fills FOLDER with what Scripts/install puts below PREFIX, and returns the folder of that prefix.

    The man pages and completions are what the program says of itself, so it must run here.
    """
    with tempfile.TemporaryDirectory() as made:
        copy = pathlib.Path(made) / "plumbline"
        stripped(program, copy, search_path)
        # It runs as the system has it here; the release's own search path is for where it is installed.
        subprocess.run(
            [ROOT / "Scripts/install", prefix], check=True, stdout=subprocess.DEVNULL,
            env=os.environ | {"DESTDIR": str(folder), "PLUMBLINE_PROGRAM": str(copy)})
    staged = folder / prefix.lstrip("/")
    # That list is for removal by Scripts/install, which a release does not have.
    shutil.rmtree(staged / "share/plumbline")
    return staged
