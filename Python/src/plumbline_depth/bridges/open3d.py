"""Captures for Open3D, in its camera frame, which is the same: x right, y down, z forward; meters."""

from __future__ import annotations

from typing import Any

import numpy as np
import open3d

from ..capture import Capture


def point_cloud(capture: Capture, *, in_world: bool = False) -> Any:
    """The measured pixels as ``open3d.geometry.PointCloud``: positions in meters, colors 0 to 1.

    Args:
        capture: A capture whose depths are meters.
        in_world: In the world of the recording instead of the camera's frame.

    Raises:
        NotMeasurableError: The depths are relative.
        ValueError: ``in_world`` for a capture without a pose.
    """
    _ = capture.depth.meters
    points = capture.points()
    cloud = open3d.geometry.PointCloud()
    cloud.points = open3d.utility.Vector3dVector(points.xyz.astype(np.float64))
    if points.color is not None:
        cloud.colors = open3d.utility.Vector3dVector(points.color.astype(np.float64) / 255)
    if in_world:
        cloud.transform(_pose(capture))
    return cloud


def intrinsic(capture: Capture) -> Any:
    """The camera of the depth map as ``open3d.camera.PinholeCameraIntrinsic``; it has no lens distortion."""
    camera = capture.calibration
    return open3d.camera.PinholeCameraIntrinsic(
        camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy
    )


def extrinsic(capture: Capture) -> Any:
    """The camera from the world, (4, 4) float64, as Open3D's integration takes it."""
    return np.linalg.inv(_pose(capture))


def rgbd_image(capture: Capture, *, maximum_meters: float = 5.0) -> Any:
    """Color and depth as ``open3d.geometry.RGBDImage``, both at the size of the depth map.

    Color is the nearest pixel of the image; missing depth is 0, as Open3D has it.

    Args:
        capture: A capture with color, whose depths are meters.
        maximum_meters: Depths beyond are missing.
    """
    depth = np.nan_to_num(capture.depth.meters, nan=0.0)
    color = capture.color
    if color is None:
        raise ValueError("the capture has no color image")
    rows, columns = depth.shape
    # The center of each depth pixel in the image, which has the same field of view.
    at_row = ((np.arange(rows) + 0.5) * color.shape[0] / rows).astype(int)
    at_column = ((np.arange(columns) + 0.5) * color.shape[1] / columns).astype(int)
    image: Any = np.ascontiguousarray(color[at_row][:, at_column])
    map_of_depth: Any = np.ascontiguousarray(depth)
    return open3d.geometry.RGBDImage.create_from_color_and_depth(
        open3d.geometry.Image(image),
        open3d.geometry.Image(map_of_depth),
        depth_scale=1.0,
        depth_trunc=maximum_meters,
        convert_rgb_to_intensity=False,
    )


def _pose(capture: Capture) -> Any:
    if capture.pose is None:
        raise ValueError("the capture has no pose")
    return capture.pose.world_from_camera
