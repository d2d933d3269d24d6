"""Stereo matching: Plumbline and OpenCV's StereoSGBM in one run, one thread each.

    python stereo.py PATH/OF/StereoBenchmark [--quick] [--aloe FOLDER]

Speed is measured on the pair at 640×480 with 64 disparities; quality on the full pair, by two measures. Filled: both sides' holes get the
smaller of the nearest answers on the row, so that both answer everywhere. Equal density: for each setting of OpenCV, Plumbline's
uniqueness is raised until it answers as many pixels, and the least sure ones are dropped until both answer equally many; settings
that answer more than Plumbline ever does are counted and left out. "Non-occluded" is what the truth, warped to the right image,
leaves visible. OpenCV gets 224 replicated columns on its left, without which it answers nothing there.
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


UNIQUENESS = (0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.13, 0.16, 0.2, 0.25)


def sgbm(mode, disparities, block=5, small=8, large=32, cap=31, uniqueness=5):
    area = block * block
    return cv2.StereoSGBM_create(
        0, disparities, block, P1=small * area, P2=large * area, disp12MaxDiff=1, preFilterCap=cap,
        uniquenessRatio=uniqueness, speckleWindowSize=100, speckleRange=2, mode=MODES[mode])


def visible(truth):
    """Pixels that no nearer surface hides in the right image, and that lie inside of it."""
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


def shares(disparity, answered, truth, seen):
    """Bad pixels among those that are answered: > 1 px of all and of the visible ones, then > 2 px."""
    error = np.abs(disparity - truth)
    return np.array([100 * (error[where] > limit).mean() for limit in (1, 2)
                     for where in (answered, answered & seen)])


def changed_images(left, right):
    """The pair as it is, and as two cameras that do not agree would have taken it."""
    height, width = right.shape
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    half = 1 - 0.5 * (x**2 + y**2) / 2

    def coded(values):
        return np.clip(np.rint(values), 0, 255).astype(np.uint8)

    return {"as it is": (left, right), "right 0.7 times as bright": (left, coded(0.7 * right)),
            "right with gamma 0.7": (left, coded(255 * (right / 255.0) ** 0.7)),
            "right with corners half as bright": (left, coded(half * right))}


def wallpaper(period=24, shift=40.0, width=640, height=240):
    """A wall whose paper repeats, with a strip before it that does not: the truth is 40, 60 on the strip."""
    random = np.random.default_rng(5)
    tile = random.integers(0, 256, (height // 4, period // 4)).astype(np.float32)
    paper = np.tile(cv2.resize(tile, (period, height), interpolation=cv2.INTER_CUBIC), (1, width // period + 4))
    strip = cv2.resize(random.integers(0, 256, (height // 4, 30)).astype(np.float32), (120, height),
                       interpolation=cv2.INTER_CUBIC)
    images = []
    for wall, begin in ((0, 300), (int(shift), 240)):
        image = paper[:, wall:wall + width].copy()
        image[:, begin:begin + 120] = strip
        images.append(np.clip(np.rint(image + random.normal(0, 2, image.shape)), 0, 255).astype(np.uint8))
    truth = np.full((height, width), shift, np.float32)
    truth[:, 300:420] = 60
    return images[0], images[1], truth


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--aloe", default="../shared/data/stereo/aloe")
    parser.add_argument("--truth-offset", type=float, default=0, help="pixels added to the truth, which is whole pixels")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    left, right = (cv2.imread(f"{options.aloe}/aloe{side}.jpg", cv2.IMREAD_GRAYSCALE) for side in "LR")
    truth = cv2.imread(f"{options.aloe}/aloeGT.png", cv2.IMREAD_UNCHANGED).astype(np.float32)
    seen = visible(truth)
    truth[truth > 0] += options.truth_offset
    process = PlumblineProcess(options.executable)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("left", "right", "disparity", "sigma")]

        def load(*images):
            for image, path in zip(images, paths):
                np.ascontiguousarray(image).tofile(path)
            process.ask("load", *paths[:2], images[0].shape[1], images[0].shape[0])

        small = [cv2.resize(p, (640, 480), interpolation=cv2.INTER_AREA) for p in (left, right)]
        load(*small)

        def plumbline(count, aggregation):
            process.ask("set", 32, 64, aggregation)
            return process.times("match", count)

        contenders = {f"Plumbline {aggregation}": (lambda n, aggregation=aggregation: plumbline(n, aggregation))
                      for aggregation in ("eight", "five", "four")}
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

        def matched(aggregation, images=None, count=RANGE, **settings):
            if images:
                load(*images)
            process.ask("set", 0, count, aggregation, *(f"{name}={value}" for name, value in settings.items()))
            process.times("match", 1)
            process.ask("save", *paths[2:])
            shape = (images or (left, right))[0].shape
            return [np.fromfile(path, np.float32).reshape(shape) for path in paths[2:]]

        def opencv(mode, block, images=None, count=RANGE, uniqueness=5):
            padded = [cv2.copyMakeBorder(p, 0, 0, count, 0, cv2.BORDER_REPLICATE) for p in images or (left, right)]
            matcher = sgbm(mode, count, block, uniqueness=uniqueness)
            result = matcher.compute(*padded).astype(np.float32)[:, count:] / 16
            result[result < 0] = np.nan
            return result

        blocks = (3, 5) if options.quick else (1, 3, 5, 7)
        contenders = {(mode, block): opencv(mode, block) for mode in MODES for block in blocks}
        for aggregation in ("eight", "five", "four"):
            report(f"Plumbline {aggregation}", matched(aggregation)[0])
        for (mode, block), result in contenders.items():
            report(f"OpenCV {mode}, block {block}", result)

        known = truth > 0
        rivals = {f"{mode}, block {block}, uniqueness {ratio}": opencv(mode, block, uniqueness=ratio)
                  for mode in MODES for block in blocks if block in (3, 5)
                  for ratio in ((5, 15) if options.quick else (5, 10, 15, 25))}
        print("\n| at equal density: OpenCV | answered | its bad pixels (as above) | Plumbline five | eight |")
        print("| --- | ---: | ---: | ---: | ---: |")
        curves, worst, left_out = {}, {}, 0
        for aggregation in ("five", "eight"):
            curves[aggregation] = [matched(aggregation, uniqueness=value) for value in UNIQUENESS]
        for name, result in rivals.items():
            answered = known & np.isfinite(result)
            theirs, row = shares(result, answered, truth, seen), []
            for aggregation, curve in curves.items():
                fitting = [c for c in curve if (known & np.isfinite(c[0])).sum() >= answered.sum()]
                if not fitting:
                    break
                disparity, sigma = fitting[-1]
                order = np.argsort(np.where(known & np.isfinite(disparity), sigma, np.inf), axis=None, kind="stable")
                kept = np.zeros(truth.size, bool)
                kept[order[:answered.sum()]] = True
                ours = shares(disparity, kept.reshape(truth.shape), truth, seen)
                worst.setdefault(aggregation, []).append(100 * (ours / theirs - 1))
                row.append(" ".join(f"{x:.2f}" for x in ours))
            if len(row) < len(curves):
                left_out += 1
                continue
            print(f"| {name} | {100 * answered.sum() / known.sum():.1f} % | "
                  f"{' '.join(f'{x:.2f}' for x in theirs)} | {' | '.join(row)} |")
        for aggregation, changes in worst.items():
            print(f"Plumbline {aggregation}, change against the best rival of each measure: "
                  + ", ".join(f"{x:+.1f} %" for x in np.max(changes, axis=0)))
        print(f"{left_out} of {len(rivals)} settings answer more than Plumbline's loosest")

        print("\n| pair | Plumbline five, filled | eight | OpenCV's best of each |\n| --- | ---: | ---: | ---: |")
        for name, images in changed_images(left, right).items():
            rows = [bad(matched(aggregation, images)[0], truth, seen)[:4] for aggregation in ("five", "eight")]
            rows.append(np.min([bad(opencv(mode, 5, images), truth, seen)[:4] for mode in MODES], axis=0))
            print(f"| {name} | " + " | ".join(" ".join(f"{x:.2f}" for x in row) for row in rows) + " |")
        first, second, straight = wallpaper()
        everywhere = np.ones(straight.shape, bool)
        for name, result in [(f"Plumbline {aggregation}", matched(aggregation, (first, second), 96)[0]) for aggregation in ("five", "eight")] + [
                (f"OpenCV {mode}", opencv(mode, 5, (first, second), 96)) for mode in MODES]:
            answered = np.isfinite(result)
            print(f"repeating wallpaper, {name}: answers {100 * answered.mean():.1f} %, "
                  f"of which {shares(result, answered, straight, everywhere)[0]:.2f} % are off by more than 1 px")
    process.close()


if __name__ == "__main__":
    main()
