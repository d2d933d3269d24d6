"""Decodes QR codes that a terminal would show, with OpenCV.

    qr_codes.py FILE

FILE holds codes as lines of half blocks with a quiet zone of four modules, each followed by an empty line.
Prints a line for each: its bytes in hexadecimal. The corners are given to the decoder, since OpenCV's own
search misses some codes, those of qrencode too.
"""
import pathlib
import sys

import cv2
import numpy as np

ROWS = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
QUIET, SCALE = 4, 4

detector = cv2.QRCodeDetector()
for code in pathlib.Path(sys.argv[1]).read_text().split("\n\n"):
    if not code:
        continue
    rows = [[ROWS[block][half] for block in line] for line in code.split("\n") for half in (0, 1)]
    modules = np.array(rows, np.uint8)
    image = np.kron(modules, np.ones((SCALE, SCALE), np.uint8))
    first, last = QUIET * SCALE, (modules.shape[1] - QUIET) * SCALE - 1
    corners = np.array([[[first, first], [last, first], [last, last], [first, last]]], np.float32)
    print(detector.decodeBytes(image, corners)[0].hex())
