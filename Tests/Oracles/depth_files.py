"""Depth files by OpenCV, tifffile and numpy alone: RULE:PATH … -> one JSON list.

Each: width, height, count, lower median and sum of the depths in meters, one value in the middle.
Rules: mm, tum (5000 a meter), sun (bits turned), nyu (Kinect disparity, bytes exchanged), m (meters).
"""
import json
import sys

import numpy


def meters(rule, path):
    if path.endswith((".tif", ".tiff")):
        import tifffile

        return tifffile.imread(path).astype(float)
    if path.endswith(".npy"):
        return numpy.load(path).astype(float)
    import cv2

    codes = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    assert codes.dtype == numpy.uint16, codes.dtype
    if rule == "sun":
        return ((codes >> 3) | (codes << 13)) / 1000.0
    if rule == "nyu":
        with numpy.errstate(divide="ignore"):
            return 351.3 / (1092.5 - codes.byteswap().astype(float))
    return codes / {"mm": 1000.0, "tum": 5000.0}[rule]


def facts(argument):
    rule, path = argument.split(":", 1)
    map_ = meters(rule, path)
    values = numpy.sort(map_[numpy.isfinite(map_) & (map_ > 0)].astype(numpy.float32))
    middle = map_[map_.shape[0] // 2, map_.shape[1] // 3]
    return {
        "width": map_.shape[1], "height": map_.shape[0], "count": int(values.size),
        "median": float(values[(values.size - 1) // 2]), "sum": float(values.astype(float).sum()),
        "middle": float(middle) if numpy.isfinite(middle) and middle > 0 else 0.0,
    }


print(json.dumps([facts(argument) for argument in sys.argv[1:]]))
