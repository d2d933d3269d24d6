"""OpenCV's calibration of given corners.

Reads the name of a file of lines: first "width height fx fy cx cy free", free being letters of
f (focal, fixed aspect), a (aspect too), c (principal point), k (radial, three), p (tangential);
then for each view "view N" and N lines "X Y u v" (meters, pixels). Writes the RMS distance, fx, fy,
cx, cy, k1, k2, k3, p1 and p2 with 17 digits.
"""
import sys

import cv2
import numpy as np

with open(sys.argv[1]) as file:
    lines = [line.split() for line in file]
width, height = int(lines[0][0]), int(lines[0][1])
fx, fy, cx, cy = map(float, lines[0][2:6])
free = lines[0][6]
boards, images, at = [], [], 1
while at < len(lines):
    count = int(lines[at][1])
    rows = np.array(lines[at + 1 : at + 1 + count], dtype=np.float64)
    boards.append(np.column_stack([rows[:, :2], np.zeros(count)]).astype(np.float32))
    images.append(rows[:, 2:].astype(np.float32))
    at += 1 + count

flags = cv2.CALIB_USE_INTRINSIC_GUESS
if "a" not in free:
    flags |= cv2.CALIB_FIX_ASPECT_RATIO
if "c" not in free:
    flags |= cv2.CALIB_FIX_PRINCIPAL_POINT
if "k" not in free:
    flags |= cv2.CALIB_FIX_K1 | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3
if "p" not in free:
    flags |= cv2.CALIB_ZERO_TANGENT_DIST
matrix = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]])
answer = cv2.calibrateCamera(
    boards, images, (width, height), matrix, np.zeros(5), flags=flags,
    criteria=(cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 200, 1e-14))
rms, k, d = answer[0], answer[1], answer[2].ravel()
values = [rms, k[0, 0], k[1, 1], k[0, 2], k[1, 2], d[0], d[1], d[4], d[2], d[3]]
print(" ".join(f"{value:.17g}" for value in values))
