"""Cameras and poses."""

from __future__ import annotations

import json
import math
from ctypes import byref, c_double
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Optional

from .arrays import Handle
from .interface import CalibrationNumbers, checked, checked_text, library

if TYPE_CHECKING:
    from .arrays import Doubles


@dataclass(frozen=True)
class Calibration:
    """The camera of a depth map, in pixels of that map; the center of the first pixel is (0, 0).

    Attributes:
        width: Columns of the map.
        height: Rows of the map.
        fx: Focal length along columns, pixels.
        fy: Focal length along rows, pixels.
        cx: Column of the principal point.
        cy: Row of the principal point.
        sigma_focal: One standard deviation of the focal lengths, pixels; ``None`` where it is not known.
        sigma_center: The same of the principal point.
        is_rectified: Whether the map is free from lens distortion; ``rays`` are so in any case.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    sigma_focal: Optional[float]
    sigma_center: Optional[float]
    is_rectified: bool

    @property
    def K(self) -> "Doubles":
        """The camera matrix, (3, 3) float64, pixels."""
        import numpy

        return numpy.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1]], dtype=numpy.float64)


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a camera stood.

    Attributes:
        world_from_camera: (4, 4) float64, meters: takes a point in the camera's frame (x right, y down, z
            forward) to the recording's world. Its memory belongs to this object; it is read-only.
    """

    world_from_camera: "Doubles"

    @property
    def position(self) -> "Doubles":
        """The camera's center in the world, (3,) float64, meters."""
        return self.world_from_camera[:3, 3]


def calibration_of(handle: Handle) -> Calibration:
    """The camera of a capture's depth map.

    Raises:
        UnusableInputError: The capture has no calibration.
    """
    numbers = CalibrationNumbers()
    checked("plumbline_capture_calibration", handle.address, byref(numbers))
    return Calibration(
        width=numbers.width,
        height=numbers.height,
        fx=numbers.fx,
        fy=numbers.fy,
        cx=numbers.cx,
        cy=numbers.cy,
        sigma_focal=_known(numbers.sigma_focal),
        sigma_center=_known(numbers.sigma_center),
        is_rectified=numbers.is_rectified,
    )


def calibration_document_of(handle: Handle) -> Dict[str, Any]:
    """The camera with its lens distortion: the document of ``calibration.json``."""
    document: Dict[str, Any] = json.loads(checked_text("plumbline_capture_calibration_json", handle.address))
    return document


def pose_of(handle: Handle) -> Optional[Pose]:
    """The pose of a capture; ``None`` where it has none."""
    import numpy

    numbers = (c_double * 16)()
    if not library().plumbline_capture_pose(handle.address, numbers):
        return None
    matrix = numpy.array(numbers, dtype=numpy.float64).reshape(4, 4)
    matrix.flags.writeable = False
    return Pose(matrix)


def time_of(handle: Handle) -> Optional[float]:
    """The time of a capture in seconds on the recording's clock; ``None`` where it has none."""
    seconds = c_double()
    return seconds.value if library().plumbline_capture_time(handle.address, byref(seconds)) else None


def _known(number: float) -> Optional[float]:
    return None if math.isnan(number) else number
