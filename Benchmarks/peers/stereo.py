"""Stereo matching: Plumbline and OpenCV's StereoSGBM in one run, one thread each.

    python stereo.py PATH/OF/stereo-benchmark [--quick] [--aloe FOLDER]

Speed is measured on the pair at 640×480 with 64 disparities; quality on the full pair. Both sides' holes are filled by one
rule, the smaller of the nearest answers on the row, so that both answer everywhere; "non-occluded" is what the truth,
warped to the right picture, leaves visible. OpenCV gets 224 replicated columns on its left, without which it answers nothing there.
"""

import argparse
import os
import tempfile

import cv2
import numpy as np

from plumbline_process import PlumblineProcess
from rounds import interleaved, timed

MODES = {"SGBM": 0, "HH": 1, "SGBM_3WAY": 2, "HH4": 3}
RANGE = 224


def sgbm(mode, disparities, block=5, small=8, large=32, cap=31):
    area = block * block
    return cv2.StereoSGBM_create(
        0, disparities, block, P1=small * area, P2=large * area, disp12MaxDiff=1, preFilterCap=cap,
        uniquenessRatio=5, speckleWindowSize=100, speckleRange=2, mode=MODES[mode])


def visible(truth):
    """Pixels that no nearer surface hides in the right picture, and that lie inside of it."""
    height, width = truth.shape
    result = np.zeros((height, width), bool)
    columns = np.arange(width)
    for y in range(height):
        target = np.rint(columns - truth[y]).astype(int)
        known = (truth[y] > 0) & (target >= 0)
        nearest = np.full(width, -1.0)
        np.maximum.at(nearest, target[known], truth[y, known])
        # A surface that leans away leaves columns out between its own.
        nearest = np.maximum(nearest, np.minimum(np.roll(nearest, 1), np.roll(nearest, -1)))
        result[y, known] = truth[y, known] >= nearest[target[known]] - 1
    return result


def filled(disparity):
    height, width = disparity.shape
    known = np.isfinite(disparity)
    columns, rows = np.arange(width), np.arange(height)[:, None]
    left = np.maximum.accumulate(np.where(known, columns, -1), axis=1)
    right = np.minimum.accumulate(np.where(known, columns, width)[:, ::-1], axis=1)[:, ::-1]
    first = np.where(left >= 0, disparity[rows, np.maximum(left, 0)], np.inf)
    second = np.where(right < width, disparity[rows, np.minimum(right, width - 1)], np.inf)
    other = np.minimum(first, second)
    return np.where(known, disparity, np.where(np.isfinite(other), other, 0))


def bad(disparity, truth, seen):
    known = truth > 0
    error = np.abs(filled(disparity) - truth)
    shares = [100 * (error[where] > limit).mean() for limit in (1, 2) for where in (known, known & seen)]
    return shares + [100 * np.isfinite(disparity[known]).mean()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--aloe", default="../shared/data/stereo/aloe")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    left, right = (cv2.imread(f"{options.aloe}/aloe{side}.jpg", cv2.IMREAD_GRAYSCALE) for side in "LR")
    truth = cv2.imread(f"{options.aloe}/aloeGT.png", cv2.IMREAD_UNCHANGED).astype(np.float32)
    seen = visible(truth)
    process = PlumblineProcess(options.executable)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("left", "right", "disparity", "sigma")]

        def load(*pictures):
            for picture, path in zip(pictures, paths):
                np.ascontiguousarray(picture).tofile(path)
            process.ask("load", *paths[:2], pictures[0].shape[1], pictures[0].shape[0])

        small = [cv2.resize(p, (640, 480), interpolation=cv2.INTER_AREA) for p in (left, right)]
        load(*small)

        def plumbline(count, way):
            process.ask("set", 32, 64, way)
            return process.times("match", count)

        contenders = {f"Plumbline {way}": (lambda n, way=way: plumbline(n, way))
                      for way in ("eight", "five", "four")}
        for mode in MODES:
            matcher = sgbm(mode, 64)
            contenders[f"OpenCV {mode}"] = timed(lambda matcher=matcher: matcher.compute(*small))
        print("| 640×480×64, one thread | median ms | min ms |\n| --- | ---: | ---: |")
        for name, times in interleaved(contenders, 5 if options.quick else 20, 3).items():
            print(f"| {name} | {times['median_ms']:.1f} | {times['minimum_ms']:.1f} |")

        print("\n| aloe | all > 1 px | non-occluded > 1 | all > 2 | non-occluded > 2 | answered |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")

        def report(name, disparity):
            print(f"| {name} | " + " | ".join(f"{x:.2f} %" for x in bad(disparity, truth, seen)) + " |")

        load(left, right)
        for way in ("eight", "five", "four"):
            process.ask("set", 0, RANGE, way)
            process.times("match", 1)
            process.ask("save", *paths[2:])
            report(f"Plumbline {way}", np.fromfile(paths[2], np.float32).reshape(truth.shape))
        padded = [cv2.copyMakeBorder(p, 0, 0, RANGE, 0, cv2.BORDER_REPLICATE) for p in (left, right)]
        for mode in MODES:
            for block in (3, 5) if options.quick else (1, 3, 5, 7):
                result = sgbm(mode, RANGE, block).compute(*padded).astype(np.float32)[:, RANGE:] / 16
                result[result < 0] = np.nan
                report(f"OpenCV {mode}, block {block}", result)
    process.close()


if __name__ == "__main__":
    main()
