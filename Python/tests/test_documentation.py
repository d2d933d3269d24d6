"""The examples of the pages run as they stand, and the version is one."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any, Dict

import pytest

import plumbline_depth as plumb
from plumbline_depth.interface import library

from .conftest import ROOT

PAGE = ROOT / "Documentation" / "python.md"
NOTEBOOKS = ROOT / "Python" / "notebooks"
needs_sources = pytest.mark.skipif(not PAGE.is_file(), reason="no sources: the installed package is tested alone")


@needs_sources
def test_the_examples_of_the_page_run(
    healthy: Path, recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(healthy, tmp_path / "portrait.jpg")
    shutil.copy(recording, tmp_path / "scan.mcap")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    assert len(blocks) >= 4
    names: Dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert (tmp_path / "portrait.ply").is_file() and (tmp_path / "scan.r3d").is_file()


def test_package_and_library_have_one_version() -> None:
    assert plumb.__version__ == library().plumbline_version().decode()


@needs_sources
def test_the_project_file_has_it_too() -> None:
    assert f'version = "{plumb.__version__}"' in (ROOT / "Python" / "pyproject.toml").read_text()


def test_everything_public_is_documented() -> None:
    for name in plumb.__all__:
        assert (getattr(plumb, name).__doc__ or "").strip(), name


@needs_sources
@pytest.mark.parametrize("name", ["photo-to-cloud", "focal-length", "nerfstudio", "head"])
def test_notebooks_run(name: str, tmp_path: Path) -> None:
    if name == "head" and "PLUMBLINE_SOAK" not in os.environ:
        pytest.skip("it takes a minute: Scripts/soak runs it")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    import nbformat

    notebook: Any = nbformat.read(str(NOTEBOOKS / f"{name}.ipynb"), as_version=4)  # type: ignore[no-untyped-call]
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
