"""The Face Landmarker in numpy and OpenVINO's Python: MODEL.task IMAGE -> 478 rows of x, y, z, as floats.

One look at the crop of the best detection, each step in double precision straight from its definition. Pixel
centers are whole numbers. The face must be small enough that its crop needs no averaging.
"""
import sys
import tempfile
import zipfile

import numpy as np
import openvino
from PIL import Image


def network(bundle, name, shape):
    core = openvino.Core()
    # OpenVINO reads such models from the disk alone.
    with tempfile.TemporaryDirectory() as folder:
        model = core.read_model(bundle.extract(name, folder))
    model.reshape(shape)
    return core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})


def sample(image, center, side, angle, count, border):
    """The square's pixels, between four of the image's."""
    steps = ((np.arange(count) + 0.5) / count - 0.5) * side
    across, down = np.meshgrid(steps, steps)
    x = center[0] + across * np.cos(angle) - down * np.sin(angle)
    y = center[1] + across * np.sin(angle) + down * np.cos(angle)
    height, width = image.shape[:2]
    x, y = np.clip(x, -1, width), np.clip(y, -1, height)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    result = np.zeros((count, count, 3))
    for row, column, weight in ((0, 0, (left + 1 - x) * (top + 1 - y)), (0, 1, (x - left) * (top + 1 - y)),
                                (1, 0, (left + 1 - x) * (y - top)), (1, 1, (x - left) * (y - top))):
        u, v = left + column, top + row
        inside = (u >= 0) & (v >= 0) & (u < width) & (v < height)
        levels = image[np.clip(v, 0, height - 1), np.clip(u, 0, width - 1)].astype(float)
        if border == "black":
            levels = levels * inside[..., None]
        result += weight[..., None] * levels
    return result


def averaged(image, factor):
    """Means of two lines of whole squares, which the networks see a photo reduced by, and the center of the first one."""
    height, width = (length // factor for length in image.shape[:2])
    squares = image[: height * factor, : width * factor].reshape(height, factor, width, factor, 3)
    step = (factor + 1) // 2
    start = (factor - 1 - step) // 2
    lines = squares[:, [start, start + step]]
    return np.floor(lines.mean((1, 3)) + 0.5), np.array([(factor - 1) / 2, start + step / 2])


bundle = zipfile.ZipFile(sys.argv[1])
image = np.array(Image.open(sys.argv[2]).convert("RGB"))
height, width = image.shape[:2]
longer = max(width, height)
factor = longer // 128
small, first = averaged(image, factor) if factor >= 2 else (image, np.zeros(2))
middle = ((np.array([width, height]) - 1) / 2 - first) / factor
view = sample(small, middle, longer / factor, 0, 128, "black")
detector = network(bundle, "face_detector.tflite", [1, 128, 128, 3])
boxes, scores = detector([(view / 127.5 - 1)[None].astype(np.float32)]).values()
boxes, scores = boxes[0].astype(float), 1 / (1 + np.exp(-np.clip(scores[0, :, 0].astype(float), -100, 100)))
anchors = [((x + 0.5) / n, (y + 0.5) / n) for n, k in ((16, 2), (8, 6)) for y in range(n) for x in range(n) for _ in range(k)]
anchors = np.array(anchors)
centers, sizes = boxes[:, :2] / 128 + anchors, boxes[:, 2:4] / 128
points = boxes[:, 4:].reshape(-1, 6, 2) / 128 + anchors[:, None]


def overlap(i, j):
    low = np.maximum(centers[i] - sizes[i] / 2, centers[j] - sizes[j] / 2)
    high = np.minimum(centers[i] + sizes[i] / 2, centers[j] + sizes[j] / 2)
    shared = np.prod(np.maximum(high - low, 0))
    return shared / (np.prod(sizes[i]) + np.prod(sizes[j]) - shared)


best = int(np.argmax(scores))
same = [i for i in np.flatnonzero(scores >= 0.5) if overlap(best, i) > 0.3]
weights = scores[same] / scores[same].sum()
corner = (np.array([width, height]) - 1) / 2 - longer / 2
center = corner + longer * (weights[:, None] * centers[same]).sum(0)
size = longer * (weights[:, None] * sizes[same]).sum(0)
eyes = longer * (weights[:, None] * (points[same, 1] - points[same, 0])).sum(0)
angle, side = np.arctan2(eyes[1], eyes[0]), 1.5 * size.max()
if side / 256 >= 2:
    sys.exit("the face is too large for this script")
crop = sample(image, center, side, angle, 256, "nearest") / 255
landmarks = network(bundle, "face_landmarks_detector.tflite", [1, 256, 256, 3])
raw = list(landmarks([crop[None].astype(np.float32)]).values())[0].reshape(478, 3).astype(float) / 256
across, down = (raw[:, 0] - 0.5) * side, (raw[:, 1] - 0.5) * side
x = center[0] + across * np.cos(angle) - down * np.sin(angle)
y = center[1] + across * np.sin(angle) + down * np.cos(angle)
sys.stdout.buffer.write(np.stack([x, y, raw[:, 2] * side], 1).astype(np.float32).tobytes())
