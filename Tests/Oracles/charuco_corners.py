"""Finds a ChArUco board by OpenCV and prints one line for each image: number x y, and so on.

usage: charuco_corners.py COLUMNS ROWS SHARE DICTIONARY LAYOUT PATH…
"""

import sys

import cv2

columns, rows, share, name, layout = sys.argv[1:6]
dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
board = cv2.aruco.CharucoBoard((int(columns), int(rows)), 1.0, float(share), dictionary)
board.setLegacyPattern(layout == "legacy")
parameters = cv2.aruco.DetectorParameters()
parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
detector = cv2.aruco.CharucoDetector(board, detectorParams=parameters)
for path in sys.argv[6:]:
    image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    corners, numbers, _, _ = detector.detectBoard(image)
    found = [] if numbers is None else zip(numbers.flatten(), corners.reshape(-1, 2))
    print(*[f"{number} {x:.4f} {y:.4f}" for number, (x, y) in found])
