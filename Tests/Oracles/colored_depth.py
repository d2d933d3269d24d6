"""Checks a colored depth image against its map, by NumPy, OpenCV's tables and Pillow's reading of the PNG.

usage: colored_depth.py FOLDER [MAP]

FOLDER is what `extract --colors` wrote; MAP is OpenCV's name of the colors. The answer is one line of JSON:
worst difference of a code, whether transparency is where nothing was measured, what the document says that is
not so, and whether the file carries the document.
"""

import json
import pathlib
import sys

import numpy
from PIL import Image

folder = pathlib.Path(sys.argv[1])
depth = numpy.load(folder / "depth.npy")
document = json.loads((folder / "depth-colors.json").read_text())
image = Image.open(folder / "depth-colors.png")
pixels = numpy.asarray(image)
measured = numpy.isfinite(depth)
wrong = []


def expect(name, found, expected, tolerance=0.0):
    if abs(found - expected) > tolerance:
        wrong.append(f"{name}: {found}, not {expected}")


def table():
    import cv2

    codes = numpy.arange(256, dtype=numpy.uint8)[None]
    if document["colors"] == "gray":
        return numpy.repeat(codes[0, ::-1, None], 3, axis=1)
    bgr = cv2.applyColorMap(codes, getattr(cv2, "COLORMAP_" + document["colors"].upper()))
    # Near first.
    return bgr[0, ::-1, ::-1]


near, far = document["near"], document["far"]
values = depth[measured].astype(float)
expect("measured", document["pixels"]["measured"], int(measured.sum()))
expect("missing", document["pixels"]["missing"], int((~measured).sum()))
expect("nearer", document["pixels"]["nearer"], int((depth[measured] < numpy.float32(near)).sum()))
expect("farther", document["pixels"]["farther"], int((depth[measured] > numpy.float32(far)).sum()))
expect("width", document["width"], pixels.shape[1])
expect("height", document["height"], pixels.shape[0])
colors = table().astype(int)
found = pixels[measured][:, :3].astype(int)
if document["scale"] == "linear":
    position = numpy.clip((values - near) / (far - near), 0, 1) * 255
    # At half a step single precision may round to either side.
    worst = min_worst = numpy.minimum(
        abs(found - colors[numpy.floor(position + 0.499).astype(int)]).max(axis=1),
        abs(found - colors[numpy.floor(position + 0.501).clip(0, 255).astype(int)]).max(axis=1)).max()
    expect("step", document["stepOfOneColor"], (far - near) / 255, 1e-6 * (far - near))
else:
    # The share of pixels that are nearer, the middle of those alike: within the 1/2048 of a bin.
    order = numpy.sort(values)
    low = numpy.searchsorted(order, values * (1 - 2 / 2048)) / len(order) * 255
    high = numpy.searchsorted(order, values * (1 + 2 / 2048), side="right") / len(order) * 255
    position = numpy.array([numpy.abs(colors - color).max(axis=1).argmin() for color in numpy.unique(found, axis=0)])
    lookup = {tuple(color): code for color, code in zip(numpy.unique(found, axis=0), position)}
    code = numpy.array([lookup[tuple(color)] for color in found])
    outside = numpy.maximum(low - 1 - code, code - high - 1).max()
    worst = max(0, outside)
    expect("near", near, values.min(), 1e-6)
    expect("far", far, values.max(), 1e-6)
for mark in document["legend"]:
    color = [int(mark["color"][i:i + 2], 16) for i in (1, 3, 5)]
    nearest = abs(values - mark["depth"]).argmin()
    if abs(values[nearest] - mark["depth"]) < (far - near) / 5000 and near < mark["depth"] < far:
        steps = abs(numpy.abs(colors - color).max(axis=1).argmin() - numpy.abs(colors - found[nearest]).max(axis=1).argmin())
        expect(f"color of {mark['depth']}", int(steps), 0, 1)
    if (mark["plusMinus"] is None) != (document["unit"] is None):
        wrong.append("± without a unit, or none with one")
answer = {
    "worst": float(worst), "wrong": wrong, "mode": image.mode,
    "transparent": pixels.shape[2] == 4 and bool(((pixels[..., 3] == 255) == measured).all())
    and bool(numpy.isin(pixels[..., 3], (0, 255)).all()),
    "carried": json.loads(image.text["plumbline.depthPicture"]) == document,
    "description": image.text["Description"], "title": image.text["Title"],
}
print(json.dumps(answer))
