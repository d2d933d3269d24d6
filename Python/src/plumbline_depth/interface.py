"""The C interface of ``libplumbline``, declared for ctypes.

Every call releases Python's global lock (ctypes does), so that threads compute at the same time.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any, List, Optional, Tuple, cast

from .errors import MissingInputError, PlumblineError, error

#: The version of the interface that this package is written for.
INTERFACE = 2

#: The environment variable that names another library.
LIBRARY_VARIABLE = "PLUMBLINE_LIBRARY"


class Array(ctypes.Structure):
    """``plumbline_array``: memory of the library, with its shape and strides in bytes."""

    _fields_ = [
        ("values", c_void_p),
        ("element", c_int32),
        ("dimensions", c_int32),
        ("shape", c_int64 * 3),
        ("stride", c_int64 * 3),
    ]


class CalibrationNumbers(ctypes.Structure):
    """``plumbline_calibration``: the camera of the depth map, in pixels of that map."""

    _fields_ = [
        ("width", c_int64),
        ("height", c_int64),
        ("fx", c_double),
        ("fy", c_double),
        ("cx", c_double),
        ("cy", c_double),
        ("sigma_focal", c_double),
        ("sigma_center", c_double),
        ("is_rectified", c_bool),
    ]


#: ``plumbline_progress``: whether work goes on.
ProgressFunction = ctypes.CFUNCTYPE(c_bool, c_void_p, c_char_p, c_int64, c_int64)

_ERROR = POINTER(c_void_p)
# Name, result, arguments. Texts that the caller frees are c_void_p, since c_char_p would lose the address.
_FUNCTIONS: List[Tuple[str, Any, List[Any]]] = [
    ("plumbline_version", c_char_p, []),
    ("plumbline_interface", c_int32, []),
    ("plumbline_text_free", None, [c_void_p]),
    ("plumbline_error_category", c_int32, [c_void_p]),
    ("plumbline_error_message", c_char_p, [c_void_p]),
    ("plumbline_error_file", c_char_p, [c_void_p]),
    ("plumbline_error_place", c_char_p, [c_void_p]),
    ("plumbline_error_expected", c_char_p, [c_void_p]),
    ("plumbline_error_found", c_char_p, [c_void_p]),
    ("plumbline_error_free", None, [c_void_p]),
    ("plumbline_open", c_bool, [c_char_p, c_char_p, POINTER(c_void_p), POINTER(c_void_p), _ERROR]),
    ("plumbline_capture_open", c_void_p, [c_char_p, c_char_p, _ERROR]),
    ("plumbline_capture_read", c_void_p, [c_char_p, c_size_t, c_char_p, c_char_p, _ERROR]),
    ("plumbline_capture_free", None, [c_void_p]),
    ("plumbline_capture_verdict", c_void_p, [c_void_p, _ERROR]),
    ("plumbline_capture_contents", c_void_p, [c_void_p, _ERROR]),
    ("plumbline_capture_array_names", c_void_p, [c_void_p, _ERROR]),
    ("plumbline_capture_array", c_bool, [c_void_p, c_char_p, POINTER(Array), _ERROR]),
    ("plumbline_capture_is_metric", c_int32, [c_void_p, _ERROR]),
    ("plumbline_capture_calibration", c_bool, [c_void_p, POINTER(CalibrationNumbers), _ERROR]),
    ("plumbline_capture_calibration_json", c_void_p, [c_void_p, _ERROR]),
    ("plumbline_capture_pose", c_bool, [c_void_p, POINTER(c_double)]),
    ("plumbline_capture_time", c_bool, [c_void_p, POINTER(c_double)]),
    ("plumbline_capture_correct", c_void_p, [c_void_p, c_char_p, _ERROR]),
    ("plumbline_capture_filter", c_void_p, [c_void_p, c_char_p, _ERROR]),
    ("plumbline_capture_measure", c_void_p, [c_void_p, c_char_p, _ERROR]),
    ("plumbline_is_recording", c_int32, [c_char_p, _ERROR]),
    ("plumbline_recording_open", c_void_p, [c_char_p, c_char_p, _ERROR]),
    ("plumbline_recording_free", None, [c_void_p]),
    ("plumbline_recording_count", c_int64, [c_void_p]),
    ("plumbline_recording_info", c_void_p, [c_void_p, _ERROR]),
    ("plumbline_recording_frame", c_void_p, [c_void_p, c_int64, _ERROR]),
    (
        "plumbline_run",
        c_void_p,
        [c_char_p, POINTER(c_char_p), c_size_t, c_char_p, c_char_p, ProgressFunction, c_void_p, _ERROR],
    ),
]


def library_path() -> Path:
    """The path of the library: that of ``PLUMBLINE_LIBRARY``, else the one beside this package."""
    named = os.environ.get(LIBRARY_VARIABLE)
    if named:
        return Path(named)
    return Path(__file__).with_name("libplumbline.dylib" if sys.platform == "darwin" else "libplumbline.so.0")


@functools.lru_cache(maxsize=None)
def library() -> Any:
    """The loaded library with the types of its functions; it is loaded once.

    Raises:
        MissingInputError: There is no library, or it is older than this package.
    """
    path = library_path()
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as failure:
        raise MissingInputError(
            f"the library of Plumbline cannot be loaded ({failure}); {LIBRARY_VARIABLE} can name another one",
            file=str(path),
        ) from failure
    for name, result, arguments in _FUNCTIONS:
        function = getattr(loaded, name, None)
        if function is not None:
            function.restype = result
            function.argtypes = arguments
    if getattr(loaded, "plumbline_interface", lambda: 0)() < INTERFACE:
        raise MissingInputError("the library is older than this package", file=str(path))
    return loaded


def checked(name: str, *arguments: Any) -> Any:
    """Calls a function that can fail, with the place for its error added, and returns its result.

    Raises:
        PlumblineError: The library stored an error.
    """
    failure = c_void_p()
    result = getattr(library(), name)(*arguments, byref(failure))
    if failure.value is not None:
        raise taken_error(failure)
    return result


def checked_text(name: str, *arguments: Any) -> str:
    """Calls a function that returns a text to free, and returns it as a string."""
    address = checked(name, *arguments)
    try:
        return _decoded(ctypes.string_at(address))
    finally:
        library().plumbline_text_free(address)


def taken_error(failure: c_void_p) -> PlumblineError:
    """The exception for an error of the library, which is freed."""
    functions = library()

    def part(name: str) -> Optional[str]:
        text = cast(Optional[bytes], getattr(functions, "plumbline_error_" + name)(failure))
        return None if text is None else _decoded(text)

    try:
        return error(
            int(functions.plumbline_error_category(failure)),
            part("message") or "failed without a message",
            file=part("file"),
            place=part("place"),
            expected=part("expected"),
            found=part("found"),
        )
    finally:
        functions.plumbline_error_free(failure)


def encoded_path(path: "os.PathLike[str] | str") -> bytes:
    """A path as the library takes it; ``~`` is not expanded.

    Raises:
        ValueError: The path holds a zero character.
    """
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError("a path cannot hold a zero character")
    return encoded


def _decoded(text: bytes) -> str:
    # Messages repeat names of files, which may be any bytes.
    return text.decode("utf-8", "replace")
