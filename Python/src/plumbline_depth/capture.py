"""One capture: a photo, or one frame of a recording."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from .arrays import Handle, capture_array
from .cameras import Calibration, Pose, calibration_document_of, calibration_of, pose_of, time_of
from .errors import NotMeasurableError
from .findings import Findings, Verdict, verdict_of
from .interface import checked, checked_text, library
from .measurements import Measurements, measurements_of
from .settings import KnownDistances, Setting, StrPath, known_distance_texts, place_text, settings_json

if TYPE_CHECKING:
    from .arrays import Bytes, Doubles, Floats

#: A place in a photo, or several: see :func:`plumbline_depth.settings.place_text`.
Place = Union[str, Tuple[Any, ...]]


@dataclass(frozen=True, eq=False, repr=False)
class Points:
    """The measured pixels of a capture as points in the camera's frame: x right, y down, z forward.

    Attributes:
        xyz: (N, 3) float32, meters where depths are meters; lens distortion is removed.
        color: (N, 3) uint8, sRGB; ``None`` without a color image.
        sigma: (N,) float32, one standard deviation of each point's z, same unit; that along its ray is this
            times length / z. NaN where it is not known.
        pixel: (N, 2) float32, column and row in the depth map.
    """

    xyz: "Floats"
    color: "Optional[Bytes]"
    sigma: "Floats"
    pixel: "Floats"

    def __len__(self) -> int:
        return int(self.xyz.shape[0])

    def __repr__(self) -> str:
        return f"<Points {len(self)}, {'without' if self.color is None else 'with'} color>"


class Depth:
    """The depth map of a capture. Each array is a view of the library's memory: read-only, no copy."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @property
    def meters(self) -> "Floats":
        """Depths along the optical axis after correction, (H, W) float32, meters; NaN is missing.

        Raises:
            NotMeasurableError: The depths are relative; ``values`` has them without a unit.
        """
        if not self.is_metric:
            raise NotMeasurableError(
                "the depths are relative, not meters; known distances make them meters, and values has them as they are"
            )
        return self.values

    @property
    def values(self) -> "Floats":
        """Depths after correction, (H, W) float32, meters where ``is_metric``; NaN is missing."""
        return capture_array(self._handle, "depth")

    @property
    def sigma(self) -> "Floats":
        """One standard deviation of each depth, (H, W) float32, in the same unit; NaN where not known."""
        return capture_array(self._handle, "depth.sigma")

    @property
    def stored(self) -> "Floats":
        """Samples as the file has them: depth, disparity or range, (H, W) float32; NaN is missing."""
        return capture_array(self._handle, "depth.stored")

    @property
    def invented(self) -> "Bytes":
        """1 where a filter filled a hole, else 0, (H, W) uint8."""
        return capture_array(self._handle, "depth.invented")

    @functools.cached_property
    def is_metric(self) -> bool:
        """Whether the depths are meters, as they were stored or by distances that you measured."""
        return _is_metric(self._handle)

    @property
    def shape(self) -> Tuple[int, int]:
        """Rows and columns of the map."""
        rows, columns = self.values.shape
        return int(rows), int(columns)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<Depth {columns}×{rows}, {'meters' if self.is_metric else 'relative'}>"


