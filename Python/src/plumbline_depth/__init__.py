"""Depth captures of iPhones and iPads as numpy arrays: corrected, checked, each number with its ±.

    import plumbline_depth as plumb

    photo = plumb.open("portrait.heic")
    photo.verdict                  # whether it can be measured, and how well
    photo.depth.meters             # (H, W) float32, NaN is missing
    photo.points().xyz             # (N, 3) float32, meters in the camera's frame

Frame of every camera: x right, y down, z forward. Pixels: the center of the first one is (0, 0).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import batch
from .camera_tasks import align, calibrate, compare, compare_surface, stereo, verify
from .cameras import Calibration, Pose
from .capture import Capture, Depth, Points
from .errors import (
    CancelledError,
    CannotCreateError,
    MissingInputError,
    NotMeasurableError,
    PlumblineError,
    ProgramFaultError,
    StorageError,
    UnusableInputError,
    UsageError,
)
from .findings import Finding, Findings, Remedy, Verdict
from .measurements import Measurement, Measurements
from .opening import open, open_capture, open_recording, read
from .recording import Recording
from .running import Result, run
from .tasks import check, cloud, convert, correct, effect, estimate, face, filter, fuse, info, measure, mesh, simulate

if TYPE_CHECKING:
    from . import ray as ray

__version__ = "0.1.0"

__all__ = [
    "Calibration",
    "CancelledError",
    "CannotCreateError",
    "Capture",
    "Depth",
    "Finding",
    "Findings",
    "Measurement",
    "Measurements",
    "MissingInputError",
    "NotMeasurableError",
    "PlumblineError",
    "Points",
    "Pose",
    "ProgramFaultError",
    "Recording",
    "Remedy",
    "Result",
    "StorageError",
    "UnusableInputError",
    "UsageError",
    "Verdict",
    "align",
    "batch",
    "calibrate",
    "check",
    "cloud",
    "compare",
    "compare_surface",
    "convert",
    "correct",
    "effect",
    "estimate",
    "face",
    "filter",
    "fuse",
    "info",
    "measure",
    "mesh",
    "open",
    "open_capture",
    "open_recording",
    "read",
    "run",
    "simulate",
    "stereo",
    "verify",
]


def __getattr__(name: str) -> Any:
    # Ray is imported only when it is asked for.
    if name == "ray":
        try:
            return importlib.import_module(".ray", __name__)
        except ModuleNotFoundError as missing:
            hint = "`pip install 'plumbline-depth[ray]'` installs what it needs"
            raise ModuleNotFoundError(f"{missing}: {hint}", name=missing.name) from None
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
