"""Depth as colors: Plumbline and OpenCV in one run, one thread each.

Prints one JSON document; started by `measure.py`, or by hand:
    python colors.py PATH/OF/KernelBenchmark [--quick]
"""

import argparse
import json
import os
import tempfile

import cv2
import numpy as np

from filters import HEIGHT, WIDTH, scene
from plumbline_process import PlumblineProcess
from rounds import interleaved, timed

# What `KernelBenchmark` has.
NEAR, FAR = 0.3, 5.0
# Two codes apart in jet, whose slope is 4: bins and single precision.
TOLERANCE_CODES = 8


def jet(codes):
    """Red near, 0, to blue far, 255; three trapezoids."""
    position = 1 - codes / 255
    channels = [1.5 - np.abs(4 * position - center) for center in (3, 2, 1)]
    return np.round(255 * np.clip(np.stack(channels, -1), 0, 1))


def expected(kernel, depth):
    """The colors of the measured pixels, in double precision."""
    valid = depth[~np.isnan(depth)].astype(np.float64)
    if kernel == "equalized-colors":
        ordered = np.sort(valid)
        nearer = np.searchsorted(ordered, valid, "left") + np.searchsorted(ordered, valid, "right")
        return jet(np.floor(128 * nearer / len(valid)))
    near, far = NEAR, FAR
    if kernel == "automatic-colors":
        near, far = np.quantile(valid, (0.002, 0.998))
        near, far = near - 0.02 * (far - near), far + 0.02 * (far - near)
    return jet(np.clip(np.floor(255 * (valid - near) / (far - near) + 0.5), 0, 255))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    rounds, calls = (10 if options.quick else 60), 10
    cv2.setNumThreads(1)
    depth, _ = scene()
    # OpenCV has no missing pixels; what it makes of the zeros is left as it is, which spares it work.
    plain = np.nan_to_num(depth)
    codes, equal = np.empty((HEIGHT, WIDTH), np.uint8), np.empty((HEIGHT, WIDTH), np.uint8)
    image = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    scale = -255 / (FAR - NEAR)

    def fixed():
        cv2.convertScaleAbs(plain, codes, scale, -scale * FAR)
        cv2.applyColorMap(codes, cv2.COLORMAP_JET, image)

    def automatic():
        cv2.normalize(plain, codes, 255, 0, cv2.NORM_MINMAX, cv2.CV_8U)
        cv2.applyColorMap(codes, cv2.COLORMAP_JET, image)

    def equalized():
        cv2.normalize(plain, codes, 255, 0, cv2.NORM_MINMAX, cv2.CV_8U)
        cv2.equalizeHist(codes, equal)
        cv2.applyColorMap(equal, cv2.COLORMAP_JET, image)

    plumbline = PlumblineProcess(options.executable)
    groups = []
    with tempfile.TemporaryDirectory() as folder:
        path, saved = os.path.join(folder, "depth.raw"), os.path.join(folder, "result.raw")
        depth.tofile(path)
        plumbline.ask("load-depth", path, WIDTH, HEIGHT)
        for work, kernel, name, peer in (
            ("fixed span", "fixed-colors", "OpenCV convertScaleAbs, applyColorMap", fixed),
            ("automatic span", "automatic-colors", "OpenCV normalize, applyColorMap", automatic),
            ("equalized", "equalized-colors",
             "OpenCV normalize, equalizeHist, applyColorMap", equalized),
        ):
            plumbline.times(kernel, 1)
            plumbline.ask("save", saved)
            ours = np.fromfile(saved, np.uint8).reshape(HEIGHT, WIDTH, 3)
            difference = np.abs(ours[~np.isnan(depth)] - expected(kernel, depth)).max()
            if difference > TOLERANCE_CODES or ours[np.isnan(depth)].any():
                raise SystemExit(f"{work}: Plumbline is {difference} codes from numpy")
            contenders = {
                "Plumbline": lambda n, kernel=kernel: plumbline.times(kernel, n), name: timed(peer),
            }
            groups.append({
                "work": f"depth → colors, {work}, {WIDTH}×{HEIGHT}, one thread",
                "reference": "Plumbline", "largest_difference_codes": float(difference),
                "times": interleaved(contenders, rounds, calls),
            })
    plumbline.close()
    print(json.dumps({"groups": groups, "versions": {"OpenCV": cv2.__version__}}))


if __name__ == "__main__":
    main()
