"""Refines corners with OpenCV: IMAGES STARTS WIDTH HEIGHT RADIUS -> x and y of each, as doubles.

IMAGES holds gray images of that size one after the other, STARTS two little-endian doubles for
each.
"""

import sys

import cv2
import numpy

images, starts, width, height, radius = sys.argv[1:]
starts = numpy.fromfile(starts, "<f8").reshape(-1, 2)
images = numpy.fromfile(images, numpy.uint8).reshape(len(starts), int(height), int(width))
window = (int(radius), int(radius))
criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4)
corners = [
    cv2.cornerSubPix(image, start.astype(numpy.float32).reshape(1, 1, 2), window, (-1, -1), criteria)
    for image, start in zip(images, starts)
]
sys.stdout.buffer.write(numpy.array(corners, "<f8").tobytes())
