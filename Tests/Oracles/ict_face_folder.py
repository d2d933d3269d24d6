"""Writes the packed points of ICT-FaceKit's face as the folder of OBJ files that its users have.

    ict_face_folder.py ict_face9409.npz FOLDER

The pack holds points alone: a mean, 100 modes of identity and 57 expressions, in centimeters. The
triangles of the folder are found by a rolling ball over a pose whose lips and lids are apart, and small
holes of it are closed; they are not ICT-FaceKit's own polygons, but a surface through the same points.
Texture coordinates are those of a cylinder around the head.
"""

import sys
from pathlib import Path

import numpy as np
import open3d as o3d

EXPRESSIONS = """PupilDilate_L PupilDilate_R browDown_L browDown_R browInnerUp_L browInnerUp_R
browOuterUp_L browOuterUp_R cheekPuff_L cheekPuff_R cheekRaiser_L cheekRaiser_R cheekSquint_L
cheekSquint_R eyeBlink_L eyeBlink_R eyeLookDown_L eyeLookDown_R eyeLookIn_L eyeLookIn_R eyeLookOut_L
eyeLookOut_R eyeLookUp_L eyeLookUp_R eyeSquint_L eyeSquint_R eyeWide_L eyeWide_R jawForward jawLeft
jawOpen jawRight mouthClose mouthDimple_L mouthDimple_R mouthFrown_L mouthFrown_R mouthFunnel mouthLeft
mouthLowerDown_L mouthLowerDown_R mouthPress_L mouthPress_R mouthPucker mouthRight mouthRollLower
mouthRollUpper mouthShrugLower mouthShrugUpper mouthSmile_L mouthSmile_R mouthStretch_L mouthStretch_R
mouthUpperUp_L mouthUpperUp_R noseSneer_L noseSneer_R""".split()


def triangles_of(mean, expression):
    shape = {name: expression[i] for i, name in enumerate(EXPRESSIONS)}
    pose = mean + 0.9 * shape["jawOpen"] + 0.8 * (shape["eyeWide_L"] + shape["eyeWide_R"])
    for name in ("mouthLowerDown_L", "mouthLowerDown_R", "mouthUpperUp_L", "mouthUpperUp_R"):
        pose = pose + 0.3 * shape[name]
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(pose))
    cloud.estimate_normals(o3d.geometry.KDTreeSearchParamKNN(12))
    cloud.orient_normals_consistent_tangent_plane(10)
    normals = np.asarray(cloud.normals)
    if normals[np.argmax(pose[:, 2]), 2] < 0:
        cloud.normals = o3d.utility.Vector3dVector(-normals)
    radii = [0.04, 0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.55, 0.8, 1.1]
    mesh = o3d.geometry.TriangleMesh.create_from_point_cloud_ball_pivoting(
        cloud, o3d.utility.DoubleVector(radii))
    return closed(manifold(np.asarray(mesh.triangles).tolist()))


def edges_of(triangles):
    """The triangles at each edge, and the directed edges."""
    at, directed = {}, {}
    for index, t in enumerate(triangles):
        for i in range(3):
            a, b = t[i], t[(i + 1) % 3]
            at.setdefault((min(a, b), max(a, b)), []).append(index)
            directed.setdefault((a, b), []).append(index)
    return at, directed


def manifold(triangles):
    """Leaves out triangles at crowded or turned edges, then all but the largest fan at each vertex."""
    while True:
        at, directed = edges_of(triangles)
        out = {i for users in at.values() if len(users) > 2 for i in users[2:]}
        out |= {i for users in directed.values() for i in users[1:]}
        if not out:
            fans = {}
            for index, t in enumerate(triangles):
                for vertex in t:
                    fans.setdefault(vertex, []).append(index)
            for vertex, users in fans.items():
                parts = []
                for index in users:
                    ends = set(triangles[index]) - {vertex}
                    touching = [p for p in parts if p[1] & ends]
                    parts = [p for p in parts if not p[1] & ends]
                    joined = ([index], ends)
                    for p in touching:
                        joined = (joined[0] + p[0], joined[1] | p[1])
                    parts.append(joined)
                parts.sort(key=lambda p: -len(p[0]))
                out |= {i for p in parts[1:] for i in p[0]}
        if not out:
            return triangles
        triangles = [t for i, t in enumerate(triangles) if i not in out]


def loops_of(triangles):
    directed = {(t[i], t[(i + 1) % 3]) for t in triangles for i in range(3)}
    # A hole is passed against the direction of its triangles' edges.
    following = {b: a for a, b in directed if (b, a) not in directed}
    seen, loops = set(), []
    for start in sorted(following):
        loop, vertex = [], start
        while vertex in following and vertex not in seen:
            seen.add(vertex)
            loop.append(vertex)
            vertex = following[vertex]
        if vertex == start and len(loop) > 2:
            loops.append(loop)
    return loops


def closed(triangles, longest=16):
    """Closes holes of at most `longest` edges by fans that add no edge twice."""
    for loop in loops_of(triangles):
        if len(loop) > longest:
            continue
        edges = set(edges_of(triangles)[0])
        for turn in range(len(loop)):
            ring = loop[turn:] + loop[:turn]
            inner = {(min(ring[0], v), max(ring[0], v)) for v in ring[2:-1]}
            if not inner & edges:
                triangles += [[ring[0], ring[i], ring[i + 1]] for i in range(1, len(ring) - 1)]
                break
    return triangles


def write(path, points, rest=""):
    lines = "".join("v %.5f %.5f %.5f\n" % tuple(point) for point in points)
    path.write_text(lines + rest)


def main():
    pack = np.load(sys.argv[1])
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    mean = pack["mean"].astype(float)
    identity = pack["identity"].astype(float)
    expression = pack["expression"].astype(float)
    triangles = triangles_of(mean, expression)
    u = 0.5 + np.arctan2(mean[:, 0], mean[:, 2] + 2) / (2 * np.pi) * 1.4
    v = (mean[:, 1] - mean[:, 1].min()) / np.ptp(mean[:, 1])
    rest = "".join("vt %.5f %.5f\n" % pair for pair in zip(u, v))
    rest += "".join(
        "f " + " ".join("%d/%d" % (i + 1, i + 1) for i in t) + "\n" for t in triangles)
    write(folder / "generic_neutral_mesh.obj", mean, rest)
    for i, mode in enumerate(identity):
        write(folder / ("identity%03d.obj" % i), mean + mode)
    for name, mode in zip(EXPRESSIONS, expression):
        write(folder / (name + ".obj"), mean + mode)
    print("%d triangles on %d of %d vertices" % (
        len(triangles), len(np.unique(triangles)), len(mean)))


if __name__ == "__main__":
    main()
