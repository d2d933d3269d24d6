"""Writes the gray levels of an image as OpenCV reads it: 8 bits, row after row.

usage: image_gray.py PATH
"""

import sys

import cv2

sys.stdout.buffer.write(cv2.imread(sys.argv[1], cv2.IMREAD_GRAYSCALE).tobytes())
