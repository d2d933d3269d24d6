"""The weights of a network as `numpy.save` writes a dictionary of dictionaries of arrays.

Nothing of the pickle is run. What it calls are the stand-ins of `KNOWN`, which only note what an array is made
of; any other name stops the reading. Sources: NumPy, NEP 1 and ndarray.__reduce__; CPython, pickle.
"""
import io
import math
import pickle
import pickletools
import warnings

import numpy as np

from .refusal import Refusal, printable

MAGIC = b"\x93NUMPY"
MAXIMUM_COUNT = 1 << 31
# FCRN's pickle has 12,767 instructions; each is looked at before any is followed.
MAXIMUM_INSTRUCTIONS = 1 << 20
# What writes to a place of the unpickler's list, for which CPython makes room up to that place.
PLACED = ("PUT", "BINPUT", "LONG_BINPUT")


def text(value):
    """A text, or bytes of ASCII as Python 2 wrote texts."""
    return value.decode("latin-1") if isinstance(value, bytes) else value


class NumberType:
    """NumPy's type of numbers, such as `f4`."""

    def __init__(self, name):
        self.name, self.order = text(name), "<"

    def __setstate__(self, state):
        # (version, byte order, …); records have names in the fourth position.
        if len(state) > 3 and state[3] is not None:
            raise Refusal("pickle", "arrays of numbers", "arrays of records")
        if len(state) > 1 and text(state[1]) == ">":
            self.order = ">"


class PickledArray:
    """An array: of numbers, or of one object, the dictionary of layers."""

    numbers = objects = None

    def __setstate__(self, state):
        _, shape, kind, is_fortran, data = state
        sound = isinstance(shape, tuple) and len(shape) <= 8 and all(type(n) is int and n >= 0 for n in shape)
        if not sound or not isinstance(kind, NumberType) or math.prod(shape) > MAXIMUM_COUNT:
            raise Refusal("pickle", "a shape and a type of numbers", "other values")
        if isinstance(data, list):
            self.objects = data
            return
        if kind.name not in ("f2", "f4", "f8"):
            raise Refusal("pickle", "arrays of floats", f"arrays of {printable(str(kind.name))}")
        data = data.encode("latin-1") if isinstance(data, str) else data
        numbers = np.frombuffer(data, kind.order + kind.name)
        if numbers.size != math.prod(shape):
            raise Refusal("pickle", f"numbers for the shape {list(shape)}", f"{numbers.size}")
        self.numbers = numbers.reshape(shape, order="F" if is_fortran else "C")


def encoded(value, *_):
    """How Python 3 writes bytes in protocol 2: a text of U+0000 to U+00FF."""
    return value.encode("latin-1")


# Functions only: a pickle can change what it is given, and a function of these has nothing to change.
KNOWN = {
    "numpy.core.multiarray _reconstruct": lambda *_: PickledArray(),
    "numpy._core.multiarray _reconstruct": lambda *_: PickledArray(),
    "numpy ndarray": lambda *_: None,
    "numpy dtype": lambda name, *_: NumberType(name),
    "_codecs encode": encoded,
    "collections OrderedDict": lambda: {},
}


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        found = f"{module} {name}"
        if found not in KNOWN:
            raise Refusal("pickle", "arrays of NumPy in dictionaries", f"the function {printable(found)}")
        return KNOWN[found]


def check_places(file):
    """Refuses a place that no pickle needs: picklers number their places from 0 or 1 on, one an instruction."""
    for count, (instruction, argument, _) in enumerate(pickletools.genops(file), 1):
        if count > MAXIMUM_INSTRUCTIONS:
            raise Refusal("pickle", f"at most {MAXIMUM_INSTRUCTIONS} instructions", "more")
        if instruction.name in PLACED and argument > count:
            raise Refusal("pickle", f"a place of at most {count} for a value", f"{argument}")


def unpickled(data):
    file = io.BytesIO(data)
    try:
        with warnings.catch_warnings(action="ignore"):
            check_places(file)
        file.seek(0)
        return Unpickler(file, encoding="latin-1").load()
    except Refusal:
        raise
    # Damaged pickles end with any of Python's errors.
    except Exception as error:
        found = printable(f"{type(error).__name__}: {error}")[:200]
        raise Refusal("pickle", "arrays of NumPy in dictionaries", found) from None


def layers(data):
    """The arrays by the name of their layer and their own, such as `conv1` and `weights`."""
    size = 2 if data[6:7] == b"\1" else 4
    start = 8 + size
    count = int.from_bytes(data[8:start], "little")
    if len(data) < start + count or count > 65536 or data[6] > 3:
        raise Refusal("header", "the header of an array of NumPy", "another one")
    header = bytes(data[start:start + count]).decode("latin-1")
    if "'|O'" not in header:
        raise Refusal("header", "a dictionary of weights (type '|O')", printable(header.strip()))
    value = unpickled(data[start + count:])
    if not isinstance(value, PickledArray) or not value.objects or not isinstance(value.objects[0], dict):
        raise Refusal("pickle", "one dictionary of layers", "other values")
    result = {}
    for name, parts in value.objects[0].items():
        if not isinstance(parts, dict):
            raise Refusal("pickle", "a dictionary for each layer", "another value")
        name = printable(str(text(name)))
        for part, array in parts.items():
            if not isinstance(array, PickledArray) or array.numbers is None:
                raise Refusal(name, "arrays of numbers", "another value")
            result.setdefault(name, {})[text(part)] = array.numbers.astype(np.float32, copy=False)
    return result
