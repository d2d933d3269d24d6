"""Arrays over foreign memory: the same numbers, no copy, read-only, and their owner stays."""

from __future__ import annotations

import ctypes
import gc
import weakref
from typing import Any, Dict, List

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from plumbline_depth.arrays import numpy_array
from plumbline_depth.interface import Array

ELEMENTS: Dict[int, Any] = {1: np.dtype(np.float32), 2: np.dtype(np.uint8), 3: np.dtype(np.float64)}


class Owner:
    """An owner that can be watched."""


def described(source: "np.ndarray[Any, Any]", element: int) -> Array:
    """A description of numpy's own memory, as the library would give it."""
    described = Array(values=source.ctypes.data, element=element, dimensions=source.ndim)
    for axis in range(source.ndim):
        described.shape[axis] = source.shape[axis]
        described.stride[axis] = source.strides[axis]
    return described


@st.composite
def sources(draw: st.DrawFn) -> Any:
    """Arrays of 1 to 3 dimensions of each type, with steps along some axes, empty ones too."""
    element = draw(st.sampled_from(sorted(ELEMENTS)))
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=9))
    whole = draw(hnp.arrays(ELEMENTS[element], shape))
    steps = draw(st.tuples(*[st.integers(1, 3)] * len(shape)))
    return element, whole[tuple(slice(None, None, step) for step in steps)]


@given(sources())
@settings(max_examples=100)
def test_same_numbers_shape_and_type(drawn: Any) -> None:
    element, source = drawn
    array = numpy_array(described(source, element), Owner())
    assert array.shape == source.shape
    assert array.dtype == source.dtype
    assert array.tobytes() == source.tobytes()
    assert array.size == 0 or array.ctypes.data == source.ctypes.data


@given(sources())
@settings(max_examples=50)
def test_owner_lives_as_long_as_any_view(drawn: Any) -> None:
    element, source = drawn
    owner = Owner()
    seen = weakref.ref(owner)
    views: List[Any] = [numpy_array(described(source, element), owner)]
    del owner
    views.append(views[0][..., ::-1].T)
    views.pop(0)
    gc.collect()
    assert seen() is not None
    views.clear()
    gc.collect()
    assert seen() is None


def test_memory_of_the_library_is_read_only() -> None:
    source = np.zeros((2, 3), np.float32)
    array = numpy_array(described(source, 1), Owner())
    with pytest.raises(ValueError):
        array[0, 0] = 1
    with pytest.raises(ValueError):
        array.flags.writeable = True


def test_an_unknown_element_is_refused() -> None:
    with pytest.raises(TypeError, match="type 9"):
        numpy_array(described(np.zeros(1, np.uint8), 9), Owner())


def test_layouts_are_those_of_the_header() -> None:
    # 8 bytes of pointer, two 32-bit numbers, and three 64-bit numbers twice.
    assert ctypes.sizeof(Array) == 64
    assert Array.shape.offset == 16
    assert Array.stride.offset == 40
