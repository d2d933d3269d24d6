"""Lets OpenCV read a calibration, or use it: usage: opencv_calibration.py read PATH | points PATH.

`read` prints matrix, terms and size as JSON on one line. `points` undoes the distortion of a grid of
pixels and writes them as float64 pairs, low byte first.
"""

import json
import sys

import cv2
import numpy


def main():
    action, path = sys.argv[1:3]
    storage = cv2.FileStorage(path, cv2.FILE_STORAGE_READ)
    matrix = storage.getNode("camera_matrix").mat()
    terms = storage.getNode("distortion_coefficients").mat()
    size = [int(storage.getNode(name).real()) for name in ("image_width", "image_height")]
    if action == "read":
        print(json.dumps([matrix.ravel().tolist(), terms.ravel().tolist(), size]))
        return
    columns, rows = numpy.meshgrid(
        numpy.linspace(0, size[0] - 1, 9), numpy.linspace(0, size[1] - 1, 7)
    )
    grid = numpy.stack((columns, rows), axis=-1).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 200, 1e-12)
    moved = cv2.undistortPoints(grid, matrix, terms, P=matrix, criteria=criteria)
    sys.stdout.buffer.write(moved.astype("<f8").tobytes())


main()
