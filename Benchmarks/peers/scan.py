"""TSDF of the frames of a Stray Scanner folder by Open3D's VoxelBlockGrid, and the same frames as a raw dump.

    scan.py dump FOLDER FILE [every] [scale]      frames with sigma, for Benchmarks/Speed/ScanBenchmark
    scan.py peer FILE VOXEL_METERS                times of Open3D on the dump, one JSON line

The dump: three int32 (count, width, height), four float64 (fx, fy, cx, cy); for each frame 16 float64
(world from camera, row-major), float64 seconds, then float32 depth in meters and float32 sigma in meters.
Pixels of confidence 0 have sigma NaN; both sides then fuse the same pixels.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy


def pose(row):
    x, y, z, w = row[5:9]
    rotation = numpy.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])
    matrix = numpy.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = row[2:5]
    return matrix


def dump(folder, path, every=1, scale=1.0):
    import cv2

    folder = Path(folder)
    matrix = numpy.loadtxt(folder / "camera_matrix.csv", delimiter=",")
    odometry = numpy.loadtxt(folder / "odometry.csv", delimiter=",", skiprows=1)
    # Timestamp, frame, x, y, z, then the quaternion.
    rows = odometry[::every]
    names = [f"{int(row[1]):06d}.png" for row in rows]
    width, height = int(256 * scale), int(192 * scale)
    # Centers of pixels at whole numbers, from an image of 1920 x 1440.
    factor = width / 1920
    camera = [matrix[0, 0] * factor, matrix[1, 1] * factor,
              (matrix[0, 2] + 0.5) * factor - 0.5, (matrix[1, 2] + 0.5) * factor - 0.5]
    with open(path, "wb") as file:
        numpy.array([len(rows), width, height], numpy.int32).tofile(file)
        numpy.array(camera, numpy.float64).tofile(file)
        for row, name in zip(rows, names):
            depth = cv2.imread(str(folder / "depth" / name), cv2.IMREAD_UNCHANGED)
            confidence = cv2.imread(str(folder / "confidence" / name), cv2.IMREAD_UNCHANGED)
            if scale != 1:
                depth = cv2.resize(depth, (width, height), interpolation=cv2.INTER_NEAREST)
                confidence = cv2.resize(confidence, (width, height), interpolation=cv2.INTER_NEAREST)
            meters = depth.astype(numpy.float32) / 1000
            sigma = numpy.sqrt(0.0015**2 + (0.0005 * meters**2) ** 2)
            sigma[(confidence == 0) | (meters <= 0) | (meters > 5)] = numpy.nan
            sigma[confidence == 1] *= 2
            pose(row).tofile(file)
            numpy.array([row[0]], numpy.float64).tofile(file)
            meters.tofile(file)
            sigma.astype(numpy.float32).tofile(file)


def frames(path):
    with open(path, "rb") as file:
        count, width, height = numpy.fromfile(file, numpy.int32, 3)
        camera = numpy.fromfile(file, numpy.float64, 4)
        result = []
        for _ in range(count):
            matrix = numpy.fromfile(file, numpy.float64, 16).reshape(4, 4)
            numpy.fromfile(file, numpy.float64, 1)
            depth = numpy.fromfile(file, numpy.float32, width * height).reshape(height, width)
            sigma = numpy.fromfile(file, numpy.float32, width * height).reshape(height, width)
            depth = numpy.where(numpy.isfinite(sigma), depth, 0).astype(numpy.float32)
            result.append((matrix, depth))
    return camera, result


def peer(path, voxel):
    import open3d
    from open3d.core import Dtype, Tensor

    camera, recorded = frames(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    intrinsic = Tensor([[camera[0], 0, camera[2]], [0, camera[1], camera[3]], [0, 0, 1.0]], Dtype.Float64)
    grid = open3d.t.geometry.VoxelBlockGrid(
        ("tsdf", "weight"), (Dtype.Float32, Dtype.Float32), ((1,), (1,)), voxel, 8, 20000)
    cpu, wall = time.process_time(), time.perf_counter()
    for matrix, depth in recorded:
        image = open3d.t.geometry.Image(Tensor(depth))
        extrinsic = Tensor(numpy.linalg.inv(matrix))
        blocks = grid.compute_unique_block_coordinates(image, intrinsic, extrinsic, 1.0, 5.0)
        grid.integrate(blocks, image, intrinsic, extrinsic, 1.0, 5.0)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps({
        "frames": len(recorded), "wall_ms": 1e3 * wall / len(recorded),
        "processor_ms": 1e3 * cpu / len(recorded), "peak_mib": peak / 1024,
        "blocks": int(grid.hashmap().size())}))


if __name__ == "__main__":
    if sys.argv[1] == "dump":
        dump(sys.argv[2], sys.argv[3], int((sys.argv[4:5] or ["1"])[0]), float((sys.argv[5:6] or ["1"])[0]))
    else:
        peer(sys.argv[2], float(sys.argv[3]))
