"""Keyword arguments as the library and the command take settings.

Both take the names of the command's long options. A Python name has ``_`` where an option has ``-``:
``depth_unit="mm"`` is the option ``depth-unit``. ``None`` and ``False`` leave a setting out.
"""

from __future__ import annotations

import json
import numbers
import os
from typing import Any, List, Mapping, Sequence, Tuple, Union

#: A path of a file or folder.
StrPath = Union[str, "os.PathLike[str]"]

#: A setting: a number, a text, a path, a place, or a list of them for an option that may be repeated.
Setting = Any

#: Distances that you measured: meters by pixel of the photo as shown, or texts such as ``"depth:3,4=0.5"``.
KnownDistances = Union[Mapping[Tuple[float, float], float], Sequence[str]]


def settings_json(settings: Mapping[str, Setting]) -> bytes:
    """The settings as the JSON object that the library takes."""
    named = {_option_name(name): _json_value(name, value) for name, value in settings.items() if _is_given(value)}
    return json.dumps(named).encode()


def arguments(settings: Mapping[str, Setting]) -> List[str]:
    """The settings as arguments of the command: ``--name=value``, repeated for lists."""
    given: List[str] = []
    for name, value in settings.items():
        option = "--" + _option_name(name)
        if value is True:
            given.append(option)
        elif _is_given(value):
            values = value if isinstance(value, list) else [value]
            given += [f"{option}={_text(name, each)}" for each in values]
    return given


def known_distance_texts(distances: "KnownDistances | None") -> "List[str] | None":
    """Known distances as the option takes them, such as ``812,1304=0.5``."""
    if distances is None:
        return None
    if isinstance(distances, str):
        return [distances]
    if isinstance(distances, Mapping):
        return [f"{_numbers(pixel)}={_number(meters)}" for pixel, meters in distances.items()]
    return [str(each) for each in distances]


def place_text(place: Setting) -> str:
    """A place or several of them, as the options of ``measure`` take them.

    Args:
        place: A text, which stays as it is; a tuple of two numbers is a pixel ``X,Y``, of three a point
            ``X,Y,Z`` in meters, of four a rectangle ``X,Y,WxH``, of six a box ``X,Y,Z,WxHxD``; a tuple of
            tuples is places joined by colons.
    """
    if not isinstance(place, tuple):
        return str(place)
    if place and isinstance(place[0], (tuple, str)):
        return ":".join(place_text(each) for each in place)
    sizes = {2: 2, 3: 3, 4: 2, 6: 3}
    if len(place) not in sizes:
        raise ValueError(f"a place has 2, 3, 4 or 6 numbers, not {len(place)}: {place}")
    start = sizes[len(place)]
    text = _numbers(place[:start])
    return text if len(place) == start else text + "," + "x".join(_number(each) for each in place[start:])


def _option_name(name: str) -> str:
    return name.replace("_", "-")


def _is_given(value: Setting) -> bool:
    return value is not None and value is not False


def _json_value(name: str, value: Setting) -> Any:
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, numbers.Real):
        # Scalars of numpy are numbers too, but not of JSON.
        return int(value) if isinstance(value, numbers.Integral) else float(value)
    if isinstance(value, list):
        return [_json_value(name, each) for each in value]
    return _text(name, value)


def _text(name: str, value: Setting) -> str:
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, tuple):
        # Ranges are two numbers with a colon, and so are not pixels.
        if name.endswith("_range"):
            return ":".join(_number(each) for each in value)
        return place_text(value)
    return _number(float(value)) if isinstance(value, numbers.Real) else str(value)


def _numbers(values: Sequence[float]) -> str:
    return ",".join(_number(each) for each in values)


def _number(value: float) -> str:
    # Numbers of numpy are made Python's, whose text is the number alone.
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
