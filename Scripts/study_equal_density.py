"""Errors of stereo matchers at one density, for `study-stereo --equal`.

Matchers that answer fewer pixels err less, so that shares of errors compare at one density alone. That of OpenCV's mode HH is taken,
its uniqueness raised until Plumbline answers as many with each number of paths; the other modes of SGBM take the uniqueness whose
density is nearest. Plumbline drops its pixels of the largest sigma until as many are left.
"""

import os
import time

import cv2
import numpy as np

MODES = {"SGBM 3-way": cv2.STEREO_SGBM_MODE_SGBM_3WAY, "SGBM": cv2.STEREO_SGBM_MODE_SGBM, "SGBM HH": cv2.STEREO_SGBM_MODE_HH}
PATHS = ("four", "five", "eight")
UNIQUENESS = (5, 10, 15, 20, 25, 30, 40, 50)
KINDS = ("foliage", "slanted", "thin", "mixed")
# Methods were chosen on the first; the last were examined once, at the end.
SEEDS = {"tuning": (1, 2), "last": (11, 12)}
HEADER = ("| scene, matcher | density | > 0.5 px | > 1 px | > 2 px | scatter px | processor ms |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: |")


def sgbm(left, right, count, mode, uniqueness, block=5):
    padded = [cv2.copyMakeBorder(p, 0, 0, count, 0, cv2.BORDER_REPLICATE) for p in (left, right)]
    matcher = cv2.StereoSGBM_create(
        0, count, block, P1=8 * block**2, P2=32 * block**2, disp12MaxDiff=1, preFilterCap=31, uniquenessRatio=uniqueness,
        speckleWindowSize=100, speckleRange=2, mode=mode)
    start = time.process_time()
    result = matcher.compute(*padded)
    elapsed = time.process_time() - start
    result = result[:, count:].astype(np.float32) / 16
    result[result < 0] = np.nan
    return result, 1000 * elapsed


def density(disparity, truth):
    return (np.isfinite(disparity) & np.isfinite(truth)).sum() / np.isfinite(truth).sum()


def thinned(disparity, sigma, truth, share):
    """The disparities of least sigma, as many as the share of the truth says; None where there are fewer."""
    known = np.isfinite(disparity) & np.isfinite(truth)
    wanted = int(share * np.isfinite(truth).sum())
    if known.sum() < wanted:
        return None
    limit = np.partition(sigma[known], wanted - 1)[wanted - 1] if wanted else 0
    return np.where(known & (sigma <= limit), disparity, np.nan)


def drawn(matcher, kind, seed, kept=None):
    """A simulated pair with its exact truth, and how many disparities are tried; `kept` is a folder of scenes that were drawn."""
    files = [os.path.join(kept or matcher.folder.name, f"{kind}-{seed}-{name}") for name in ("left", "right", "truth")]
    shape = (500, 740)
    if not all(os.path.exists(file) for file in files):
        size = matcher.ask("scene", kind, seed, *files)
        assert (size["height"], size["width"]) == shape
    left, right = (np.fromfile(file, np.uint8).reshape(shape) for file in files[:2])
    truth = np.fromfile(files[2], np.float32).reshape(shape)
    return left, right, np.where(np.isfinite(truth), truth, np.nan), 64, 0


def errors(disparity, truth):
    known = np.isfinite(disparity) & np.isfinite(truth)
    error = (disparity - truth)[known]
    size = np.abs(error)
    return [100 * (size > limit).mean() for limit in (0.5, 1, 2)] + [error[size < 1].std()]


def study(matcher, name, scene, totals):
    """Prints the rows of one scene; adds each row to the totals of its matcher."""
    left, right, truth, count, _ = scene
    found, times = {}, {}
    for paths in PATHS:
        usual = matcher.match(left, right, count, paths, times=5)
        times[paths] = matcher.milliseconds
        found[paths] = (usual, matcher.match(left, right, count, paths, uniqueness=0))
    most = min(density(found[paths][1][0], truth) for paths in PATHS)
    peers = {mode: [sgbm(left, right, count, code, value) for value in UNIQUENESS] for mode, code in MODES.items()}
    shares = [density(result, truth) for result, _ in peers["SGBM HH"]]
    share = next((value for value in shares if value <= most), shares[-1])
    rows = []
    for mode, results in peers.items():
        disparity, _ = min(results, key=lambda result: abs(density(result[0], truth) - share))
        rows.append((mode, disparity, min(elapsed for _, elapsed in results)))
    for paths in PATHS:
        usual, all_of_them = found[paths]
        disparity = thinned(*usual, truth, share)
        rows.append((f"Plumbline, {paths}", thinned(*all_of_them, truth, share) if disparity is None else disparity,
                     times[paths]))
    for matcher_name, disparity, milliseconds in rows:
        numbers = errors(disparity, truth)
        totals.setdefault(matcher_name, []).append(numbers + [milliseconds])
        cells = [f"{name}: {matcher_name}", f"{100 * density(disparity, truth):.1f} %"]
        cells += [f"{value:.2f} %" for value in numbers[:3]] + [f"{numbers[3]:.3f}", f"{milliseconds:.0f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


def summary(totals):
    """Prints what Plumbline's errors are as shares of those of SGBM HH: the mean over the scenes, and the worst scene."""
    base = np.array(totals["SGBM HH"])
    for name, rows in totals.items():
        ratio = np.array(rows) / base
        parts = [f"{label} {ratio[:, column].mean():.2f} (worst {ratio[:, column].max():.2f})"
                 for column, label in enumerate(("> 0.5 px", "> 1 px", "> 2 px", "scatter"))]
        print(f"{name} over SGBM HH: " + ", ".join(parts) + f"; median time {np.median(np.array(rows)[:, 4]):.0f} ms")
