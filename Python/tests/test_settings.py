"""Keyword arguments become the settings of the library and the arguments of the command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline_depth.settings import arguments, known_distance_texts, place_text, settings_json

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)


def test_names_and_values() -> None:
    given = dict(depth_unit="mm", metric=True, upright=False, frame=3, poses=Path("a b.json"), threads=None)
    assert json.loads(settings_json(given)) == {"depth-unit": "mm", "metric": True, "frame": 3, "poses": "a b.json"}
    assert arguments(given) == ["--depth-unit=mm", "--metric", "--frame=3", "--poses=a b.json"]


def test_lists_repeat_an_option() -> None:
    assert arguments({"need": ["1%", "2mm@1m"]}) == ["--need=1%", "--need=2mm@1m"]
    assert json.loads(settings_json({"need": ["1%"]})) == {"need": ["1%"]}


def test_zero_is_a_setting() -> None:
    assert arguments({"frame": 0, "voxel": 0.0}) == ["--frame=0", "--voxel=0"]


def test_places() -> None:
    assert place_text(((812, 1304), (1630, 1290.5))) == "812,1304:1630,1290.5"
    assert place_text(((3, 4), (10, 20, 30, 40))) == "3,4:10,20,30x40"
    assert place_text((0.1, 0, 0.8, 1, 0.6, 0.3)) == "0.1,0,0.8,1x0.6x0.3"
    assert place_text(("depth:3,4", (5, 6))) == "depth:3,4:5,6"
    assert place_text("all") == "all"
    with pytest.raises(ValueError, match="5"):
        place_text((1, 2, 3, 4, 5))


def test_ranges_are_not_pixels() -> None:
    assert arguments({"depth_range": (0.2, 3)}) == ["--depth-range=0.2:3"]


@given(NUMBERS, NUMBERS, NUMBERS)
def test_numbers_come_back_as_they_were(x: float, y: float, meters: float) -> None:
    (text,) = known_distance_texts({(x, y): meters}) or []
    pixel, _, distance = text.partition("=")
    assert [float(each) for each in pixel.split(",")] == [x, y]
    assert float(distance) == meters


def test_numbers_of_numpy() -> None:
    assert place_text((np.int64(3), np.float32(0.5))) == "3,0.5"
    assert arguments({"every": np.int64(10)}) == ["--every=10"]
    assert settings_json({"every": np.int64(10), "voxel": np.float64(0.5)}) == b'{"every": 10, "voxel": 0.5}'
