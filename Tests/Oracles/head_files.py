"""Reads the files of a head with four foreign readers, and prints what they say as JSON.

    head_files.py FOLDER     with face-1.glb, face-1.ply and face-1.usdz

pygltflib and numpy read the GLB, trimesh the PLY, OpenUSD the USDZ, Open3D the OBJ and again the GLB.
"""

import json
import sys
from pathlib import Path

import numpy as np
import open3d as o3d
import pygltflib
import trimesh
from pxr import Usd, UsdGeom, UsdSkel

TYPES = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def values(gltf, blob, index):
    """The numbers of an accessor, a sparse one filled up."""
    accessor = gltf.accessors[index]
    width = SIZES[accessor.type]

    def part(view, offset, kind, count, width):
        start = (gltf.bufferViews[view].byteOffset or 0) + (offset or 0)
        return np.frombuffer(blob, TYPES[kind], count * width, start).reshape(count, width)

    if accessor.bufferView is not None:
        result = part(
            accessor.bufferView, accessor.byteOffset, accessor.componentType, accessor.count, width)
    else:
        result = np.zeros((accessor.count, width), TYPES[accessor.componentType])
    sparse = accessor.sparse
    if sparse is not None:
        result = result.copy()
        places = part(
            sparse.indices.bufferView, sparse.indices.byteOffset, sparse.indices.componentType,
            sparse.count, 1)[:, 0]
        result[places] = part(
            sparse.values.bufferView, sparse.values.byteOffset, accessor.componentType,
            sparse.count, width)
    return result


def glb(path):
    gltf = pygltflib.GLTF2().load(str(path))
    blob = gltf.binary_blob()
    mesh = gltf.meshes[0]
    primitive = mesh.primitives[0]
    uv = values(gltf, blob, primitive.attributes.TEXCOORD_0)
    normals = values(gltf, blob, primitive.attributes.NORMAL)
    triangles = values(gltf, blob, primitive.indices).reshape(-1, 3)
    positions = values(gltf, blob, primitive.attributes.POSITION).astype(float)
    names = mesh.extras["targetNames"]
    moves, turns, misses = [], [], []
    for target in primitive.targets:
        delta = values(gltf, blob, target["POSITION"]).astype(float)
        turn = values(gltf, blob, target["NORMAL"])
        moves.append(float(np.abs(delta).max()))
        turns.append(float(np.abs(turn).max()))
        # Vertices on seams are several: normals are summed over those of one place.
        misses.append(normal_miss(positions, delta, normals + turn, triangles))
    return {
        "uvLow": float(uv.min()), "uvHigh": float(uv.max()), "names": names,
        "weights": len(mesh.weights), "leastMove": min(moves), "leastTurn": min(turns),
        "normalMissDegrees": max(misses),
    }


def normal_miss(positions, delta, told, triangles):
    """The median angle between the normals of the moved mesh and those that the file tells, in degrees."""
    _, groups = np.unique(positions, axis=0, return_inverse=True)
    groups = groups.reshape(-1)
    moved = positions + delta
    a, b, c = (moved[triangles[:, i]] for i in range(3))
    areas = np.cross(b - a, c - a)
    sums = np.zeros((groups.max() + 1, 3))
    for corner in range(3):
        np.add.at(sums, groups[triangles[:, corner]], areas)
    exact = sums[groups]
    lengths = np.linalg.norm(exact, axis=1) * np.linalg.norm(told, axis=1)
    used = (np.abs(delta).max(axis=1) > 1e-4) & (lengths > 0)
    cosines = (exact * told).sum(axis=1)[used] / lengths[used]
    return float(np.degrees(np.arccos(np.clip(cosines, -1, 1))).max()) if used.any() else 0.0


