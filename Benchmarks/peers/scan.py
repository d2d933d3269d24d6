"""Fusion of depth frames beside Open3D's VoxelBlockGrid, on the same frames and poses, in turns.

Prints a table: milliseconds a frame, wall and processor (medians of the rounds), peak memory beyond the loaded
frames, the mesh and a view of the surface. Each measurement is a process of its own.

    scan.py SCAN_BENCHMARK RECORDING [--rgbd FOLDER] [--rounds N] [--every N] [--voxels METERS,...]

Frames: of RECORDING, a folder of Stray Scanner, every Nth one, confidence 1 and 2, up to 5 m; with --rgbd the five color frames of Open3D's
redwood sample (the folder with color/, depth/ and trajectory.log), eight times. Open3D takes the same pixels; it
has no weights. Its default truncation is eight voxels, that of the other side follows from the noise, 2.5 voxels
at least: `Open3D, 3 voxels` is the same work with a band like ours.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

THREADS = 2
MAXIMUM_DEPTH = 5.0


def matrix_of(translation, quaternion):
    x, y, z, w = quaternion
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, 3] = translation
    return matrix


def sigma_of(meters):
    """The noise of a LiDAR pixel: Documentation/scan/volume.md."""
    return np.sqrt(0.0015**2 + (0.0005 * meters**2) ** 2).astype(np.float32)


def lidar(folder, every):
    import cv2

    k = np.loadtxt(os.path.join(folder, "camera_matrix.csv"), delimiter=",")
    rows = np.loadtxt(os.path.join(folder, "odometry.csv"), delimiter=",", skiprows=1)[::every]
    # Centers of pixels at whole numbers, from an image of 1920 x 1440.
    factor = 256 / 1920
    camera = [k[0, 0] * factor, k[1, 1] * factor,
              (k[0, 2] + 0.5) * factor - 0.5, (k[1, 2] + 0.5) * factor - 0.5]
    frames = []
    for row in rows:
        name = f"{int(row[1]):06d}.png"
        depth = cv2.imread(os.path.join(folder, "depth", name), cv2.IMREAD_UNCHANGED)
        confidence = cv2.imread(os.path.join(folder, "confidence", name), cv2.IMREAD_UNCHANGED)
        meters = depth.astype(np.float32) / 1000
        sigma = sigma_of(meters)
        sigma[(confidence == 0) | (meters <= 0) | (meters > MAXIMUM_DEPTH)] = np.nan
        sigma[confidence == 1] *= 2
        frames.append((matrix_of(row[2:5], row[5:9]), row[0], meters, sigma, None))
    return camera, frames


def redwood(folder, repeats=8):
    import cv2

    lines = open(os.path.join(folder, "trajectory.log")).read().split("\n")
    frames = []
    for number in range(5):
        pose = np.array([[float(x) for x in line.split()] for line in lines[5 * number + 1:5 * number + 5]])
        depth = cv2.imread(os.path.join(folder, "depth", f"{number:05}.png"), cv2.IMREAD_UNCHANGED)
        color = cv2.imread(os.path.join(folder, "color", f"{number:05}.jpg"))[:, :, ::-1]
        meters = depth.astype(np.float32) / 1000
        sigma = sigma_of(meters)
        sigma[(meters <= 0) | (meters > MAXIMUM_DEPTH)] = np.nan
        frames.append((pose, 0.2 * number, meters, sigma, np.ascontiguousarray(color)))
    return [525.0, 525.0, 319.5, 239.5], frames * repeats


def write(path, camera, frames):
    """The frames as Benchmarks/Speed/ScanBenchmark/FrameFile.swift reads them."""
    height, width = frames[0][2].shape
    with open(path, "wb") as file:
        np.array([len(frames), width, height, frames[0][4] is not None], np.int32).tofile(file)
        np.array(camera, np.float64).tofile(file)
        for number, (pose, seconds, meters, sigma, color) in enumerate(frames):
            pose.astype(np.float64).tofile(file)
            np.array([seconds if color is None else 0.2 * number], np.float64).tofile(file)
            meters.tofile(file)
            sigma.tofile(file)
            if color is not None:
                color.tofile(file)


def read(path):
    with open(path, "rb") as file:
        count, width, height, has_color = np.fromfile(file, np.int32, 4)
        camera = np.fromfile(file, np.float64, 4)
        frames = []
        for _ in range(count):
            pose = np.fromfile(file, np.float64, 16).reshape(4, 4)
            np.fromfile(file, np.float64, 1)
            depth = np.fromfile(file, np.float32, width * height).reshape(height, width)
            sigma = np.fromfile(file, np.float32, width * height).reshape(height, width)
            color = np.fromfile(file, np.uint8, 3 * width * height).reshape(height, width, 3) if has_color else None
            frames.append((pose, np.where(np.isfinite(sigma), depth, 0).astype(np.float32), color))
    return camera, frames


def used(work, count=1):
    """Wall and processor milliseconds of one of `count` works, and what the work returned."""
    processor, wall = time.process_time(), time.perf_counter()
    answer = work()
    return (time.perf_counter() - wall) * 1e3 / count, (time.process_time() - processor) * 1e3 / count, answer


def peak():
    """The largest resident memory in MiB, since forget_peak() where the system can, as ScanBenchmark measures it."""
    try:
        with open("/proc/self/status") as file:
            return next(float(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM:"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1048576


def forget_peak():
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


def peer(path, voxel, truncation):
    """Open3D on a file of frames; prints one line of JSON."""
    import open3d
    from open3d.core import Dtype, Tensor

    camera, frames = read(path)
    images = [(Tensor(np.linalg.inv(pose)), open3d.t.geometry.Image(Tensor(depth)),
               None if color is None else open3d.t.geometry.Image(Tensor(color.astype(np.float32) / 255)))
              for pose, depth, color in frames]
    has_color = frames[0][2] is not None
    intrinsic = Tensor([[camera[0], 0, camera[2]], [0, camera[1], camera[3]], [0, 0, 1.0]], Dtype.Float64)
    names, types, shapes = ("tsdf", "weight"), (Dtype.Float32, Dtype.Float32), ((1,), (1,))
    if has_color:
        names, types, shapes = names + ("color",), types + (Dtype.Float32,), shapes + ((3,),)
    forget_peak()
    before = peak()
    grid = open3d.t.geometry.VoxelBlockGrid(names, types, shapes, voxel, 8, 20000)

    def fuse():
        for extrinsic, depth, color in images:
            blocks = grid.compute_unique_block_coordinates(
                depth, intrinsic, extrinsic, 1.0, MAXIMUM_DEPTH, truncation)
            if color is None:
                grid.integrate(blocks, depth, intrinsic, extrinsic, 1.0, MAXIMUM_DEPTH, truncation)
            else:
                grid.integrate(
                    blocks, depth, color, intrinsic, intrinsic, extrinsic, 1.0, MAXIMUM_DEPTH, truncation)

    wall, processor, _ = used(fuse, len(images))
    fused = peak()
    mesh_wall, mesh_processor, mesh = used(lambda: grid.extract_triangle_mesh(1.0))
    height, width = frames[0][1].shape
    meshed = peak()

    def view():
        for extrinsic, depth, _ in images[:20]:
            blocks = grid.compute_unique_block_coordinates(
                depth, intrinsic, extrinsic, 1.0, MAXIMUM_DEPTH, truncation)
            grid.ray_cast(
                blocks, intrinsic, extrinsic, width, height, ["depth", "normal"], 1.0, 0.1, MAXIMUM_DEPTH, 1.0,
                truncation)

    view_wall, view_processor, _ = used(view, min(20, len(images)))
    print(json.dumps({
        "frames": len(images), "wall_ms": wall, "processor_ms": processor, "peak_mib": fused - before,
        "mesh_wall_ms": mesh_wall, "mesh_processor_ms": mesh_processor, "mesh_peak_mib": meshed - before,
        "vertices": len(mesh.vertex.positions), "view_wall_ms": view_wall, "view_processor_ms": view_processor,
        "blocks": int(grid.hashmap().size())}))


def measured(command):
    environment = {**os.environ, "OMP_NUM_THREADS": str(THREADS)}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    return json.loads(done.stdout.strip().split("\n")[-1])


COLUMNS = [("wall_ms", "wall ms"), ("processor_ms", "processor ms"), ("peak_mib", "memory MiB"),
           ("mesh_wall_ms", "mesh ms"), ("mesh_processor_ms", "processor ms"), ("mesh_peak_mib", "memory MiB"),
           ("view_wall_ms", "view ms"), ("view_processor_ms", "processor ms"), ("vertices", "vertices"),
           ("blocks", "blocks")]


def table(title, results):
    """Medians of each column, and the ratio to the first row."""
    print(f"\n**{title}**\n\n| | " + " | ".join(name for _, name in COLUMNS) + " |")
    print("| --- |" + " ---: |" * len(COLUMNS))
    first = None
    for name, runs in results.items():
        values = [statistics.median(run[key] for run in runs) for key, _ in COLUMNS]
        first = first or values
        cells = [f"{value:.3g}" if value < 1e3 else f"{value:.0f}" for value in values]
        if values is not first:
            cells = [f"{cell} ({value / max(base, 1e-9):.1f}×)" if index < 8 else cell
                     for index, (cell, value, base) in enumerate(zip(cells, values, first))]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    if sys.argv[1:2] == ["--peer"]:
        return peer(sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable")
    parser.add_argument("recording")
    parser.add_argument("--rgbd")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=6)
    parser.add_argument("--voxels", default="0.01", help="meters, with commas")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        works = {f"256×192, every {options.every}th frame": lidar(options.recording, options.every)}
        if options.rgbd:
            works["640×480 with color"] = redwood(options.rgbd)
        for title, (camera, frames) in works.items():
            path = os.path.join(folder, "frames")
            write(path, camera, frames)
            for voxel in options.voxels.split(","):
                here = [sys.executable, os.path.abspath(__file__), "--peer", path, voxel]
                commands = {"Plumbline": [options.executable, path, voxel, str(THREADS)],
                            "Open3D": here + ["8"], "Open3D, 3 voxels": here + ["3"]}
                results = {name: [] for name in commands}
                for _ in range(options.rounds):
                    for name, command in commands.items():
                        results[name].append(measured(command))
                table(f"{title}, {1000 * float(voxel):g} mm", results)


if __name__ == "__main__":
    main()
