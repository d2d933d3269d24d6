"""Point clouds: voxels, normals, outliers and registration beside Open3D and small_gicp, in turns.

Prints a table: wall and processor milliseconds (medians), and for registrations the distance that is left.
Points: the frames of `lidar/stray-walk` with confidence 2, at the recorded poses.

    points.py POINTS_BENCHMARK STRAY_WALK [--rounds N] [--only WORDS]
"""

import argparse
import csv
import json
import os
import statistics
import tempfile
import time

import cv2
import numpy as np
import open3d as o3d
import small_gicp

from plumbline_process import PlumblineProcess

THREADS = 2


def frames(folder, numbers):
    """World points of some frames of a Stray Scanner recording."""
    k = np.loadtxt(os.path.join(folder, "camera_matrix.csv"), delimiter=",")
    with open(os.path.join(folder, "odometry.csv")) as file:
        poses = [[float(x) for x in row] for row in list(csv.reader(file))[1:]]
    clouds = []
    for number in numbers:
        z = cv2.imread(os.path.join(folder, "depth", f"{number:06}.png"), cv2.IMREAD_UNCHANGED) / 1000
        sure = cv2.imread(os.path.join(folder, "confidence", f"{number:06}.png"), cv2.IMREAD_UNCHANGED) == 2
        scale = z.shape[1] / 1920
        u, v = np.meshgrid(np.arange(z.shape[1]), np.arange(z.shape[0]))
        x = ((u + 0.5) / scale - 0.5 - k[0, 2]) / k[0, 0]
        y = ((v + 0.5) / scale - 0.5 - k[1, 2]) / k[1, 1]
        camera = np.stack([x * z, y * z, z], -1)[sure & (z > 0)]
        _, _, tx, ty, tz, qx, qy, qz, qw = poses[number][:9]
        rotation = o3d.geometry.get_rotation_matrix_from_quaternion([qw, qx, qy, qz])
        clouds.append(camera @ rotation.T + [tx, ty, tz])
    return np.concatenate(clouds)


def some(points, count, seed):
    """As many points, drawn without order."""
    chosen = np.sort(np.random.default_rng(seed).choice(len(points), count, replace=False))
    return np.ascontiguousarray(points[chosen], np.float32)


def timed(call):
    start, began = time.perf_counter_ns(), time.process_time_ns()
    answer = call()
    return time.perf_counter_ns() - start, time.process_time_ns() - began, answer


def open3d_cloud(points):
    return o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points.astype(np.float64)))


def left_over(pose, source, target_tree):
    """The median and 95 % distance of the moved source from the target, in mm."""
    moved = source.astype(np.float64) @ pose[:3, :3].T + pose[:3, 3]
    distances = np.asarray(open3d_cloud(moved).compute_point_cloud_distance(target_tree))
    return 1000 * np.quantile(distances, [0.5, 0.95])