def ply(path):
    raw = trimesh.load(path, process=False).metadata["_ply_raw"]
    vertices, faces = raw["vertex"]["data"], raw["face"]["data"]["vertex_indices"]
    # trimesh splits vertices at seams of the texture; the surface is that of the file's own indices.
    mesh = trimesh.Trimesh(
        np.stack([np.asarray(vertices[axis]).reshape(-1) for axis in "xyz"], 1),
        np.asarray(faces["f1"] if faces.dtype.names else faces).reshape(-1, 3), process=False)
    invented = np.asarray(vertices["invented"]).reshape(-1)
    sigma = np.asarray(vertices["sigma"]).reshape(-1)
    return {
        "watertight": bool(mesh.is_watertight), "windingConsistent": bool(mesh.is_winding_consistent),
        "volumeLiters": float(1000 * mesh.volume), "vertices": len(mesh.vertices),
        "invented": int((invented == 1).sum()), "firstInvented": int(np.argmax(invented == 1)),
        "leastInventedSigma": float(sigma[invented == 1].min()),
    }


def usdz(path):
    stage = Usd.Stage.Open(str(path))
    shapes, least, matched = [], [], True
    coordinates = None
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.BlendShape):
            shape = UsdSkel.BlendShape(prim)
            offsets = np.array(shape.GetOffsetsAttr().Get())
            turns = np.array(shape.GetNormalOffsetsAttr().Get())
            points = np.array(shape.GetPointIndicesAttr().Get())
            matched = matched and len(offsets) == len(turns) == len(points)
            shapes.append(prim.GetName())
            least.append(float(min(np.abs(offsets).max(), np.abs(turns).max())))
        if prim.IsA(UsdGeom.Mesh):
            primvar = UsdGeom.PrimvarsAPI(prim).GetPrimvar("st")
            coordinates = np.array(primvar.Get())
    return {
        "names": shapes, "matched": bool(matched), "least": min(least),
        "uvLow": float(coordinates.min()), "uvHigh": float(coordinates.max()),
    }


def open3d(folder):
    """What Open3D reads, and from each of five sides the share of what is seen that faces outward."""
    o3d.utility.set_verbosity_level(o3d.utility.VerbosityLevel.Error)
    mesh = o3d.io.read_triangle_mesh(str(folder / "face-1.obj"), enable_post_processing=False)
    model = o3d.io.read_triangle_mesh(str(folder / "face-1.glb"))
    # The OBJ has a vertex for each texture coordinate; the surface is that of its places.
    joined = o3d.geometry.TriangleMesh(mesh).remove_duplicated_vertices()
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(
        o3d.core.Tensor(np.asarray(joined.vertices).astype(np.float32)),
        o3d.core.Tensor(np.asarray(joined.triangles).astype(np.uint32)))
    low, high = joined.get_min_bound(), joined.get_max_bound()
    center, reach = (low + high) / 2, float((high - low).max())
    sides = []
    # Front, both three-quarter sides, the side, the back: turned about the vertical axis of the file.
    for degrees in (0, 45, -45, 90, 180):
        turn = np.radians(degrees)
        out = np.array([np.sin(turn), 0, np.cos(turn)])
        right = np.array([np.cos(turn), 0, -np.sin(turn)])
        across, up = np.meshgrid(np.linspace(-0.5, 0.5, 200), np.linspace(-0.5, 0.5, 200))
        starts = (center + 2 * reach * out + reach * across[..., None] * right
                  + reach * up[..., None] * np.array([0, 1, 0]))
        rays = np.concatenate([starts, np.broadcast_to(-out, starts.shape)], -1)
        hits = scene.cast_rays(o3d.core.Tensor(rays.astype(np.float32)))
        seen = np.isfinite(hits["t_hit"].numpy())
        facing = hits["primitive_normals"].numpy()[seen] @ out > 0
        sides.append({"seen": float(seen.mean()), "outward": float(facing.mean())})
    return {
        "objTriangles": len(mesh.triangles), "glbTriangles": len(model.triangles),
        "hasTexture": mesh.has_triangle_uvs() and len(mesh.textures) > 0,
        "closed": bool(joined.is_edge_manifold(allow_boundary_edges=False)), "orientable": bool(joined.is_orientable()),
        "height": float(high[1] - low[1]), "sides": sides,
    }


def main():
    folder = Path(sys.argv[1])
    print(json.dumps({
        "glb": glb(folder / "face-1.glb"), "ply": ply(folder / "face-1.ply"),
        "usdz": usdz(folder / "face-1.usdz"), "open3d": open3d(folder),
        "document": json.loads((folder / "face.json").read_text())["faces"][0]["head"],
    }))


if __name__ == "__main__":
    main()
