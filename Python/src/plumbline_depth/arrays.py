"""Arrays of the library as numpy arrays, without a copy."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, Tuple

from .interface import Array, checked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Bytes = NDArray[np.uint8]
    Doubles = NDArray[np.float64]

# plumbline_element: the types of numpy's array interface.
_TYPES: Dict[int, Tuple[str, int]] = {1: ("<f4", 4), 2: ("|u1", 1), 3: ("<f8", 8)}


class Memory:
    """Memory of an owner, as numpy's array interface (version 3) describes it: read-only.

    An array made of it has this object as its ``base``, and so keeps the owner alive.
    """

    def __init__(self, array: Array, owner: object) -> None:
        if array.element not in _TYPES:
            raise TypeError(f"arrays of elements of type {array.element} are not known")
        kind, _ = _TYPES[array.element]
        count = array.dimensions
        self.owner = owner
        self.__array_interface__: Dict[str, Any] = {
            "version": 3,
            "typestr": kind,
            "shape": tuple(array.shape[:count]),
            "strides": tuple(array.stride[:count]),
            "data": (array.values, True),
        }


def numpy_array(array: Array, owner: object) -> "NDArray[Any]":
    """A read-only numpy array over memory of the library, which keeps the owner alive."""
    import numpy

    return numpy.asarray(Memory(array, owner))


def capture_array(handle: "Handle", name: str) -> "NDArray[Any]":
    """The array of a capture that has this name in the C interface.

    Raises:
        UnusableInputError: The capture has no such array.
    """
    array = Array()
    checked("plumbline_capture_array", handle.address, name.encode(), ctypes.byref(array))
    return numpy_array(array, handle)


class Handle:
    """A handle of the library, which is freed with this object."""

    __slots__ = ("address", "_free")

    def __init__(self, address: int, free: Any) -> None:
        self.address = address
        self._free = free

    def __del__(self) -> None:
        # Absent where the initializer failed.
        free = getattr(self, "_free", None)
        if free is not None:
            free(self.address)
