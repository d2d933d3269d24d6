"""Memory does not grow with the number of captures, read or refused."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from pathlib import Path

import pytest

import plumbline_depth as plumb

COUNT = 10_000


def resident_bytes() -> int:
    """The memory of this process that is in RAM, without what the allocator of glibc keeps for later."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the memory of a process on Linux only")
def test_captures_leave_no_memory(tmp_path: Path) -> None:
    # A small photo, so that so many take seconds; what is kept of each would still be seen.
    plumb.simulate("bust", tmp_path / "photo", frames=1, width=64, layout="photo", progress=False)
    whole = next((tmp_path / "photo").glob("*.jpg")).read_bytes()

    def work(count: int) -> None:
        for number in range(count):
            capture = plumb.read(whole, "a.jpg", threads=1)
            assert capture.depth.values.shape == capture.depth.sigma.shape == (48, 64)
            if number % 10 == 0:
                _ = capture.verdict, capture.points()
                with pytest.raises(plumb.UnusableInputError):
                    plumb.read(whole[: 10 + number % 100], "cut.jpg")

    # Caches and the allocator's own store fill first.
    work(200)
    before = resident_bytes()
    work(COUNT)
    grown = resident_bytes() - before
    # One map has 12 kB, so maps that are kept would come to 120 MB. What stays is pieces of the heap that small
    # objects hold.
    assert grown < 4 * 1024 * 1024, f"{grown / COUNT:.0f} bytes for each capture"
