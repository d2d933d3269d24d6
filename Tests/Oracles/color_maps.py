"""Prints OpenCV's table of a color map: 256 times red, green, blue as bytes, from code 0 to 255."""

import sys

import cv2
import numpy as np

codes = np.arange(256, dtype=np.uint8).reshape(1, 256)
colors = cv2.applyColorMap(codes, getattr(cv2, "COLORMAP_" + sys.argv[1].upper()))
sys.stdout.buffer.write(cv2.cvtColor(colors, cv2.COLOR_BGR2RGB).tobytes())
