"""The distance between a face and a cloud of points of the same head, after rigid alignment, as JSON.

    face_surface_distance.py FACE.obj CLOUD.ply

Both are in meters. The cloud is fitted to the face from each of the 24 rotations of a cube, by point to
plane, and the best of them counts. `share` is that of the face's vertices with a point of the cloud within
5 mm, `median` and `p95` their distances to the cloud's planes, meters.
"""

import itertools
import json
import sys

import numpy as np
import open3d as o3d
from plyfile import PlyData


def cube_turns():
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1, -1), repeat=3):
            turn = np.zeros((3, 3))
            turn[range(3), order] = signs
            if np.linalg.det(turn) > 0:
                yield turn


def main():
    face = o3d.io.read_triangle_mesh(sys.argv[1])
    vertices = np.asarray(face.vertices)
    used = vertices[np.unique(np.asarray(face.triangles))]
    entries = PlyData.read(sys.argv[2])["vertex"]
    points = np.stack([entries["x"], entries["y"], entries["z"]], 1).astype(float)
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points))
    cloud.estimate_normals(o3d.geometry.KDTreeSearchParamKNN(20))
    probe = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(used))
    to_plane = o3d.pipelines.registration.TransformationEstimationPointToPlane()
    steps = o3d.pipelines.registration.ICPConvergenceCriteria(max_iteration=60)
    best = None
    for turn in cube_turns():
        start = np.eye(4)
        start[:3, :3] = turn
        start[:3, 3] = points.mean(0) - turn @ used.mean(0)
        for reach in (0.05, 0.004):
            found = o3d.pipelines.registration.registration_icp(probe, cloud, reach, start, to_plane, steps)
            start = found.transformation
        if best is None or found.fitness > best.fitness:
            best = found
    probe.transform(best.transformation)
    tree = o3d.geometry.KDTreeFlann(cloud)
    normals = np.asarray(cloud.normals)
    distances = []
    for point in np.asarray(probe.points):
        _, index, square = tree.search_knn_vector_3d(point, 1)
        if square[0] < 0.005**2:
            distances.append(abs((point - points[index[0]]) @ normals[index[0]]))
    print(json.dumps({"share": len(distances) / len(used), "median": float(np.median(distances)),
                      "p95": float(np.percentile(distances, 95))}))


if __name__ == "__main__":
    main()