def contenders(process, big, source, target, folder):
    """Names of works to functions that return wall, processor and an answer."""

    def ours(work, argument):
        def call():
            times = process.ask("time", work, argument, 1)
            answer = None
            if work.startswith(("plane", "gicp")):
                process.ask("save", os.path.join(folder, "answer"))
                numbers = np.loadtxt(os.path.join(folder, "answer"))
                answer = numbers[:16].reshape(4, 4), int(numbers[16])
            return times["nanoseconds"][0], times["processor"][0], answer

        return call

    cloud = open3d_cloud(big)
    gicp_cloud = small_gicp.PointCloud(big.astype(np.float64))
    a, b = open3d_cloud(source), open3d_cloud(target)
    small_a, small_b = (small_gicp.PointCloud(p.astype(np.float64)) for p in (source, target))
    search = o3d.geometry.KDTreeSearchParamKNN(20)
    for prepared in (a, b):
        prepared.estimate_normals(search)
    small_tree = small_gicp.KdTree(small_b, num_threads=THREADS)
    for prepared in (small_a, small_b):
        small_gicp.estimate_normals_covariances(prepared, num_neighbors=20, num_threads=THREADS)
    registration = o3d.pipelines.registration
    criteria = registration.ICPConvergenceCriteria(max_iteration=30)

    def open3d_icp(kind, everything):
        estimation = {"plane": registration.TransformationEstimationPointToPlane,
                      "gicp": registration.TransformationEstimationForGeneralizedICP}[kind]()
        method = registration.registration_icp if kind == "plane" else registration.registration_generalized_icp

        def call():
            if everything:
                b.estimate_normals(search)
                if kind == "gicp":
                    a.estimate_normals(search)
            return method(a, b, 0.1, np.eye(4), estimation, criteria).transformation, None

        return lambda: timed(call)

    def small_icp(kind, everything):
        def call():
            tree = small_tree
            if everything:
                tree = small_gicp.KdTree(small_b, num_threads=THREADS)
                for points in (small_a, small_b):
                    small_gicp.estimate_normals_covariances(points, num_neighbors=20, num_threads=THREADS)
            result = small_gicp.align(
                small_b, small_a, tree, registration_type={"plane": "PLANE_ICP", "gicp": "GICP"}[kind],
                max_correspondence_distance=0.1, num_threads=THREADS, max_iterations=30)
            return result.T_target_source, result.iterations

        return lambda: timed(call)

    works = {
        "voxels 10 mm, 1 M": {
            "Plumbline": ours("voxels", 0.01),
            "Open3D": lambda: timed(lambda: cloud.voxel_down_sample(0.01) and None),
            "small_gicp": lambda: timed(
                lambda: small_gicp.voxelgrid_sampling(gicp_cloud, 0.01, num_threads=THREADS) and None)},
        "normals k 20, 1 M": {
            "Plumbline": ours("normals", 20),
            "Open3D": lambda: timed(lambda: cloud.estimate_normals(search)),
            "small_gicp": lambda: timed(lambda: small_gicp.estimate_normals(
                gicp_cloud, num_neighbors=20, num_threads=THREADS))},
        "outliers k 20, 1 M": {
            "Plumbline": ours("outliers", 20),
            "Open3D": lambda: timed(lambda: cloud.remove_statistical_outlier(20, 2.0) and None)}}
    for kind in ("plane", "gicp"):
        works[f"{kind}, with tree and normals, 100 k"] = {
            "Plumbline": ours(f"{kind}-all", 0.1), "Open3D": open3d_icp(kind, True),
            "small_gicp": small_icp(kind, True)}
        works[f"{kind}, align only, 100 k"] = {
            "Plumbline": ours(kind, 0.1), "Open3D": open3d_icp(kind, False),
            "small_gicp": small_icp(kind, False)}
    return works, b


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("benchmark")
    parser.add_argument("walk")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="works whose name holds this")
    arguments = parser.parse_args()
    big = some(frames(arguments.walk, range(0, 600, 10)), 1_000_000, 1)
    source = some(frames(arguments.walk, range(60, 75, 3)), 100_000, 2)
    target = some(frames(arguments.walk, range(0, 15, 3)), 100_000, 3)
    with tempfile.TemporaryDirectory() as folder:
        process = PlumblineProcess(arguments.benchmark)
        process.ask("threads", THREADS)
        results = {}
        for name, points in (("source", source), ("target", target)):
            points.tofile(os.path.join(folder, name))
            process.ask("load", name, os.path.join(folder, name))
        big.tofile(os.path.join(folder, "big"))
        works, tree = contenders(process, big, source, target, folder)
        print("| work | contender | wall ms | processor ms | median / 95 % left, mm | iterations |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        for work, calls in works.items():
            if arguments.only not in work:
                continue
            process.ask("load", "target", os.path.join(folder, "big" if "1 M" in work else "target"))
            times, answers = {name: [] for name in calls}, {}
            for turn in range(arguments.rounds):
                for name, call in calls.items():
                    wall, processor, answers[name] = call()
                    times[name].append((wall / 1e6, processor / 1e6))
            for name, values in times.items():
                wall, processor = (statistics.median(column) for column in zip(*values))
                quality = "| |"
                if answers[name] is not None:
                    median, high = left_over(answers[name][0], source, tree)
                    quality = f"| {median:.3f} / {high:.2f} | {answers[name][1] or ''} |"
                print(f"| {work} | {name} | {wall:.0f} | {processor:.0f} {quality}", flush=True)
                results[f"{work}, {name}"] = {"wall_ms": wall, "processor_ms": processor}
        process.close()
        print(json.dumps(results))


if __name__ == "__main__":
    main()
