"""What the command does with captures, as functions.

Each takes paths and returns a :class:`plumbline_depth.Result`, or what is named below. Options that are not
named here are those of the command with ``_`` for ``-``, such as ``max_depth=4`` for ``--max-depth``;
``force=True`` replaces existing outputs. ``Documentation/cli.md`` lists them. Lengths are meters, pixels those
of the photo as shown.
"""

from __future__ import annotations

from typing import List, Optional

from .capture import Place
from .findings import Verdict, verdict_of
from .measurements import Measurements, measurements_of
from .opening import Frame
from .progress import Progress
from .running import Result, run
from .settings import KnownDistances, Setting, StrPath, known_distance_texts, place_text


def check(
    path: StrPath,
    output: Optional[StrPath] = None,
    *,
    frame: Optional[Frame] = None,
    need: Optional[List[str]] = None,
    progress: Progress = True,
    **options: Setting,
) -> Verdict:
    """Says whether a photo or all frames of a recording can be measured, and how well.

    Args:
        path: A photo or a recording.
        output: A folder for the report and the point cloud.
        frame: One frame of a recording.
        need: Tolerances that it must be good enough for, such as ``["1%", "2mm@1m"]``.
    """
    result = run("check", path, output=output, frame=frame, need=need, progress=progress, **options)
    return verdict_of(result.document)


def info(recording: StrPath, *, progress: Progress = True, **options: Setting) -> Result:
    """Says what a recording holds: frames, rates, drops, poses, motion, findings."""
    return run("info", recording, progress=progress, **options)


def convert(
    recording: StrPath,
    output: StrPath,
    *,
    format: Optional[str] = None,
    rectify: bool = False,
    correct: bool = False,
    poses: Optional[StrPath] = None,
    every: Optional[int] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Writes a recording in another format, and says what that format cannot hold.

    Args:
        recording: The recording.
        output: The file or folder to write.
        format: ``mcap``, ``r3d``, ``stray``, ``tum``, ``open3d``, ``nerfstudio``, ``colmap``, ``colmap-binary``
            or ``rgbd-json``, where the ending of ``output`` does not say it.
        rectify: Images and depths are made free from lens distortion.
        correct: The corrections of the findings are applied.
        poses: Refined poses to write in place of the recorded ones.
        every: Every N-th frame.
    """
    return run(
        "convert",
        recording,
        output=output,
        format=format,
        rectify=rectify,
        correct=correct,
        poses=poses,
        every=every,
        progress=progress,
        **options,
    )


def cloud(
    path: StrPath,
    output: StrPath,
    *,
    frame: Optional[Frame] = None,
    all: bool = False,
    voxel: Optional[float] = None,
    upright: bool = False,
    known_distances: Optional[KnownDistances] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Writes a colored point cloud with the ± of each point: PLY, PCD, XYZ, GLB or E57.

    Args:
        path: A photo or a recording.
        output: The file; its ending names the format.
        all: Joins all frames of a recording by their poses, in the axes of its world.
        voxel: With ``all`` the side of a voxel, meters, which gets one point.
        upright: Turns the points as the photo is shown.
    """
    return run(
        "cloud",
        path,
        output=output,
        frame=frame,
        all=all,
        voxel=voxel,
        upright=upright,
        known_distance=known_distance_texts(known_distances),
        progress=progress,
        **options,
    )


def mesh(
    path: StrPath, output: StrPath, *, frame: Optional[Frame] = None, progress: Progress = True, **options: Setting
) -> Result:
    """Writes the surface of one capture: GLB, OBJ, PLY or USDZ, in meters."""
    return run("mesh", path, output=output, frame=frame, progress=progress, **options)


def fuse(
    recording: StrPath,
    output: StrPath,
    *,
    voxel: Optional[float] = None,
    every: Optional[int] = None,
    max_depth: Optional[float] = None,
    write_poses: Optional[StrPath] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Makes a recording one surface with the ± of each vertex.

    Args:
        recording: The recording.
        output: The file: GLB, OBJ, PLY, USDZ, STL; PCD and XYZ for points.
        voxel: The side of a voxel, meters; chosen by the noise of the depths without it.
        every: Every N-th frame.
        max_depth: Depths beyond are not used, meters.
        write_poses: A file for the refined poses, ``.json`` or ``.txt``.
    """
    return run(
        "fuse",
        recording,
        output=output,
        voxel=voxel,
        every=every,
        max_depth=max_depth,
        write_poses=write_poses,
        progress=progress,
        **options,
    )


def correct(
    path: StrPath,
    output: Optional[StrPath] = None,
    *,
    calibration: Optional[StrPath] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Corrects a capture into a folder, or a recording into a recording; without ``output`` lists the steps."""
    return run("correct", path, output=output, calibration=calibration, progress=progress, **options)


def filter(
    path: StrPath,
    output: Optional[StrPath] = None,
    *,
    preset: Optional[str] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Removes wrong depths of a capture or of a recording; without ``output`` says what filters would do."""
    return run("filter", path, output=output, preset=preset, progress=progress, **options)


def measure(
    path: StrPath,
    output: Optional[StrPath] = None,
    *,
    distance: Optional[List[Place]] = None,
    volume: Optional[List[Place]] = None,
    progress: Progress = True,
    **options: Setting,
) -> Measurements:
    """Measures in a photo, a recording, a cloud or a mesh file, each number with its ±.

    Args:
        path: The file.
        output: A PNG of where was measured, or of meshes the drawing of a plan.
        distance: Pairs of places: pixels ``((x, y), (x, y))`` in a photo, points ``((x, y, z), …)`` in meters
            in a cloud or mesh.
        volume: Rectangles ``(x, y, width, height)``; of meshes boxes of six numbers, or ``"all"``.
        options: The other kinds, such as ``angle``, ``plane``, ``area``, ``section``, as lists.
    """
    given = {name: _places(value) for name, value in options.items()}
    result = run(
        "measure",
        path,
        output=output,
        distance=_places(distance),
        volume=_places(volume),
        progress=progress,
        **given,
    )
    return measurements_of(result.document)


def estimate(
    photo: StrPath,
    output: StrPath,
    *,
    network: Optional[str] = None,
    known_distances: Optional[KnownDistances] = None,
    progress: Progress = True,
    **options: Setting,
) -> Result:
    """Estimates depth from one image by a network, and fits it to what was measured."""
    distances = known_distance_texts(known_distances)
    return run(
        "estimate", photo, output=output, network=network, known_distance=distances, progress=progress, **options
    )


def effect(name: str, photo: StrPath, output: StrPath, *, progress: Progress = True, **options: Setting) -> Result:
    """Changes a photo by its depth: ``blur``, ``background``, ``fog``, ``relight``, ``isolate``, ``wiggle``, …"""
    return run(f"effect {name}", photo, output=output, progress=progress, **options)


def face(
    path: StrPath, output: Optional[StrPath] = None, *, progress: Progress = True, **options: Setting
) -> Result:
    """Makes metric heads with ± of the faces of a photo, or one head of a recording."""
    return run("face", path, output=output, progress=progress, **options)


def simulate(scene: str, output: StrPath, *, progress: Progress = True, **options: Setting) -> Result:
    """Renders a scene as a phone would record it, with the exact truth, into a folder."""
    return run("simulate", scene, output=output, progress=progress, **options)


def _places(value: Setting) -> Setting:
    return [place_text(each) for each in value] if isinstance(value, list) else value
