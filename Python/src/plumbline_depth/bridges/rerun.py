"""Captures and recordings in Rerun's viewer."""

from __future__ import annotations

import importlib
from typing import Any

from ..capture import Capture
from ..recording import Recording

# Its package lies behind a path file that type checkers do not follow.
rerun: Any = importlib.import_module("rerun")


def log(capture: Capture, entity: str = "camera", *, stream: Any = None) -> None:
    """Logs camera, pose, image, depth and points of a capture.

    Points are logged below the camera in meters, in its frame: x right, y down, z forward.

    Args:
        capture: A capture whose depths are meters.
        entity: The path of the camera in Rerun.
        stream: A ``rerun.RecordingStream``; the current one without it.
    """
    camera, points = capture.calibration, capture.points()
    if capture.pose is not None:
        pose = capture.pose.world_from_camera
        rerun.log(entity, rerun.Transform3D(translation=pose[:3, 3], mat3x3=pose[:3, :3]), recording=stream)
    rerun.log(
        f"{entity}/depth",
        rerun.Pinhole(
            image_from_camera=camera.K,
            resolution=[camera.width, camera.height],
            camera_xyz=rerun.ViewCoordinates.RDF,
        ),
        rerun.DepthImage(capture.depth.meters, meter=1.0),
        recording=stream,
    )
    if capture.color is not None:
        rerun.log(f"{entity}/color", rerun.Image(capture.color), recording=stream)
    rerun.log(f"{entity}/points", rerun.Points3D(points.xyz, colors=points.color), recording=stream)


def log_recording(
    recording: Recording, entity: str = "camera", *, every: int = 1, timeline: str = "time", stream: Any = None
) -> None:
    """Logs every N-th frame of a recording at its time in seconds; frames without a time by their number."""
    for index in range(0, len(recording), every):
        frame = recording[index]
        if frame.time is None:
            rerun.set_time("frame", sequence=index, recording=stream)
        else:
            rerun.set_time(timeline, duration=frame.time, recording=stream)
        log(frame, entity, stream=stream)
