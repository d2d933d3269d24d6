"""Bridges: what other packages get is what the capture has, and none is imported unless asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plumbline_depth as plumb

OTHERS = ["cv2", "fsspec", "open3d", "pandas", "pyarrow", "ray", "rerun", "torch", "tqdm"]


def test_no_other_package_is_imported_by_itself(healthy: Path) -> None:
    code = f"import sys, plumbline_depth as p; p.open({str(healthy)!r}).verdict; print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(OTHERS).isdisjoint(printed)


def test_numpy_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, plumbline_depth; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_open3d_projects_what_the_camera_saw(healthy: Path) -> None:
    pytest.importorskip("open3d")
    from plumbline_depth.bridges import open3d as bridge

    photo = plumb.open_capture(healthy)
    cloud = bridge.point_cloud(photo)
    np.testing.assert_allclose(np.asarray(cloud.points), photo.points().xyz)
    assert cloud.has_colors()
    np.testing.assert_array_equal(bridge.intrinsic(photo).intrinsic_matrix, photo.K)
    image = bridge.rgbd_image(photo, maximum_meters=100)
    depth = np.asarray(image.depth)
    np.testing.assert_array_equal(depth[depth > 0], photo.depth.meters[np.isfinite(photo.depth.meters)])
    assert np.asarray(image.color).shape == (*depth.shape, 3)


def test_open3d_places_frames_in_the_world(recording: Path) -> None:
    pytest.importorskip("open3d")
    from plumbline_depth.bridges import open3d as bridge

    frame = plumb.open_recording(recording)[2]
    assert frame.pose is not None
    in_camera, in_world = bridge.point_cloud(frame), bridge.point_cloud(frame, in_world=True)
    in_camera.transform(frame.pose.world_from_camera)
    np.testing.assert_allclose(np.asarray(in_world.points), np.asarray(in_camera.points))
    np.testing.assert_allclose(bridge.extrinsic(frame) @ frame.pose.world_from_camera, np.eye(4), atol=1e-12)


def test_opencv_has_the_same_pixels(healthy: Path) -> None:
    cv2 = pytest.importorskip("cv2")
    from plumbline_depth.bridges import opencv as bridge

    photo = plumb.open_capture(healthy)
    color, points = photo.color, photo.points()
    assert color is not None
    np.testing.assert_array_equal(bridge.bgr(photo), color[..., ::-1])
    millimeters = bridge.depth_millimeters(photo)
    measured = np.isfinite(photo.depth.meters)
    assert (millimeters[~measured] == 0).all()
    # Whole millimeters.
    assert np.abs(millimeters[measured] / 1000 - photo.depth.meters[measured]).max() <= 0.0005 + 1e-6
    # Points are free from distortion, and so are the pixels that the matrix gives; rays say the same.
    pixels, _ = cv2.projectPoints(
        points.xyz[::999].astype(float), np.zeros(3), np.zeros(3), bridge.camera_matrix(photo), None
    )
    row, column = np.rint(points.pixel[::999, ::-1]).astype(int).T
    expected = photo.rays[row, column] * [photo.K[0, 0], photo.K[1, 1]] + photo.K[:2, 2]
    # Float32 rays times 567 pixels: 1e-4 pixels.
    np.testing.assert_allclose(pixels[:, 0], expected, atol=1e-3)
    of_color = bridge.camera_matrix(photo, of_color=True)
    # Both have one field of view, so the borders of the image keep their rays.
    for matrix, width in ((photo.K, photo.calibration.width), (of_color, color.shape[1])):
        left, right = (-0.5 - matrix[0, 2]) / matrix[0, 0], (width - 0.5 - matrix[0, 2]) / matrix[0, 0]
        expected_left = (-0.5 - photo.K[0, 2]) / photo.K[0, 0]
        assert left == pytest.approx(expected_left) and right > left


def test_torch_dataset(healthy: Path, recording: Path) -> None:
    torch = pytest.importorskip("torch")
    from plumbline_depth.bridges.torch import DepthDataset

    data = DepthDataset(photos=[healthy], recordings=[recording])
    assert len(data) == 6
    photo, frame = data[0], data[3]
    capture = plumb.open_capture(recording, frame=2)
    measured = np.isfinite(capture.depth.meters)
    assert frame["valid"].numpy().tolist() == measured.tolist()
    np.testing.assert_array_equal(frame["depth"].numpy()[measured], capture.depth.meters[measured])
    assert photo["color"].shape[0] == 3 and "world_from_camera" not in photo
    assert frame["world_from_camera"].dtype == torch.float32
    loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=1, multiprocessing_context="spawn")
    np.testing.assert_array_equal(next(iter(loader))["depth"].numpy(), photo["depth"].numpy())


def test_rerun_takes_a_recording(recording: Path, tmp_path: Path) -> None:
    rerun: Any = pytest.importorskip("rerun")
    from plumbline_depth.bridges import rerun as bridge

    stream = rerun.RecordingStream("plumbline-test")
    stream.save(str(tmp_path / "a.rrd"))
    bridge.log_recording(plumb.open_recording(recording), every=2, stream=stream)
    stream.flush()
    del stream
    assert (tmp_path / "a.rrd").stat().st_size > 100_000


def test_tables_of_findings_and_measurements(healthy: Path, relative: Path) -> None:
    pytest.importorskip("pandas")
    from plumbline_depth.bridges import pandas as bridge

    captures = [plumb.open_capture(healthy), plumb.open_capture(relative)]
    table = bridge.findings(captures)
    assert list(table["code"]) == [finding.code for each in captures for finding in each.findings]
    assert table["z_millimeters"].dtype == "float64"
    assert list(bridge.findings([]).columns) == list(table.columns)
    numbers = captures[0].measure(point=[(500, 700)])
    assert list(bridge.measurements(numbers)["value"]) == [each.value for each in numbers]


def test_captures_of_a_store(healthy: Path, recording: Path) -> None:
    fsspec: Any = pytest.importorskip("fsspec")
    from plumbline_depth.bridges import fsspec as bridge

    store = fsspec.filesystem("memory")
    store.pipe("/bucket/photo.jpg", healthy.read_bytes())
    store.pipe("/bucket/scan.mcap", recording.read_bytes())
    photo = bridge.open_capture("memory://bucket/photo.jpg")
    assert photo.verdict.file == "photo.jpg"
    np.testing.assert_array_equal(photo.depth.meters, plumb.open_capture(healthy).depth.meters)
    with bridge.opened_recording("memory://bucket/scan.mcap") as opened:
        assert len(opened) == 5
