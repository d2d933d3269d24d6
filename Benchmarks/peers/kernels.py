"""Depth to points, half-precision disparity to depth, rectification: Plumbline and its peers in one run.

Prints one JSON document. Every contender gives the same answer; it is compared before it is timed.
"""

import argparse
import json
import os
import tempfile

import cv2
import numpy as np
import open3d as o3d

from plumbline_process import PlumblineProcess
from rounds import interleaved, timed

SIZES = [(640, 480), (4032, 3024)]
SEED = 20260101


def camera(width, height):
    """Focal length and principal point in pixels, as `KernelBenchmark` has them."""
    return 0.93 * width, width / 2 - 3.25, height / 2 + 1.5


def depth_map(width, height):
    """Meters between 0.3 and 5, one pixel in twenty missing."""
    random = np.random.default_rng(SEED)
    depth = random.uniform(0.3, 5, (height, width)).astype(np.float32)
    depth[random.random((height, width)) < 0.05] = np.nan
    return depth


def unprojection(plumbline, folder, width, height, rounds, calls):
    depth = depth_map(width, height)
    path = os.path.join(folder, "depth.raw")
    depth.tofile(path)
    plumbline.ask("load-depth", path, width, height)
    f, cx, cy = camera(width, height)
    matrix = np.array([[f, 0, cx], [0, f, cy], [0, 0, 1]])
    tensor = o3d.core.Tensor(matrix)
    image = o3d.t.geometry.Image(depth)
    legacy_image = o3d.geometry.Image(depth)
    legacy_camera = o3d.camera.PinholeCameraIntrinsic(width, height, f, f, cx, cy)
    opencv_points = np.empty((height, width, 4), np.float32)
    u, v = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    columns = ((np.arange(width) - cx) / f).astype(np.float32)[None, :]
    rows = ((np.arange(height) - cy) / f).astype(np.float32)[:, None]
    points = np.empty((height, width, 3), np.float32)

    def opencv():
        cv2.depthTo3d(depth, matrix, opencv_points)
        return opencv_points[..., :3]

    def opencv_threads(threads):
        def call():
            cv2.setNumThreads(threads)
            return opencv()

        return call

    def numpy_plain():
        return np.stack(((u - cx) / f * depth, (v - cy) / f * depth, depth), axis=-1)

    def numpy_in_place():
        np.multiply(columns, depth, out=points[..., 0])
        np.multiply(rows, depth, out=points[..., 1])
        points[..., 2] = depth
        return points

    def open3d_tensor():
        return o3d.t.geometry.PointCloud.create_from_depth_image(
            image, tensor, depth_scale=1.0, depth_max=1000.0
        )

    def open3d_legacy():
        return o3d.geometry.PointCloud.create_from_depth_image(
            legacy_image, legacy_camera, depth_scale=1.0, depth_trunc=1000.0,
            project_valid_depth_only=False,
        )

    plumbline.times("unproject", 1)
    result = os.path.join(folder, "points.raw")
    plumbline.ask("save", result)
    ours = np.fromfile(result, np.float32).reshape(height, width, 3)
    valid = np.isfinite(depth)
    differences = {
        "OpenCV depthTo3d": worst(ours[valid], opencv()[valid]),
        "numpy": worst(ours[valid], numpy_plain()[valid]),
        # In row order, unlike the tensor's points.
        "Open3D legacy": worst(
            ours[valid], np.asarray(open3d_legacy().points).reshape(height, width, 3)[valid]
        ),
    }
    contenders = {
        "Plumbline unproject(into:)": lambda n: plumbline.times("unproject", n),
        "memcpy of the same traffic": lambda n: plumbline.times("copy-of-points", n),
        "Plumbline points (fresh memory)": lambda n: plumbline.times("points", n),
        "OpenCV depthTo3d, 1 thread": timed(opencv_threads(1)),
        "OpenCV depthTo3d, all threads": timed(opencv_threads(os.cpu_count())),
        "numpy in place, float32": timed(numpy_in_place),
        "numpy as usually written": timed(numpy_plain),
        "Open3D tensor": timed(open3d_tensor),
        "Open3D legacy": timed(open3d_legacy),
    }
    return {
        "work": f"depth → XYZ, {width}×{height}",
        "reference": "Plumbline unproject(into:)",
        "worst_difference_meters": differences,
        "times": interleaved(contenders, rounds, calls),
    }