class Capture:
    """One capture, opened by :func:`plumbline_depth.open`; each part is computed when it is first asked for.

    A capture may be read by several threads at once. Arrays keep it alive. It cannot be pickled: send its
    path to another process and open it there.
    """

    def __init__(self, handle: Handle, name: str) -> None:
        self._handle = handle
        #: The path or name that it was opened by.
        self.name = name
        #: Its depth map.
        self.depth = Depth(handle)

    @functools.cached_property
    def verdict(self) -> Verdict:
        """Whether it can be measured and how well; computed once."""
        return verdict_of(json.loads(checked_text("plumbline_capture_verdict", self._handle.address)))

    @property
    def findings(self) -> Findings:
        """What is wrong with it, and notes."""
        return self.verdict.findings

    @functools.cached_property
    def contents(self) -> Dict[str, Any]:
        """What the file contains, as read: the document ``plumbline.inspect/1``."""
        contents: Dict[str, Any] = json.loads(checked_text("plumbline_capture_contents", self._handle.address))
        return contents

    @functools.cached_property
    def array_names(self) -> Tuple[str, ...]:
        """The names of the arrays that it has, as :meth:`array` takes them."""
        return tuple(json.loads(checked_text("plumbline_capture_array_names", self._handle.address)))

    def array(self, name: str) -> Any:
        """An array by its name in the C interface, such as ``depth.sigma`` or ``matte.portrait``.

        Raises:
            UnusableInputError: It has no such array.
        """
        return capture_array(self._handle, name)

    @property
    def color(self) -> "Optional[Bytes]":
        """The image, (h, w, 3) uint8 sRGB, in the orientation of the depth map; ``None`` without one."""
        return capture_array(self._handle, "color") if "color" in self.array_names else None

    @property
    def confidence(self) -> "Optional[Bytes]":
        """The sensor's own rating of each pixel, (H, W) uint8, 0 is lowest; ``None`` without one."""
        return capture_array(self._handle, "confidence") if "confidence" in self.array_names else None

    @property
    def mattes(self) -> "Dict[str, Bytes]":
        """Soft masks that the device computed, each (h, w) uint8, 0 outside and 255 inside, by name."""
        names = [name for name in self.array_names if name.startswith("matte.")]
        return {name[len("matte.") :]: capture_array(self._handle, name) for name in names}

    @property
    def rays(self) -> "Floats":
        """x/z and y/z of each pixel's ray, (H, W, 2) float32, lens distortion removed."""
        return capture_array(self._handle, "rays")

    @functools.cached_property
    def calibration(self) -> Calibration:
        """The camera of the depth map.

        Raises:
            UnusableInputError: It has none.
        """
        return calibration_of(self._handle)

    @functools.cached_property
    def calibration_document(self) -> Dict[str, Any]:
        """The camera with its lens distortion, frames and conventions: ``calibration.json``."""
        return calibration_document_of(self._handle)

    @property
    def K(self) -> "Doubles":
        """The camera matrix of the depth map, (3, 3) float64, pixels."""
        return self.calibration.K

    @functools.cached_property
    def pose(self) -> Optional[Pose]:
        """The camera in the world of its recording; ``None`` without one."""
        return pose_of(self._handle)

    @property
    def time(self) -> Optional[float]:
        """Seconds on the recording's clock; ``None`` without a time."""
        return time_of(self._handle)

    def points(self) -> Points:
        """The measured pixels as points with their colors and ±; no array is copied.

        Raises:
            UnusableInputError: It has no depth, or no camera.
        """
        has_color = "points.color" in self.array_names
        return Points(
            xyz=capture_array(self._handle, "points"),
            color=capture_array(self._handle, "points.color") if has_color else None,
            sigma=capture_array(self._handle, "points.sigma"),
            pixel=capture_array(self._handle, "points.pixel"),
        )

    def correct(self, *, calibration: Optional[StrPath] = None, **options: Setting) -> "Capture":
        """A new capture with the corrections of the findings, or those that the options name.

        Args:
            calibration: A calibration file to use instead of the capture's own numbers.
            options: Other options of the command ``correct``, such as ``rectify="color,depth"``.
        """
        return self._derived("plumbline_capture_correct", calibration=calibration, **options)

    def filter(
        self, *, preset: Optional[str] = None, known_distances: Optional[KnownDistances] = None, **options: Setting
    ) -> "Capture":
        """A new capture with wrong depths removed; ``depth.invented`` marks pixels that were filled.

        Args:
            preset: ``metrology`` (without it), ``fusion`` or ``preview``.
            known_distances: Distances that you measured, which make a relative map metric.
            options: Other options of the command ``filter``, such as ``depth_range=(0.2, 3)``.
        """
        distances = known_distance_texts(known_distances)
        return self._derived("plumbline_capture_filter", preset=preset, known_distance=distances, **options)

    def measure(
        self,
        *,
        point: "Optional[List[Place]]" = None,
        distance: "Optional[List[Place]]" = None,
        angle: "Optional[List[Place]]" = None,
        plane: "Optional[List[Place]]" = None,
        box: "Optional[List[Place]]" = None,
        height: "Optional[List[Place]]" = None,
        volume: "Optional[List[Place]]" = None,
        **options: Setting,
    ) -> Measurements:
        """Lengths, angles, planes, boxes and volumes, each with its ±.

        Places are pixels of the photo as shown, such as ``(812, 1304)``; a distance is two of them, an angle
        three; a rectangle is ``(x, y, width, height)``. ``"depth:X,Y"`` is a pixel of the stored map.

        Args:
            options: Other options of the command ``measure``.

        Raises:
            UsageError: Nothing to measure, a pixel outside, a rectangle that is too small.
        """
        lists = dict(point=point, distance=distance, angle=angle, plane=plane, box=box, height=height, volume=volume)
        places = {name: [place_text(each) for each in given] for name, given in lists.items() if given}
        text = checked_text("plumbline_capture_measure", self._handle.address, settings_json({**places, **options}))
        return measurements_of(json.loads(text))

    def _derived(self, function: str, **settings: Setting) -> "Capture":
        address = checked(function, self._handle.address, settings_json(settings))
        return Capture(Handle(address, library().plumbline_capture_free), self.name)

    def __repr__(self) -> str:
        return repr(self.verdict)

    def __reduce__(self) -> Any:
        raise TypeError("a capture cannot be pickled; send its path and open it there")


def _is_metric(handle: Handle) -> bool:
    return bool(checked("plumbline_capture_is_metric", handle.address) == 1)
