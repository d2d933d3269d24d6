"""What the tests share: the demo captures, a simulated recording, and the library and program under test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import plumbline_depth as plumb
from plumbline_depth.interface import library_path
from plumbline_depth.program import program_path

# The same examples in every run; a slow machine fails none of them.
settings.register_profile(
    "plumbline", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile("plumbline")

ROOT = Path(__file__).resolve().parents[2]
DEMO = Path(os.environ.get("PLUMBLINE_DEMO", ROOT / "Fixtures" / "demo"))


def pytest_sessionstart() -> None:
    """A missing library or program is a failure, not a skip: without them nothing is tested."""
    if not library_path().is_file():
        raise pytest.UsageError(f"there is no library at {library_path()}: set PLUMBLINE_LIBRARY")
    program_path()


@pytest.fixture(scope="session")
def healthy() -> Path:
    """A TrueDepth photo in JPEG whose depths are meters."""
    return DEMO / "healthy-truedepth.jpg"


@pytest.fixture(scope="session")
def relative(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo whose disparities have neither scale nor offset, as those of dual cameras."""
    folder = tmp_path_factory.mktemp("relative") / "out"
    plumb.simulate("bust", folder, frames=1, layout="photo", fault="relative", width=640, progress=False)
    return next(folder.glob("*.jpg"))


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An MCAP recording of LiDAR with five simulated frames, with poses, times and confidence."""
    folder = tmp_path_factory.mktemp("recording") / "out"
    plumb.simulate("room", folder, camera="lidar", frames=5, width=256, layout="mcap", progress=False)
    return next(folder.glob("*.mcap"))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Captures of real devices, which a public checkout does not have."""
    folder = Path(os.environ.get("PLUMBLINE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no real data: set PLUMBLINE_DATA")
    return folder
