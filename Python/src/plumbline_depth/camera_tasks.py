"""Tasks about cameras: verify and calibrate, two images, two captures.

As in :mod:`plumbline_depth.tasks` options that are not named are those of the command with ``_`` for ``-``.
"""

from __future__ import annotations

from typing import List, Optional, Union

from .progress import Progress
from .running import Result, run
from .settings import Setting, StrPath


def verify(
    folder: StrPath,
    output: Optional[StrPath] = None,
    *,
    board: Optional[str] = None,
    square: Optional[float] = None,
    calibration: Optional[StrPath] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Says whether a device's calibration fits its frames of a board.

    Args:
        folder: The frames.
        output: A folder for the report.
        board: The board, such as ``charuco:7x5:30mm``; found by itself without.
        square: The side of its squares, **millimeters**, where neither board nor folder says it.
        calibration: A measured camera to compare with.
    """
    return run(
        "verify",
        folder,
        output=output,
        board=board,
        square=square,
        calibration=calibration,
        progress=progress,
        **options,
    )


def calibrate(
    folder: StrPath,
    output: StrPath,
    *,
    board: Optional[str] = None,
    square: Optional[float] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Measures a camera from frames of a board, with the ± of each number; arguments as for :func:`verify`."""
    return run("calibrate", folder, output=output, board=board, square=square, progress=progress, **options)


def stereo(
    left: StrPath,
    right: Optional[StrPath] = None,
    output: Optional[StrPath] = None,
    *,
    calibration: Union[StrPath, List[StrPath], None] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Computes depth from two images, or from one file that holds both (``right`` left out)."""
    images = [left] if right is None else [left, right]
    return run("stereo", *images, output=output, calibration=calibration, progress=progress, **options)


def compare(
    first: StrPath, second: StrPath, output: Optional[StrPath] = None, *, progress: Progress = True, **options: Setting
) -> Result:
    """Says how two captures or calibrations differ, in pixels, percent and millimeters."""
    return run("compare", first, second, output=output, progress=progress, **options)


def compare_surface(
    first: StrPath, second: StrPath, output: Optional[StrPath] = None, *, progress: Progress = True, **options: Setting
) -> Result:
    """Says how far two meshes or clouds are apart, both ways, and what of it their ± explain."""
    return run("compare-surface", first, second, output=output, progress=progress, **options)


def align(path: StrPath, output: Optional[StrPath] = None, *, progress: Progress = True, **options: Setting) -> Result:
    """Says whether the depth map is aligned with the color image: zoom and shift with their ±."""
    return run("align", path, output=output, progress=progress, **options)
