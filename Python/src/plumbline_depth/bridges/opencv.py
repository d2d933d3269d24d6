"""Captures for OpenCV, whose pixels and camera frame are the same."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from ..capture import Capture


def bgr(capture: Capture) -> Any:
    """The image as OpenCV has it: (h, w, 3) uint8, blue first; a copy.

    Raises:
        ValueError: The capture has no color image.
    """
    color = capture.color
    if color is None:
        raise ValueError("the capture has no color image")
    return cv2.cvtColor(color, cv2.COLOR_RGB2BGR)


def depth_millimeters(capture: Capture) -> Any:
    """Depths as (H, W) uint16 in millimeters, rounded; 0 is missing, and so is what is beyond 65.535 m."""
    meters = capture.depth.meters
    millimeters = np.rint(np.nan_to_num(meters, nan=0.0).astype(np.float64) * 1000)
    return np.where(millimeters > 65535, 0, millimeters).astype(np.uint16)


def camera_matrix(capture: Capture, *, of_color: bool = False) -> Any:
    """The camera matrix, (3, 3) float64, pixels of the depth map, or of the image with ``of_color``.

    OpenCV's (0, 0) is the center of the first pixel too.
    """
    matrix = capture.K
    color = capture.color
    if not of_color or color is None:
        return matrix
    camera = capture.calibration
    scale_x, scale_y = color.shape[1] / camera.width, color.shape[0] / camera.height
    matrix[0] = [camera.fx * scale_x, 0, (camera.cx + 0.5) * scale_x - 0.5]
    matrix[1] = [0, camera.fy * scale_y, (camera.cy + 0.5) * scale_y - 0.5]
    return matrix
