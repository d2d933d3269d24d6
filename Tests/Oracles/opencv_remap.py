"""Lets OpenCV resample an image by a map: usage: opencv_remap.py IMAGE MAP WIDTH HEIGHT.

IMAGE holds RGB bytes, MAP pairs of float32, both row after row. Writes RGB bytes.
"""

import sys

import cv2
import numpy


def main():
    width, height = int(sys.argv[3]), int(sys.argv[4])
    image = numpy.fromfile(sys.argv[1], numpy.uint8).reshape(height, width, 3)
    positions = numpy.fromfile(sys.argv[2], "<f4").reshape(height, width, 2)
    result = cv2.remap(
        image, positions[..., 0].copy(), positions[..., 1].copy(), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=0,
    )
    sys.stdout.buffer.write(result.tobytes())


main()
