"""Real maps for the evaluation of hole filling, and what OpenCV's inpaint makes of holes.

    hole_filling.py load NAME           prints rows of: width height (int32), float32 meters, RGB bytes
    hole_filling.py inpaint W H DEPTH   prints Telea's and Navier-Stokes' maps as float32 meters

NaN means missing. `NAME` is a path inside the data folder (argument after it).
"""

import os
import sys

import cv2
import numpy as np


def load(name, folder):
    path = os.path.join(folder, name)
    if name.startswith("noisy-rgbd"):
        codes = cv2.imread(os.path.join(path, "raw_depth.png"), cv2.IMREAD_UNCHANGED)
        color = next(
            os.path.join(path, n) for n in ("rgb.png", "rgb.jpg")
            if os.path.exists(os.path.join(path, n))
        )
        depth = codes.astype(np.float32) / 1000
        color = cv2.imread(color)
        # The middle: a debug build looks at a quarter of the pixels.
        depth, color = depth[120:360, 160:480], color[120:360, 160:480]
    elif name.startswith("lidar/promptda"):
        codes = cv2.imread(os.path.join(path, "arkit_depth.png"), cv2.IMREAD_UNCHANGED)
        depth = codes.astype(np.float32) / 1000
        size = depth.shape[::-1]
        color = cv2.resize(
            cv2.imread(os.path.join(path, "image.jpg")), size, interpolation=cv2.INTER_AREA
        )
    else:
        raw = open(path, "rb").read()
        start = raw.index(b"end_header\n") + len(b"end_header\n")
        header = raw[:start].decode("latin1")
        start += int(header.split("element metadata ")[1].split("\n")[0])
        pixels = int(header.split("element depth ")[1].split("\n")[0])
        width, height = 320, pixels // 320
        rgb = np.frombuffer(raw, np.float32, 3 * pixels, start).reshape(height, width, 3)
        depth = np.frombuffer(raw, np.float32, pixels, start + 12 * pixels)
        depth = depth.reshape(height, width).copy()
        color = np.clip(rgb[..., ::-1] * (255 if rgb.max() <= 1.5 else 1), 0, 255)
        color = color.astype(np.uint8)
    depth = depth.copy()
    depth[~((depth > 0) & (depth < 100))] = np.nan
    out = sys.stdout.buffer
    out.write(np.array(depth.shape[::-1], np.int32).tobytes())
    out.write(depth.astype(np.float32).tobytes())
    out.write(np.ascontiguousarray(color[..., ::-1]).tobytes())


def inpaint(width, height, path):
    depth = np.fromfile(path, np.float32).reshape(height, width)
    # In millimeters: Telea's rule for float pixels rounds to whole numbers (OpenCV 5.0).
    holes = (~np.isfinite(depth)).astype(np.uint8)
    source = np.nan_to_num(depth * 1000).astype(np.float32)
    for method in (cv2.INPAINT_TELEA, cv2.INPAINT_NS):
        result = cv2.inpaint(source, holes, 3, method)
        sys.stdout.buffer.write((result / 1000).astype(np.float32).tobytes())


if sys.argv[1] == "load":
    load(sys.argv[2], sys.argv[3])
else:
    inpaint(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
