"""Lets OpenCV find the relative pose of two cameras: usage: relative_pose.py FOCAL CX CY PIXELS FILE.

FILE holds rows `leftX leftY rightX rightY`, in pixels. Prints the rotation's nine numbers row by row,
the translation's three and the count of points that agree as JSON on one line.
"""

import json
import sys

import cv2
import numpy


def main():
    focal, x, y, pixels = (float(word) for word in sys.argv[1:5])
    points = numpy.loadtxt(sys.argv[5]).reshape(-1, 4)
    matrix = numpy.array([[focal, 0, x], [0, focal, y], [0, 0, 1]])
    left, right = points[:, :2].copy(), points[:, 2:].copy()
    cv2.setRNGSeed(1)
    essential, mask = cv2.findEssentialMat(
        left, right, matrix, method=cv2.USAC_MAGSAC, prob=0.9999, threshold=pixels
    )
    count, rotation, translation, _ = cv2.recoverPose(
        essential, left, right, matrix, mask=mask
    )
    print(json.dumps([rotation.ravel().tolist(), translation.ravel().tolist(), int(count)]))


main()
