"""How captures and recordings are opened."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Optional, Union

from .arrays import Handle
from .capture import Capture
from .interface import checked, encoded_path, library
from .recording import Recording
from .settings import KnownDistances, StrPath, known_distance_texts, settings_json

#: The number or the name of a frame.
Frame = Union[int, str]


def open(
    path: StrPath,
    *,
    frame: Optional[Frame] = None,
    calibration: Optional[StrPath] = None,
    known_distances: Optional[KnownDistances] = None,
    depth_unit: Optional[str] = None,
    metric: bool = False,
    device: Optional[str] = None,
    catalog: Optional[StrPath] = None,
    threads: Optional[int] = None,
    memory: Optional[int] = None,
) -> "Capture | Recording":
    """Opens a photo as a :class:`Capture`, and a folder, archive or stream of frames as a :class:`Recording`.

    Opening reads what the file is; depth, color and verdict are computed when they are first asked for. Where
    types are checked, use :func:`open_capture` or :func:`open_recording`, which return one of the two.

    Args:
        path: The file or folder.
        frame: Opens this frame of a recording as a capture: its number from 0, or its name.
        calibration: A calibration file to use instead of the capture's own numbers.
        known_distances: Distances that you measured, ``{(x, y): meters}``: pixels of the photo as shown.
        depth_unit: The unit of a depth map whose file does not name it: ``mm``, ``0.1mm``, ``m`` or meters.
        metric: Depths are true meters, where the file leaves that open.
        device: The phone or tablet, if the file does not name it.
        catalog: A file with measurements of your own devices, as ``plumbline devices --add`` fills it.
        threads: The maximum number of threads; 2 without. Results do not depend on it.
        memory: The maximum number of bytes for one file.

    Raises:
        MissingInputError: There is no such file, or it may not be read.
        UnusableInputError: It is damaged, unsupported or over a limit.
    """
    settings = _settings(calibration, known_distances, depth_unit, metric, device, catalog, threads, memory, frame)
    capture, recording = ctypes.c_void_p(), ctypes.c_void_p()
    checked("plumbline_open", encoded_path(path), settings, ctypes.byref(capture), ctypes.byref(recording))
    if capture.value is not None:
        return Capture(Handle(capture.value, library().plumbline_capture_free), os.fsdecode(path))
    assert recording.value is not None, "plumbline_open sets one of the two"
    return Recording(Handle(recording.value, library().plumbline_recording_free), os.fsdecode(path))


def open_capture(
    path: StrPath,
    *,
    frame: Optional[Frame] = None,
    calibration: Optional[StrPath] = None,
    known_distances: Optional[KnownDistances] = None,
    depth_unit: Optional[str] = None,
    metric: bool = False,
    device: Optional[str] = None,
    catalog: Optional[StrPath] = None,
    threads: Optional[int] = None,
    memory: Optional[int] = None,
) -> Capture:
    """Opens one capture, or one frame of a recording (its first without ``frame``); arguments as for :func:`open`."""
    settings = _settings(calibration, known_distances, depth_unit, metric, device, catalog, threads, memory, frame)
    address = checked("plumbline_capture_open", encoded_path(path), settings)
    return Capture(Handle(address, library().plumbline_capture_free), os.fsdecode(path))


def open_recording(
    path: StrPath,
    *,
    calibration: Optional[StrPath] = None,
    known_distances: Optional[KnownDistances] = None,
    depth_unit: Optional[str] = None,
    metric: bool = False,
    device: Optional[str] = None,
    catalog: Optional[StrPath] = None,
    threads: Optional[int] = None,
    memory: Optional[int] = None,
) -> Recording:
    """Opens a recording; arguments as for :func:`open`."""
    settings = _settings(calibration, known_distances, depth_unit, metric, device, catalog, threads, memory)
    address = checked("plumbline_recording_open", encoded_path(path), settings)
    return Recording(Handle(address, library().plumbline_recording_free), os.fsdecode(path))


def read(
    data: "bytes | bytearray | memoryview",
    name: str,
    *,
    frame: Optional[Frame] = None,
    calibration: Optional[StrPath] = None,
    known_distances: Optional[KnownDistances] = None,
    depth_unit: Optional[str] = None,
    metric: bool = False,
    device: Optional[str] = None,
    catalog: Optional[StrPath] = None,
    threads: Optional[int] = None,
    memory: Optional[int] = None,
) -> Capture:
    """Reads one capture from the bytes of a file, which are copied.

    Args:
        data: The bytes.
        name: What errors and findings call it, such as ``portrait.heic``.

    Other arguments and errors are as for :func:`open`.
    """
    settings = _settings(calibration, known_distances, depth_unit, metric, device, catalog, threads, memory, frame)
    content = bytes(data)
    pointer = ctypes.c_char_p(content)
    address = checked("plumbline_capture_read", pointer, len(content), encoded_path(name), settings)
    return Capture(Handle(address, library().plumbline_capture_free), name)


def _settings(
    calibration: Optional[StrPath],
    known_distances: Optional[KnownDistances],
    depth_unit: Optional[str],
    metric: bool,
    device: Optional[str],
    catalog: Optional[StrPath],
    threads: Optional[int],
    memory: Optional[int],
    frame: Optional[Frame] = None,
) -> bytes:
    given: Dict[str, Any] = dict(
        calibration=calibration,
        known_distance=known_distance_texts(known_distances),
        depth_unit=depth_unit,
        metric=metric,
        device=device,
        catalog=catalog,
        threads=threads,
        memory=memory,
        frame=frame,
    )
    return settings_json(given)
