"""Refines corners with OpenCV: PICTURES STARTS WIDTH HEIGHT RADIUS -> x and y of each, as doubles.

PICTURES holds gray pictures of that size one after the other, STARTS two little-endian doubles for
each.
"""

import sys

import cv2
import numpy

pictures, starts, width, height, radius = sys.argv[1:]
starts = numpy.fromfile(starts, "<f8").reshape(-1, 2)
pictures = numpy.fromfile(pictures, numpy.uint8).reshape(len(starts), int(height), int(width))
window = (int(radius), int(radius))
criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4)
corners = [
    cv2.cornerSubPix(picture, start.astype(numpy.float32).reshape(1, 1, 2), window, (-1, -1), criteria)
    for picture, start in zip(pictures, starts)
]
sys.stdout.buffer.write(numpy.array(corners, "<f8").tobytes())