def half_disparity(plumbline, folder, width, height, rounds, calls):
    with np.errstate(all="ignore"):
        disparity = (1 / depth_map(width, height)).astype(np.float16)
    path = os.path.join(folder, "half.raw")
    disparity.tofile(path)
    plumbline.ask("load-half", path, width, height)

    def numpy_lawful():
        wide = disparity.astype(np.float32)
        with np.errstate(all="ignore"):
            return np.where((wide > 0) & np.isfinite(wide), 1 / wide, np.float32(np.nan))

    def numpy_bare():
        with np.errstate(all="ignore"):
            return 1 / disparity.astype(np.float32)

    plumbline.times("half-disparity", 1)
    result = os.path.join(folder, "half-result.raw")
    plumbline.ask("save", result)
    ours = np.fromfile(result, np.float32).reshape(height, width)
    if not np.array_equal(ours, numpy_lawful(), equal_nan=True):
        raise SystemExit("half-precision disparity: Plumbline and numpy disagree")
    out = np.empty((height, width), np.float32)

    def numpy_in_place():
        np.divide(np.float32(1), disparity, out=out, dtype=np.float32)
        out[~((out > 0) & np.isfinite(out))] = np.nan

    contenders = {
        "Plumbline": lambda n: plumbline.times("half-disparity", n),
        "Plumbline replace(with:)": lambda n: plumbline.times("half-disparity-reused", n),
        "memcpy of the same traffic": lambda n: plumbline.times("copy-of-halves", n),
        "numpy, missing → NaN": timed(numpy_lawful),
        "numpy in place, missing → NaN": timed(numpy_in_place),
        "numpy, 1/x only": timed(numpy_bare),
    }
    return {
        "work": f"Float16 disparity → Float32 depth, {width}×{height}",
        "reference": "Plumbline",
        "worst_difference_meters": {"numpy": 0.0},
        "times": interleaved(contenders, rounds, calls),
    }


def rectification(plumbline, folder, width, height, rounds, calls):
    # Noise, smoothed: OpenCV rounds positions to 1/32 px, which plain noise would make a difference.
    random = np.random.default_rng(SEED)
    noise = random.integers(0, 256, (height // 8, width // 8, 3), dtype=np.uint8)
    color = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    gray = np.ascontiguousarray(color[..., 1])
    path = os.path.join(folder, "image.raw")
    color.tofile(path)
    plumbline.ask("load-image", path, width, height)
    f, cx, cy = camera(width, height)
    matrix = np.array([[f, 0, cx], [0, f, cy], [0, 0, 1]])
    terms = np.array([-0.2664, -0.0386, 0, 0, 0.2384])

    def maps():
        return cv2.initUndistortRectifyMap(
            matrix, terms, None, matrix, (width, height), cv2.CV_32FC1
        )

    columns, rows = maps()
    fixed = cv2.convertMaps(columns, rows, cv2.CV_16SC2)
    colors, grays = np.empty_like(color), np.empty_like(gray)
    cv2.setNumThreads(1)
    # OpenCV mixes the last half pixel of the border with black; inside both mean the same.
    inside = (columns > 0) & (rows > 0) & (columns < width - 1) & (rows < height - 1)
    groups = []
    for name, kernel, image, result in (
        ("RGB", "rectify-color", color, colors), ("gray", "rectify-gray", gray, grays)
    ):
        plumbline.times(kernel, 1)
        saved = os.path.join(folder, "rectified.raw")
        plumbline.ask("save", saved)
        ours = np.fromfile(saved, np.uint8).reshape(image.shape)
        cv2.remap(image, columns, rows, cv2.INTER_LINEAR, result)
        difference = np.abs(ours.astype(int) - result.astype(int))[inside]
        if difference.max() > 4:
            raise SystemExit(f"rectified {name}: Plumbline and OpenCV differ by {difference.max()}")

        def remap(maps, image=image, result=result):
            cv2.remap(image, maps[0], maps[1], cv2.INTER_LINEAR, result)

        contenders = {
            "Plumbline": lambda n, kernel=kernel: plumbline.times(kernel, n),
            "OpenCV remap, float maps": timed(lambda remap=remap: remap((columns, rows))),
            "OpenCV remap, fixed maps": timed(lambda remap=remap: remap(fixed)),
        }
        groups.append({
            "work": f"rectify a {name} image, {width}×{height}, one thread",
            "reference": "Plumbline",
            "worst_difference_codes": {"OpenCV": int(difference.max())},
            "mean_difference_codes": {"OpenCV": float(difference.mean())},
            "times": interleaved(contenders, rounds, calls),
        })
    groups.append({
        "work": f"the plan to rectify {width}×{height}, one thread",
        "reference": "Plumbline",
        "times": interleaved(
            {
                "Plumbline": lambda n: plumbline.times("rectification-plan", n),
                "OpenCV initUndistortRectifyMap": timed(maps),
            },
            rounds, calls,
        ),
    })
    return groups


def worst(ours, theirs):
    return float(np.max(np.abs(ours.astype(np.float64) - theirs.astype(np.float64))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    plumbline = PlumblineProcess(options.executable)
    groups = []
    with tempfile.TemporaryDirectory() as folder:
        for width, height in SIZES:
            small = width < 1000
            rounds = (10 if small else 4) if options.quick else (60 if small else 12)
            calls = 10 if small else 2
            groups.append(unprojection(plumbline, folder, width, height, rounds, calls))
            groups.append(half_disparity(plumbline, folder, width, height, rounds, calls))
            groups += rectification(plumbline, folder, width, height, rounds, calls)
    plumbline.close()
    versions = {"numpy": np.__version__, "OpenCV": cv2.__version__, "Open3D": o3d.__version__}
    print(json.dumps({"groups": groups, "versions": versions}))


main()
