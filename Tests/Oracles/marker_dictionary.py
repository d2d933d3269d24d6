"""Prints OpenCV's predefined marker sets, or the markers of a ChArUco board.

usage: marker_dictionary.py sets NAME…   a line for each: side, correction, one word a marker
       marker_dictionary.py board COLUMNS ROWS LEGACY SHARE   id, then four corners x y, a line
"""

import sys

import cv2


def predefined(*names):
    for name in names:
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
        answer = [dictionary.markerSize, dictionary.maxCorrectionBits]
        for marker in range(len(dictionary.bytesList)):
            cells = cv2.aruco.Dictionary.getBitsFromByteList(
                dictionary.bytesList[marker : marker + 1], dictionary.markerSize
            )
            answer.append(int("".join(str(int(cell)) for cell in cells.flatten()), 2))
        print(*answer)


def board(columns, rows, legacy, share):
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_ORIGINAL)
    board = cv2.aruco.CharucoBoard((int(columns), int(rows)), 1.0, float(share), dictionary)
    board.setLegacyPattern(legacy == "legacy")
    for marker, corners in zip(board.getIds().flatten(), board.getObjPoints()):
        print(marker, *[f"{value:.6f}" for x, y, _ in corners for value in (x, y)])


{"sets": predefined, "board": board}[sys.argv[1]](*sys.argv[2:])
