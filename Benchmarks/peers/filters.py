"""Filters of depth maps: Plumbline and its peers in one run, one thread each.

Prints one JSON document; started by `measure.py`, or by hand:
    python filters.py PATH/OF/KernelBenchmark [--quick]
"""

import argparse
import json
import os
import tempfile

import cv2
import numpy as np

from plumbline_process import PlumblineProcess
from rounds import interleaved, timed

WIDTH, HEIGHT = 640, 480
SEED = 20260102
# What `KernelBenchmark` has: radius and both σ of each filter.
SPATIAL = {"radius": 2, "pixels": 1.5, "meters": 0.01}
JOINT = {"radius": 1, "pixels": 1.0, "codes": 12.0}


def scene():
    """A leaning wall, boxes before it, noise, 2 % missing; gray levels that follow the boxes."""
    random = np.random.default_rng(SEED)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    depth = 1 / (0.5 + 0.0004 * x - 0.0003 * y)
    gray = 90 + 20 * np.sin(x / 40)
    for _ in range(40):
        left, top = int(random.integers(0, WIDTH - 60)), int(random.integers(0, HEIGHT - 60))
        part = np.s_[top : top + int(random.integers(15, 60)), left : left + int(random.integers(15, 60))]
        depth[part] = random.uniform(0.5, 1.2)
        gray[part] = random.uniform(0, 255)
    depth += random.normal(0, 0.003, depth.shape) * depth**2
    gray = np.clip(gray + random.normal(0, 3, gray.shape), 0, 255).astype(np.uint8)
    depth[random.random(depth.shape) < 0.02] = np.nan
    return depth.astype(np.float32), gray


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    rounds, calls = (10 if options.quick else 60), 10
    cv2.setNumThreads(1)
    depth, gray = scene()
    plumbline = PlumblineProcess(options.executable)
    groups = []
    with tempfile.TemporaryDirectory() as folder:
        depth_path, gray_path = os.path.join(folder, "depth.raw"), os.path.join(folder, "gray.raw")
        depth.tofile(depth_path)
        gray.tofile(gray_path)
        plumbline.ask("load-filters", depth_path, gray_path, WIDTH, HEIGHT)
        # OpenCV has no missing pixels: 0 is far from every depth, which is as good as none.
        plain = np.nan_to_num(depth)
        result = np.empty_like(plain)
        levels = gray.astype(np.float32)
        size = 2 * SPATIAL["radius"] + 1

        def bilateral():
            cv2.bilateralFilter(plain, size, SPATIAL["meters"], SPATIAL["pixels"], result)

        def joint():
            cv2.ximgproc.jointBilateralFilter(
                levels, plain, 2 * JOINT["radius"] + 1, JOINT["codes"], JOINT["pixels"], result
            )

        for work, kernel, peers in (
            ("bilateral filter", "bilateral", {"OpenCV bilateralFilter": bilateral}),
            ("joint bilateral filter 3×3", "joint-bilateral",
             {"OpenCV ximgproc.jointBilateralFilter": joint}),
            ("metrology preset", "metrology", {}),
            ("flying pixels", "flying", {}),
            ("speckles", "speckles", {}),
            ("hole filling", "holes", {
                "OpenCV inpaint, Telea": lambda: cv2.inpaint(
                    plain, np.isnan(depth).astype(np.uint8), 3, cv2.INPAINT_TELEA)}),
        ):
            plumbline.times(kernel, 1)
            differences = {}
            if kernel in ("bilateral", "joint-bilateral"):
                saved = os.path.join(folder, "result.raw")
                plumbline.ask("save", saved)
                ours = np.fromfile(saved, np.float32).reshape(HEIGHT, WIDTH)
                next(iter(peers.values()))()
                # Around missing pixels OpenCV's joint filter mixes in their zeros.
                near = cv2.dilate(np.isnan(depth).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
                away = np.abs(ours - result)[~near]
                if not np.isfinite(away).all() or np.median(away) > 0.002:
                    raise SystemExit(f"{work}: Plumbline and OpenCV disagree")
                differences = {"median_difference_meters": float(np.median(away))}
            contenders = {"Plumbline": lambda n, kernel=kernel: plumbline.times(kernel, n)}
            contenders |= {name: timed(call) for name, call in peers.items()}
            groups.append({
                "work": f"{work}, {WIDTH}×{HEIGHT}, one thread", "reference": "Plumbline",
                **differences, "times": interleaved(contenders, rounds, calls),
            })
    plumbline.close()
    print(json.dumps({"groups": groups, "versions": {"OpenCV": cv2.__version__}}))


if __name__ == "__main__":
    main()
