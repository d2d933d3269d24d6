"""Captures: arrays without a copy that agree with each other, and a verdict that is the command's."""

from __future__ import annotations

import gc
import json
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest

import plumbline_depth as plumb
from plumbline_depth.arrays import Memory
from plumbline_depth.program import program_path

from .conftest import DEMO

SHAPES = {
    "depth": (np.float32, 2),
    "depth.sigma": (np.float32, 2),
    "depth.stored": (np.float32, 2),
    "depth.invented": (np.uint8, 2),
    "confidence": (np.uint8, 2),
    "color": (np.uint8, 3),
    "rays": (np.float32, 3),
    "points": (np.float32, 2),
    "points.color": (np.uint8, 2),
    "points.sigma": (np.float32, 1),
    "points.pixel": (np.float32, 2),
}


@pytest.mark.skipif(not Path("/proc/self/io").is_file(), reason="/proc tells how many bytes were read on Linux only")
def test_a_file_is_opened_with_one_reading(healthy: Path) -> None:
    def bytes_read() -> int:
        return int(Path("/proc/self/io").read_text().split()[1])

    plumb.open(healthy)
    before = bytes_read()
    plumb.open(healthy)
    size = healthy.stat().st_size
    assert size <= bytes_read() - before < 1.5 * size


@pytest.mark.parametrize("name", ["healthy-truedepth.jpg", "untrusted-calibration.jpg"])
def test_verdict_is_that_of_the_command(name: str) -> None:
    printed = subprocess.run([str(program_path()), "check", "--json", name], cwd=DEMO, capture_output=True, check=False)
    document = json.loads(printed.stdout)
    verdict = plumb.open_capture(DEMO / name).verdict
    assert dict(verdict.document) == {**document, "outputs": verdict.document["outputs"]}
    assert verdict.findings.codes() == tuple(each["code"] for each in document["findings"])
    assert verdict.is_measurable == (printed.returncode == 0)


def test_own_measurements_of_devices_are_those_of_the_command(healthy: Path, tmp_path: Path) -> None:
    focal = dict(factoryPixels=755.35, measuredPixels=762.9, sigmaPixels=0.8, lens="focal")
    kind = dict(camera="trueDepth", api="photo", rectified=False, referenceWidth=2316, referenceHeight=3088)
    measurement = dict(
        schema="plumbline.device-measurement/1",
        program="a test",
        month=None,
        device=dict(make="Apple", model="iPhone 12", os=None, **kind),
        image=dict(width=640, height=480),
        focal=focal,
        factory=None,
        measured=dict(
            depthMillimeters=0, depthSigmaMillimeters=1, distanceMillimeters=240, lengthPercent=0, lengthSigmaPercent=1
        ),
        frames=20,
        board=dict(kind="charuco", columns=10, rows=8, squareMillimeters=20.0, dictionary="DICT_ARUCO_ORIGINAL"),
    )
    catalog = tmp_path / "devices.json"
    catalog.write_text(json.dumps({"schema": "plumbline.own-devices/1", "measurements": [measurement]}))
    printed = subprocess.run(
        [str(program_path()), "check", "--json", "--catalog", str(catalog), str(healthy)],
        capture_output=True,
        check=False,
    )
    findings = plumb.open_capture(healthy, catalog=catalog).verdict.document["findings"]
    assert findings == json.loads(printed.stdout)["findings"]
    assert findings != plumb.open_capture(healthy).verdict.document["findings"]


def test_the_verdict_reads_as_check_prints_it(healthy: Path) -> None:
    photo = plumb.open_capture(healthy)
    printed = subprocess.run(
        [str(program_path()), "check", str(healthy)], capture_output=True, text=True, check=False
    ).stdout.splitlines()
    assert repr(photo).splitlines() == printed[:2]
    for finding in photo.verdict.findings:
        line, evidence = repr(finding).splitlines()[:2]
        assert "  " + line in printed
        assert "  " + evidence in printed


def test_arrays_have_the_shapes_that_are_documented(healthy: Path) -> None:
    photo = plumb.open_capture(healthy)
    assert {"depth", "depth.sigma", "points"} <= set(photo.array_names)
    for name in photo.array_names:
        array = photo.array(name)
        if name.startswith("matte."):
            assert (array.dtype, array.ndim) == (np.uint8, 2)
        else:
            assert (array.dtype.type, array.ndim) == SHAPES[name]
    assert photo.depth.sigma.shape == photo.depth.shape == photo.rays.shape[:2]
    assert set(photo.mattes) == {name[6:] for name in photo.array_names if name.startswith("matte.")}


def test_arrays_are_views_of_one_memory(healthy: Path) -> None:
    photo = plumb.open_capture(healthy)
    for name in photo.array_names:
        first, second = photo.array(name), photo.array(name)
        assert first.ctypes.data == second.ctypes.data
        assert isinstance(first.base, Memory)
        assert not first.flags.owndata and not first.flags.writeable


