"""Recordings: frames in order, the same by index, by iteration and by the command; poses are rigid."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

import plumbline_depth as plumb


def test_frames_are_a_sequence(recording: Path) -> None:
    opened = plumb.open(recording)
    assert isinstance(opened, plumb.Recording) and len(opened) == 5
    times = [frame.time for frame in opened]
    assert all(time is not None for time in times) and times == sorted(times, key=lambda time: time or 0)
    assert opened[-1].time == times[4] and [frame.time for frame in opened[::2]] == times[::2]
    with pytest.raises(IndexError):
        opened[5]


def test_a_frame_is_the_same_by_each_way(recording: Path) -> None:
    by_index = plumb.open_recording(recording)[3]
    by_setting = plumb.open_capture(recording, frame=3)
    np.testing.assert_array_equal(by_index.depth.meters, by_setting.depth.meters)
    assert by_index.verdict.name == by_setting.verdict.name
    assert isinstance(plumb.open(recording, frame=3), plumb.Capture)


def test_poses_are_rigid_and_differ(recording: Path) -> None:
    poses = [frame.pose for frame in plumb.open_recording(recording)]
    positions = set()
    for pose in poses:
        assert pose is not None
        matrix = pose.world_from_camera
        # Rotations are stored as unit quaternions in float64.
        np.testing.assert_allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3), atol=1e-9)
        assert np.linalg.det(matrix[:3, :3]) == pytest.approx(1)
        np.testing.assert_array_equal(matrix[3], [0, 0, 0, 1])
        positions.add(tuple(pose.position))
    assert len(positions) == len(poses)


def test_frames_of_one_wall_meet_in_the_world(recording: Path) -> None:
    """Points of a frame, taken to the world and into the next camera, lie on that one's depths."""
    first, second = plumb.open_recording(recording)[:2]
    assert first.pose and second.pose
    second_from_first = np.linalg.inv(second.pose.world_from_camera) @ first.pose.world_from_camera
    moved = first.points().xyz @ second_from_first[:3, :3].T + second_from_first[:3, 3]
    pixel = moved @ second.K.T
    column, row = np.rint(pixel[:, :2] / pixel[:, 2:]).astype(int).T
    rows, columns = second.depth.shape
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    there = second.depth.meters[row[inside], column[inside]]
    # Half of all pixels agree within 2 % of their depth; at edges and where something is hidden they need not.
    assert np.nanmedian(np.abs(there - moved[inside, 2]) / there) < 0.02


def test_info_counts_what_iteration_gives(recording: Path) -> None:
    opened = plumb.open_recording(recording)
    assert opened.info["frames"] == opened.info["readable"] == len(opened)
    assert opened.info["poses"] == sum(frame.pose is not None for frame in opened)
    assert opened.findings.codes() == tuple(each["code"] for each in opened.info["findings"])


def test_frames_outlive_their_recording(recording: Path) -> None:
    opened = plumb.open_recording(recording)
    frame = opened[1]
    del opened
    gc.collect()
    assert np.isfinite(frame.depth.meters).any()


def test_a_photo_is_no_recording(healthy: Path) -> None:
    with pytest.raises(plumb.PlumblineError):
        plumb.open_recording(healthy.parent / "none")
    assert isinstance(plumb.open(healthy), plumb.Capture)
