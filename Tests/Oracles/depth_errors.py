"""The errors of a predicted depth map by their formulas in double precision.

Usage: depth_errors.py PREDICTION TRUTH WIDTH HEIGHT ALIGNMENT SPACE CROP CAP
Both files are raw float32 rows, NaN where unknown; prints JSON.
"""
import json
import sys

import numpy as np

prediction_path, truth_path, width, height, alignment, space, crop, cap = sys.argv[1:]
shape = (int(height), int(width))
cap = float(cap)
p = np.fromfile(prediction_path, "<f4").reshape(shape).astype(np.float64)
t = np.fromfile(truth_path, "<f4").reshape(shape).astype(np.float64)

inside = np.zeros(shape, bool)
rows, columns = shape
if crop == "none":
    inside[:] = True
elif crop == "nyu":
    inside[45 * rows // 480 : 471 * rows // 480, 41 * columns // 640 : 601 * columns // 640] = True
else:
    top, bottom, left, right = {
        "eigen": (0.3324324, 0.91351351, 0.0359477, 0.96405229),
        "garg": (0.40810811, 0.99189189, 0.03594771, 0.96405229),
    }[crop]
    inside[int(top * rows) : int(bottom * rows), int(left * columns) : int(right * columns)] = True
truth = np.where(inside & (t > 1e-3) & (t < cap), t, np.nan)
known = np.isfinite(truth) & (p > 0)

forward = (lambda x: 1 / x) if space == "disparity" else (lambda x: x)
x, y = forward(p[known]), forward(truth[known])
if alignment == "none":
    scale, shift = 1.0, 0.0
elif alignment == "median":
    scale, shift = np.median(y) / np.median(x), 0.0
elif alignment == "scale":
    scale, shift = (x @ y) / (x @ x), 0.0
else:
    scale, shift = np.linalg.lstsq(np.stack([x, np.ones_like(x)], 1), y, rcond=None)[0]
with np.errstate(all="ignore"):
    aligned = scale * forward(p) + shift
    if space == "disparity":
        aligned = np.where(aligned > 0, 1 / aligned, cap)
aligned = np.where(p > 0, np.clip(aligned, 1e-3, cap), np.nan)

a, b = aligned[known], truth[known]
ratio = np.maximum(a / b, b / a)
d = np.log(a) - np.log(b)


def edges(m, threshold):
    with np.errstate(all="ignore"):
        q = [m[:, :-1] / m[:, 1:], m[:, 1:] / m[:, :-1], m[:-1] / m[1:], m[1:] / m[:-1]]
    return [r.astype(np.float32) > np.float32(threshold) for r in q], [np.isfinite(r) for r in q]


thresholds = np.linspace(1.05, 1.25, 10)
score = 0.0
for threshold, weight in zip(thresholds, thresholds / thresholds.sum()):
    own, own_known = edges(aligned.astype(np.float32), threshold)
    real, real_known = edges(truth.astype(np.float32), threshold)
    both = [k & l for k, l in zip(own_known, real_known)]
    own = [e & k for e, k in zip(own, both)]
    real = [e & k for e, k in zip(real, both)]
    recall = np.mean([(o & r).sum() / max(r.sum(), 1) for o, r in zip(own, real)])
    precision = np.mean([(o & r).sum() / max(o.sum(), 1) for o, r in zip(own, real)])
    if recall + precision > 0:
        score += weight * 2 * recall * precision / (recall + precision)

print(
    json.dumps(
        {
            "count": int(known.sum()),
            "absRel": float(np.mean(np.abs(a - b) / b)),
            "sqRel": float(np.mean((a - b) ** 2 / b)),
            "rmse": float(np.sqrt(np.mean((a - b) ** 2))),
            "rmseLog": float(np.sqrt(np.mean(d**2))),
            "log10": float(np.mean(np.abs(np.log10(a) - np.log10(b)))),
            "delta1": float(np.mean(ratio < 1.25)),
            "delta2": float(np.mean(ratio < 1.25**2)),
            "delta3": float(np.mean(ratio < 1.25**3)),
            "siLog": float(100 * np.sqrt(np.mean(d**2) - np.mean(d) ** 2)),
            "boundaryF1": score,
        }
    )
)
