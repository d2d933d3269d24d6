"""Pixels of a PNG by OpenCV: path -> bytes, gray little-endian or RGB."""
import sys

import cv2

image = cv2.imread(sys.argv[1], cv2.IMREAD_UNCHANGED)
if image.ndim == 3:
    image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
sys.stdout.buffer.write(image.tobytes())
