"""OpenCV's stereo calibration of given corners.

Reads the name of a file of lines: first "width height f cx cy" of the left start, then of the right
one, then "free", letters of c (principal point) and k (two radial terms) beside the focal length, or
"-" for cameras that are kept; then for each pair "pair N" and N lines "X Y ul vl ur vr" (meters,
pixels). Writes the RMS distance, then fx cx cy k1 k2 of both cameras, the translation of
rightFromLeft in meters and its rotation vector, with 17 digits.
"""
import sys

import cv2
import numpy as np

with open(sys.argv[1]) as file:
    lines = [line.split() for line in file]


def start(line):
    f, cx, cy = map(float, line[2:5])
    return np.array([[f, 0, cx], [0, f, cy], [0, 0, 1.0]])


size = (int(lines[0][0]), int(lines[0][1]))
left, right, free = start(lines[0]), start(lines[1]), lines[2][0]
boards, lefts, rights, at = [], [], [], 3
while at < len(lines):
    count = int(lines[at][1])
    rows = np.array(lines[at + 1 : at + 1 + count], dtype=np.float64)
    boards.append(np.column_stack([rows[:, :2], np.zeros(count)]).astype(np.float32))
    lefts.append(rows[:, 2:4].astype(np.float32))
    rights.append(rows[:, 4:6].astype(np.float32))
    at += 1 + count

flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST
flags |= cv2.CALIB_FIX_K3
if free == "-":
    flags |= cv2.CALIB_FIX_INTRINSIC
if "c" not in free:
    flags |= cv2.CALIB_FIX_PRINCIPAL_POINT
if "k" not in free:
    flags |= cv2.CALIB_FIX_K1 | cv2.CALIB_FIX_K2
answer = cv2.stereoCalibrate(
    boards, lefts, rights, left, np.zeros(5), right, np.zeros(5), size, flags=flags,
    criteria=(cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 1000, 1e-15))
rms, k1, d1, k2, d2, rotation, translation = answer[:7]
values = [rms]
for k, d in [(k1, d1.ravel()), (k2, d2.ravel())]:
    values += [k[0, 0], k[0, 2], k[1, 2], d[0], d[1]]
values += list(np.ravel(translation)) + list(np.ravel(cv2.Rodrigues(rotation)[0]))
print(" ".join(f"{value:.17g}" for value in values))
