"""Finds a drawn board with OpenCV: IMAGE BOARD_JSON [MILLIMETERS_PER_PIXEL] -> one line.

The number of corners found, the side of a square in millimeters by the image's own resolution,
and the worst distance of a corner from a perfect grid in millimeters.
"""

import json
import sys

import cv2
import numpy
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
board = json.load(open(sys.argv[2]))
with Image.open(sys.argv[1]) as file:
    scale = float(sys.argv[3]) if len(sys.argv) > 3 else 25.4 / file.info["dpi"][0]
    image = numpy.asarray(file.convert("L"))
size = (board["columns"], board["rows"])
grid = numpy.mgrid[0 : size[0] - 1, 0 : size[1] - 1].T.reshape(-1, 2).astype(float)
if board["kind"] == "charuco":
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board["dictionary"]))
    side = board["squareMillimeters"]
    first = board["firstMarker"]
    count = size[0] * size[1] // 2
    ids = numpy.arange(first, first + count)
    charuco = cv2.aruco.CharucoBoard(size, side, board["markerMillimeters"], dictionary, ids)
    charuco.setLegacyPattern(board["layout"] == "legacy")
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(charuco).detectBoard(image)
    grid = grid[numbers.ravel()]
else:
    found, corners = cv2.findChessboardCornersSB(image, (size[0] - 1, size[1] - 1))
    if not found:
        raise SystemExit("no chessboard")
    if numpy.linalg.norm(corners[0]) > numpy.linalg.norm(corners[-1]):
        corners = corners[::-1]
criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4)
corners = cv2.cornerSubPix(image, corners.astype(numpy.float32), (5, 5), (-1, -1), criteria)
pixels = corners.reshape(-1, 2).astype(float)
# A similarity: position, side and turn, by least squares on complex numbers.
a = grid @ [1, 1j]
b = pixels @ [1, 1j]
factor = numpy.vdot(a - a.mean(), b - b.mean()) / numpy.vdot(a - a.mean(), a - a.mean())
rest = numpy.abs(b - b.mean() - factor * (a - a.mean()))
print(len(pixels), abs(factor) * scale, rest.max() * scale)
