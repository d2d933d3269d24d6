"""Reads files of a scan with other programs and says in one line of JSON what these found, a list of one for each.

usage: scan_files.py READER PATH [READER PATH]...

`low` and `high` are the corners of the box around the vertices, in the file's own axes and unit; `area` is that of
the triangles; `color` is the mean color of the vertices or of the texture at them, from 0 to 255.
"""

import json
import sys

import numpy


def summary(vertices, faces=None, **more):
    vertices = numpy.asarray(vertices, dtype=float)
    about = {"vertices": len(vertices), "low": vertices.min(0).tolist(), "high": vertices.max(0).tolist()}
    if faces is not None:
        a, b, c = (vertices[numpy.asarray(faces)[:, k]] for k in range(3))
        about["triangles"] = len(faces)
        about["area"] = float(numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1).sum() / 2)
    return about | more


def sampled(image, coordinates):
    """The mean color of an image at texture coordinates whose v points down."""
    image = numpy.asarray(image)[..., :3]
    places = numpy.clip(
        (numpy.asarray(coordinates) * [image.shape[1], image.shape[0]]).astype(int), 0,
        [image.shape[1] - 1, image.shape[0] - 1])
    return image[places[:, 1], places[:, 0]].mean(0).tolist()


def open3d_mesh(path):
    import open3d

    mesh = open3d.io.read_triangle_mesh(path)
    more = {}
    if mesh.has_vertex_colors():
        more["color"] = (255 * numpy.asarray(mesh.vertex_colors).mean(0)).tolist()
    if mesh.has_triangle_uvs():
        image = next(numpy.asarray(t) for t in mesh.textures if not t.is_empty())
        more["image"] = list(image.shape[:2])
    return summary(mesh.vertices, numpy.asarray(mesh.triangles), **more)


def open3d_points(path):
    import open3d

    cloud = open3d.io.read_point_cloud(path)
    more = {}
    if cloud.has_colors():
        more["color"] = (255 * numpy.asarray(cloud.colors).mean(0)).tolist()
    return summary(cloud.points, **more)


def numpy_points(path):
    rows = numpy.loadtxt(path)
    return summary(rows[:, :3], color=rows[:, 3:6].mean(0).tolist())


def trimesh_mesh(path):
    import trimesh

    mesh = trimesh.load_mesh(path, process=False)
    more = {}
    visual = mesh.visual
    if visual.kind == "texture" and visual.uv is not None:
        material = visual.material
        image = getattr(material, "baseColorTexture", None) or getattr(material, "image", None)
        uv = numpy.asarray(visual.uv)
        # trimesh counts v upward.
        more = {
            "image": [image.height, image.width],
            "color": sampled(image.convert("RGB"), numpy.stack([uv[:, 0], 1 - uv[:, 1]], axis=1)),
        }
    elif visual.kind == "vertex":
        more["color"] = numpy.asarray(visual.vertex_colors)[:, :3].mean(0).tolist()
    return summary(mesh.vertices, mesh.faces, **more)


def pygltf(path):
    import io

    import pygltflib
    from PIL import Image

    file = pygltflib.GLTF2().load(path)
    blob = file.binary_blob()

    def values(index):
        accessor = file.accessors[index]
        view = file.bufferViews[accessor.bufferView]
        kind = {5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor.componentType]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor.type]
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        return numpy.frombuffer(blob, kind, accessor.count * width, start).reshape(-1, width)

    primitive = file.meshes[0].primitives[0]
    attributes = primitive.attributes
    more = {"extras": file.nodes[0].extras}
    if attributes.TEXCOORD_0 is not None:
        view = file.bufferViews[file.images[0].bufferView]
        start = view.byteOffset or 0
        image = Image.open(io.BytesIO(blob[start : start + view.byteLength])).convert("RGB")
        more |= {"image": [image.height, image.width], "color": sampled(image, values(attributes.TEXCOORD_0))}
    return summary(values(attributes.POSITION), values(primitive.indices).reshape(-1, 3), **more)


def usd(path):
    from pxr import Ar, Usd, UsdGeom, UsdShade

    stage = Usd.Stage.Open(path)
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Model/Surface"))
    faces = numpy.asarray(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    more = {
        "metersPerUnit": UsdGeom.GetStageMetersPerUnit(stage),
        "upAxis": str(UsdGeom.GetStageUpAxis(stage)),
    }
    shaders = (UsdShade.Shader(prim) for prim in stage.Traverse())
    shader = next((s for s in shaders if s and s.GetShaderId() == "UsdUVTexture"), None)
    if shader:
        import io

        from PIL import Image

        asset = shader.GetInput("file").Get().resolvedPath
        stored = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(asset))
        image = Image.open(io.BytesIO(stored.GetBuffer())).convert("RGB")
        primvar = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
        uv = numpy.asarray(primvar.ComputeFlattened())
        # USD counts v upward.
        more |= {
            "image": [image.height, image.width],
            "color": sampled(image, numpy.stack([uv[:, 0], 1 - uv[:, 1]], axis=1)),
        }
    return summary(mesh.GetPointsAttr().Get(), faces, **more)


readers = {f.__name__: f for f in (open3d_mesh, open3d_points, numpy_points, trimesh_mesh, pygltf, usd)}
pairs = zip(sys.argv[1::2], sys.argv[2::2])
print(json.dumps([readers[reader](path) for reader, path in pairs]))
