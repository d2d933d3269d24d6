"""ChArUco boards in 640×480 images: Plumbline and OpenCV on one thread in one run.

Prints one JSON document. On simulated images the distance to the truth is measured, on real
frames the number of corners and the distance between the two; then both are timed in turns.
"""

import argparse
import glob
import json
import os
import tempfile

import cv2
import numpy as np

from board_images import board_image
from plumbline_process import PlumblineProcess
from rounds import summary, timed

SEED = 20260101
# The board of the ZEISS frames, and one of a usual dictionary.
BOARDS = [(10, 8, 0.5, "DICT_ARUCO_ORIGINAL", True), (9, 7, 0.75, "DICT_5X5_100", False)]


class Contender:
    """One detector, given one image after the other."""

    def __init__(self, plumbline, folder, board):
        columns, rows, share, name, legacy = board
        self.plumbline, self.path = plumbline, os.path.join(folder, "luma.raw")
        plumbline.ask("board", columns, rows, name, share)
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
        opencv = cv2.aruco.CharucoBoard((columns, rows), 1.0, share, dictionary)
        opencv.setLegacyPattern(legacy)
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        self.opencv = cv2.aruco.CharucoDetector(opencv, detectorParams=parameters)

    def measure(self, image, calls):
        """Corners and times of both, the image in memory before."""
        image.tofile(self.path)
        self.plumbline.ask("load", self.path, image.shape[1], image.shape[0])
        ours = self.plumbline.times("detect", calls + 1)[1:]
        corners = self.plumbline.ask("corners")["corners"]
        theirs = timed(lambda: self.opencv.detectBoard(image))(calls + 1)[1:]
        found, numbers, _, _ = self.opencv.detectBoard(image)
        numbers = [] if numbers is None else numbers.flatten()
        opencv = {int(n): p for n, p in zip(numbers, np.reshape(found, (-1, 2)))} if len(numbers) else {}
        return {int(n): np.array([x, y]) for n, x, y in corners}, opencv, ours, theirs


def distances(a, b):
    return [float(np.linalg.norm(a[number] - b[number])) for number in a if number in b]


def mean(values):
    return sum(values) / len(values) if values else None


def group(work, images, contender, calls):
    """Times, corners and errors over images; each is a pair of pixels and truth or None."""
    times, corners, errors = {}, {}, {}
    apart, fewer, count = [], 0, 0
    for image, truth in images:
        ours, opencv, our_times, opencv_times = contender.measure(image, calls)
        count += 1
        fewer += len(ours) < len(opencv)
        apart += distances(opencv, ours)
        for name, found, used in [
            ("Plumbline", ours, our_times), ("OpenCV, 1 thread", opencv, opencv_times)
        ]:
            times.setdefault(name, []).extend(used)
            corners[name] = corners.get(name, 0) + len(found)
            errors.setdefault(name, []).extend(distances(found, truth) if truth else [])
    return {
        "work": f"{work}, {count} images",
        "reference": "Plumbline",
        "corners": corners,
        "images_with_fewer_corners_than_opencv": fewer,
        "mean_distance_between_both_pixels": mean(apart),
        "mean_error_pixels": {name: mean(values) for name, values in errors.items()},
        "times": {name: summary(values) for name, values in times.items()},
    }


def frames(folder, quick):
    paths = sorted(glob.glob(os.path.join(folder, "*", "*", "rgb_*.png")))
    for path in paths[:: 10 if quick else 1]:
        yield cv2.imread(path, cv2.IMREAD_GRAYSCALE), None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--frames", help="the folder of the ZEISS dataset")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    plumbline = PlumblineProcess(options.executable)
    groups = []
    calls = 2 if options.quick else 5
    with tempfile.TemporaryDirectory() as folder:
        for board in BOARDS:
            images = [board_image(SEED + n, *board) for n in range(6 if options.quick else 24)]
            work = f"simulated board of {board[0]}×{board[1]} squares, {board[3]}, 640×480"
            groups.append(group(work, images, Contender(plumbline, folder, board), calls))
        if options.frames:
            contender = Contender(plumbline, folder, BOARDS[0])
            images = frames(options.frames, options.quick)
            groups.append(group("ZEISS TrueDepth frames, 640×480", images, contender, calls))
    plumbline.close()
    print(json.dumps({"groups": groups, "versions": {"numpy": np.__version__, "OpenCV": cv2.__version__}}))


main()
