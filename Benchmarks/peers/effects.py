"""Blur by depth: Plumbline beside a plain depth-layered Gaussian of OpenCV, in turns.

    python effects.py PATH/OF/EffectsBenchmark [--quick] [--threads N]

The images are seeded: a textured subject before a textured ground, with a depth map of 768×576 for 4032×3024 and of 320×240 for
640×480. The peer is what OpenCV offers for the work: 16 layers, each blurred by GaussianBlur in linear light and laid over those
behind, from a disparity already as large as the image; it knows nothing of edges. Times of Plumbline are with and without bringing
the depth to the image's size.

Then every effect on frames of a stream, colors of 640×480 with depth of 320×240: the median of a frame, and how many that is a second.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

import cv2
import numpy as np

SIZES = {"4032x3024": ((4032, 3024), (768, 576), 2.8), "640x480": ((640, 480), (320, 240), 2.8)}
FOCUS = 2.0


def scene(size, depth_size):
    random = np.random.default_rng(7)
    width, height = size
    noise = cv2.resize(random.integers(30, 220, (height // 8, width // 8, 3), np.uint8), size)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    subject = (x / 0.35) ** 2 + ((y - 0.35) / 0.8) ** 2 < 1
    noise[subject] = noise[subject] // 2 + np.array([90, 60, 50], np.uint8)
    disparity = np.where(subject, FOCUS + 0.1 * x, 0.4 + 0.25 * (y + 1)).astype(np.float32)
    return noise, cv2.resize(disparity, depth_size, interpolation=cv2.INTER_AREA), disparity


def layered(color, disparity, gain, layers=16):
    light = (color.astype(np.float32) / 255) ** 2.2
    radius = gain * (disparity - FOCUS)
    step = (radius.max() - radius.min()) / layers
    index = np.minimum(((radius - radius.min()) / step).astype(int), layers - 1)
    total = np.zeros(color.shape[:2] + (4,), np.float32)
    for layer in range(layers):
        mask = (index == layer).astype(np.float32)
        sheet = np.dstack([light * mask[..., None], mask])
        sigma = abs(radius.min() + (layer + 0.5) * step) / 2
        if sigma > 0.2:
            sheet = cv2.GaussianBlur(sheet, (0, 0), sigma)
        total = total * (1 - sheet[..., 3:]) + sheet
    return np.clip((total[..., :3] / np.maximum(total[..., 3:], 1e-6)) ** (1 / 2.2) * 255 + 0.5, 0, 255).astype(np.uint8)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("benchmark")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    process = subprocess.Popen([options.benchmark], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(line):
        process.stdin.write(line + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        if "error" in answer:
            raise SystemExit(f"EffectsBenchmark: {answer['error']}")
        return answer

    print(f"| work, {options.threads} threads | depth prepared | blurred | both | OpenCV, 16 layers |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, (size, depth_size, number) in SIZES.items():
            color, small, disparity = scene(size, depth_size)
            paths = [os.path.join(folder, part) for part in ("color", "depth")]
            color.tofile(paths[0])
            small.tofile(paths[1])
            ask(f"load {paths[0]} {size[0]} {size[1]} {paths[1]} {depth_size[0]} {depth_size[1]}")
            # Without a camera 26 mm are assumed: a focal length of 26/36 of the longer side, in pixels.
            gain = size[0] * 26 / 36 * 0.026 / number / 2
            rounds = (3 if options.quick else 7) if size[0] > 1000 else (20 if options.quick else 60)
            prepared, blurred, peer = [], [], []
            ask(f"time {options.threads} 1 {FOCUS} {number}")
            for turn in range(rounds):
                answer = ask(f"time {options.threads} 1 {FOCUS} {number}")
                prepared += answer["prepared"]
                blurred += answer["blurred"]
                if turn < 3:
                    start = time.perf_counter_ns()
                    layered(color, disparity, gain)
                    peer.append(time.perf_counter_ns() - start)
            both = [a + b for a, b in zip(prepared, blurred)]
            cells = [f"{statistics.median(values) / 1e6:.1f} ms" for values in (prepared, blurred, both, peer)]
            print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"\n| frame of 640×480, depth 320×240, {options.threads} threads | median | least | frames/s |\n|---|---:|---:|---:|")
    for index, name in enumerate(ask("streams")["names"]):
        # A loop of the wiggle is 24 frames.
        count = (20 if options.quick else 60) // (8 if name.startswith("wiggle") else 1)
        times = ask(f"stream {index} {options.threads} {count}")["times"]
        median = statistics.median(times)
        print(f"| {name} | {median / 1e6:.1f} ms | {min(times) / 1e6:.1f} ms | {1e9 / median:.0f} |")
    with open(f"/proc/{process.pid}/status") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    print(f"\npeak memory of Plumbline: {int(peak) // 1024} MiB, the image read from a raw file included")
    process.stdin.close()


if __name__ == "__main__":
    main()