def test_arrays_outlive_their_capture(healthy: Path) -> None:
    photo = plumb.open_capture(healthy)
    view = photo.depth.values[::7, ::3]
    expected = view.copy()
    del photo
    gc.collect()
    # Captures that take the memory, if it was freed.
    _ = [plumb.open_capture(healthy).depth.values.sum() for _ in range(3)]
    np.testing.assert_array_equal(view, expected)


def test_points_are_the_measured_pixels_on_their_rays(healthy: Path) -> None:
    photo = plumb.open_capture(healthy)
    points, depth, rays = photo.points(), photo.depth.meters, photo.rays
    assert len(points) == np.isfinite(depth).sum()
    column, row = np.rint(points.pixel).astype(int).T
    np.testing.assert_array_equal(points.xyz[:, 2], depth[row, column])
    # Float32 products of numbers below 2 m: three roundings are below 1 µm.
    np.testing.assert_allclose(points.xyz[:, :2], rays[row, column] * depth[row, column, None], atol=1e-6)
    np.testing.assert_array_equal(points.sigma, photo.depth.sigma[row, column])


def test_the_camera_is_that_of_the_verdict(healthy: Path) -> None:
    photo = plumb.open_capture(healthy)
    stated = photo.verdict.document["calibration"]
    np.testing.assert_allclose(
        photo.K, [[stated["fx"], 0, stated["cx"]], [0, stated["fy"], stated["cy"]], [0, 0, 1]], rtol=1e-9
    )
    assert (photo.calibration.height, photo.calibration.width) == photo.depth.shape
    assert photo.pose is None and photo.time is None


def test_bytes_and_path_give_the_same(healthy: Path) -> None:
    by_path, by_bytes = plumb.open_capture(healthy), plumb.read(memoryview(healthy.read_bytes()), healthy.name)
    for name in by_path.array_names:
        np.testing.assert_array_equal(by_path.array(name), by_bytes.array(name))
    assert by_path.verdict.document["sha256"] == by_bytes.verdict.document["sha256"]


def test_relative_depths_are_not_called_meters(relative: Path) -> None:
    photo = plumb.open_capture(relative)
    assert not photo.verdict.is_measurable and not photo.depth.is_metric
    with pytest.raises(plumb.NotMeasurableError, match="relative"):
        _ = photo.depth.meters
    assert np.isfinite(photo.depth.values).any()


def test_known_distances_make_relative_depths_meters(relative: Path) -> None:
    stored = plumb.open_capture(relative).depth.values
    near, far = (np.unravel_index(find(stored), stored.shape) for find in (np.nanargmin, np.nanargmax))
    known = [f"depth:{column},{row}={meters}" for (row, column), meters in ((near, 0.4), (far, 1.2))]
    photo = plumb.open_capture(relative, known_distances=known)
    assert photo.depth.is_metric
    # What is fitted is the depth around a pixel: the nearest and the farthest differ from it by less than 2 %.
    assert photo.depth.meters[near] == pytest.approx(0.4, rel=0.02)
    assert photo.depth.meters[far] == pytest.approx(1.2, rel=0.02)


def test_threads_share_a_capture(healthy: Path) -> None:
    expected = plumb.open_capture(healthy)
    photo = plumb.open_capture(healthy)
    sums: Dict[str, List[bytes]] = {name: [] for name in expected.array_names}

    def work(names: List[str]) -> None:
        for name in names:
            sums[name].append(photo.array(name).tobytes())

    names = list(expected.array_names)
    threads = [threading.Thread(target=work, args=(names[start:] + names[:start],)) for start in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in names:
        assert set(sums[name]) == {expected.array(name).tobytes()} and len(sums[name]) == 6


def test_other_threads_run_while_the_library_computes(healthy: Path) -> None:
    """With so long a switch interval another thread runs only where the lock is given up."""
    count, ending, interval = [0], threading.Event(), sys.getswitchinterval()

    def work() -> None:
        while not ending.is_set():
            count[0] += 1
            time.sleep(0)

    other = threading.Thread(target=work)
    sys.setswitchinterval(1e6)
    try:
        other.start()
        photo = plumb.open_capture(healthy)
        before = count[0]
        photo.array("points")
        assert count[0] > before
    finally:
        ending.set()
        sys.setswitchinterval(interval)
        other.join()


def test_a_capture_says_that_it_cannot_be_pickled(healthy: Path) -> None:
    with pytest.raises(TypeError, match="path"):
        pickle.dumps(plumb.open_capture(healthy))


def test_an_array_that_is_not_there(healthy: Path) -> None:
    photo: Any = plumb.open(healthy)
    assert photo.confidence is None
    with pytest.raises(plumb.UnusableInputError):
        photo.array("confidence")
