"""Finds a chessboard with OpenCV: FILE COLUMNS ROWS (of inner corners).

One line "width height corners", the gray pixels, then x and y of each corner as doubles.
"""

import sys

import cv2
import numpy

image = cv2.imread(sys.argv[1], cv2.IMREAD_GRAYSCALE)
found, corners = cv2.findChessboardCorners(image, (int(sys.argv[2]), int(sys.argv[3])))
if found:
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4)
    corners = cv2.cornerSubPix(image, corners, (5, 5), (-1, -1), criteria).reshape(-1, 2)
else:
    corners = numpy.zeros((0, 2))
height, width = image.shape
sys.stdout.buffer.write(f"{width} {height} {len(corners)}\n".encode())
sys.stdout.buffer.write(image.tobytes())
sys.stdout.buffer.write(corners.astype("<f8").tobytes())
