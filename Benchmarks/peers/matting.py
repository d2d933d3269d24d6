"""The coverage of edges by other programs, on what `Benchmarks/run --blur-quality FOLDER --edges --images OUT` wrote.

    python Benchmarks/peers/matting.py OUT

needs numpy, Pillow and pymatting; the guided filter needs OpenCV with its contributed modules
(opencv-contrib-python). What is absent is named and left out. All start from the same map: what is farther than three cells from its step is known.
"""

import sys

import numpy as np
from PIL import Image

CELLS = 3
# Disparities are stored times 64; the step is at 1.5 1/m.
MIDDLE = 1.5 * 64


def gray(folder, name):
    return np.asarray(Image.open(f"{folder}/edges-{name}.png").convert("L")).astype(float)


def errors(found, truth, zone):
    def gradient(image):
        down, right = np.gradient(image)
        return right, down

    (a, b), (c, d) = gradient(found), gradient(truth)
    slope = np.hypot(a - c, b - d)
    return 100 * np.abs(found - truth)[zone].mean(), 100 * slope[zone].mean()


def main(folder):
    sharp = np.asarray(Image.open(f"{folder}/edges-sharp.png").convert("RGB")).astype(float) / 255
    truth, ours = gray(folder, "coverage-truth") / 255, gray(folder, "coverage") / 255
    zones = np.asarray(Image.open(f"{folder}/edges-zones.png").convert("RGB")) > 0
    small = Image.open(f"{folder}/edges-map.png").convert("L")
    size = (sharp.shape[1], sharp.shape[0])
    near = np.asarray(small.resize(size, Image.BILINEAR)) > MIDDLE
    cell = int(round(sharp.shape[1] / small.width * CELLS))
    padded = np.pad(near, cell, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * cell + 1, 2 * cell + 1))
    trimap = np.full(near.shape, 0.5)
    trimap[windows.all((2, 3))] = 1
    trimap[~windows.any((2, 3))] = 0
    results = {"Plumbline": ours, "the map alone": near.astype(float)}
    try:
        from pymatting import estimate_alpha_cf, estimate_alpha_knn

        results["pymatting, closed form"] = estimate_alpha_cf(sharp, trimap)
        results["pymatting, KNN"] = estimate_alpha_knn(sharp, trimap)
    except ImportError:
        print("pymatting is absent: left out", file=sys.stderr)
    try:
        from cv2 import ximgproc

        guide = (255 * sharp).astype(np.uint8)
        results["OpenCV, guided filter"] = ximgproc.guidedFilter(
            guide, near.astype(np.float32), cell, 4.0)
    except ImportError:
        print("OpenCV's contributed modules are absent: left out", file=sys.stderr)
    print("| way | " + " | ".join(f"{n}, % | gradient" for n in ("hair", "glasses", "cheek")) + " |")
    print("|---|" + "---:|---:|" * 3)
    for name, found in results.items():
        cells = [f"{value:.2f}" for k in range(3)
                 for value in errors(np.clip(found, 0, 1), truth, zones[:, :, k])]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(sys.argv[1])
