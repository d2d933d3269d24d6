"""Simulated dual photos at full size through `plumbline stereo`, held to their exact truth.

    python dual.py PATH/OF/plumbline [--width 4032] [--folder FOLDER] [--threads N]

Both photos are written by `plumbline simulate still-life --dual`, with noise, blur, lens coefficients and extrinsics in their XMP; depth
comes of the files alone. The truth is the simulator's depth of the left photo, brought to the depth map's pixels through the lens
that the file states and the turn that stereo.json states, both in this script's own words. The theoretical ± of a depth is
z²/(f·B)·0.25 px, with f in pixels of the depth map, of the coarser and of the finer photo.
"""

import argparse
import json
import os
import re
import sys
import tempfile

import numpy as np

from process import measured


def xmp_numbers(photo, name):
    with open(photo, "rb") as file:
        text = file.read()
    found = re.search(rb"<depthData:" + name.encode() + rb">(.*?)</depthData:" + name.encode() + rb">", text, re.S)
    return [float(number) for number in re.findall(rb">?\s*([-+0-9.eE]+)\s*<", found.group(1) + b"<")]


def in_photo(pixels, photo, scale):
    """Where a pixel of the ideal pinhole lies in the photo: Apple's coefficients are percent by even powers of millimeters."""
    center = np.array([xmp_numbers(photo, f"LensDistortionCenterOffset{axis}")[0] for axis in "XY"])
    center = (center + 0.5) * scale - 0.5
    pitch = xmp_numbers(photo, "PixelSize")[0] / scale
    square = ((pixels - center) ** 2).sum(-1) * pitch**2
    percent = np.polynomial.polynomial.polyval(square, xmp_numbers(photo, "InverseLensDistortionCoefficients"))
    return center + (pixels - center) * (1 + percent[..., None] / 100)


def sampled(depth, positions):
    """Depth between pixels: 1/z is linear on a plane; at a step the nearest pixel's."""
    height, width = depth.shape
    inside = ((positions >= 0) & (positions <= [width - 1.001, height - 1.001])).all(-1)
    x, y = np.where(inside, positions[..., 0], 0), np.where(inside, positions[..., 1], 0)
    left, top = x.astype(int), y.astype(int)
    u, v = x - left, y - top
    corners = np.stack([depth[top + j, left + i] for j in (0, 1) for i in (0, 1)])
    weights = np.stack([(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v])
    smooth = 1 / (weights / corners).sum(0)
    nearest = depth[np.rint(y).astype(int), np.rint(x).astype(int)]
    return np.where(inside, np.where(corners.max(0) < 1.02 * corners.min(0), smooth, nearest), np.nan)


def errors(folder, output):
    with open(f"{folder}/truth/truth.json") as file:
        truth = json.load(file)["cameras"]
    with open(f"{output}/stereo.json") as file:
        stereo = json.load(file)
    with open(f"{output}/calibration.json") as file:
        camera = json.load(file)["depthMap"]
    depth = np.load(f"{output}/depth.npy").astype(float)
    first, second = truth
    columns, rows = np.meshgrid(np.arange(depth.shape[1]), np.arange(depth.shape[0]))
    ray = np.stack([(columns - camera["cx"]) / camera["fx"], (rows - camera["cy"]) / camera["fy"], np.ones(depth.shape)], -1)
    # Column-major: the rows of this array are the columns of the matrix M; a row of left is the ray times M.
    turn = np.array(stereo["rectified"]["depthFromLeft"]).reshape(3, 3).T
    left = ray @ turn
    pinhole = left[..., :2] / left[..., 2:] * [first["fx"], first["fy"]] + [first["cx"], first["cy"]]
    photo = os.path.join(folder, first["photo"])
    scale = first["width"] / xmp_numbers(photo, "IntrinsicMatrixReferenceWidth")[0]
    exact = sampled(np.load(f"{folder}/{first['depth']}").astype(float), in_photo(pinhole, photo, scale))
    # The same point along the map's axis, where the ray has length 1.
    exact = exact / left[..., 2]
    positions = [np.array(side["sceneFromCamera"])[:3, 3] for side in truth]
    baseline = np.linalg.norm(positions[1] - positions[0])
    known = np.isfinite(depth) & np.isfinite(exact)
    error, z = np.abs(depth - exact)[known], exact[known]
    theory = {name: 0.25 * z**2 / (f * baseline) for name, f in [
        ("map", camera["fx"]), ("coarser", min(first["fx"], second["fx"])), ("finer", max(first["fx"], second["fx"]))]}
    sigma = np.load(f"{output}/sigma.npy")[known]
    result = {name: np.median(error / bound) for name, bound in theory.items()}
    bad = (error > 4 * theory["map"]).mean()
    return {
        **result, "size": f"{depth.shape[1]}×{depth.shape[0]}", "share": known.mean(), "median_mm": 1000 * np.median(error),
        "median_z": np.median(z), "bad": bad, "held": (error <= sigma).mean()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--width", type=int, default=4032)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        base = options.folder or scratch
        print("| pair | map | × 0.25 px of the map | of the coarser photo | of the finer | median error | wrong by > 1 px | within ± | depth for "
              "| s | processor s | peak MiB |")
        print("| --- | --- | " + "---: | " * 10)
        worst = 0
        for name in ("dual", "dualwide"):
            folder = os.path.join(base, f"{name}{options.width}")
            if not os.path.exists(f"{folder}/truth/truth.json"):
                measured([options.executable, "simulate", "still-life", "--dual", name, "--width", str(options.width), "-o", folder, "--quiet"])
            with open(f"{folder}/truth/truth.json") as file:
                photos = [os.path.join(folder, side["photo"]) for side in json.load(file)["cameras"]]
            for megapixels in (3, 0):
                output = os.path.join(scratch, f"{name}{megapixels}")
                run = measured([options.executable, "stereo", *photos, "-o", output, "--megapixels", str(megapixels), "--threads",
                                str(options.threads), "--quiet"])
                e = errors(folder, output)
                worst = max(worst, e["map"])
                label = f"`{name}`" + ("" if megapixels else ", `--megapixels 0`")
                print(f"| {label} | {e['size']} | **{e['map']:.2f}** | {e['coarser']:.2f} | {e['finer']:.2f} | {e['median_mm']:.2f} mm at "
                      f"{e['median_z']:.2f} m | {100 * e['bad']:.2f} % | {100 * e['held']:.0f} % | {100 * e['share']:.0f} % | {run.seconds:.1f} "
                      f"| {run.processor_seconds:.1f} | {run.peak_mib:.0f} |", flush=True)
        print(f"\nworst median error / theoretical ± for 0.25 px: {worst:.2f} (must stay below 1.3)")
        return int(worst >= 1.3)


sys.exit(main())
