"""Reads one exported mesh with a named reader and writes what it holds to standard output.

usage: mesh_values.py READER PATH

The answer is one line of JSON, then raw values, low byte first: the positions of all corners of all
triangles, their texture coordinates where the reader has them, then what the reader has besides.
"""

import json
import sys

import numpy


def corners(positions, triangles):
    return numpy.asarray(positions, dtype="<f4")[numpy.asarray(triangles).reshape(-1)]


def open3d(path):
    import open3d

    # Post-processing would join vertices and turn faces.
    mesh = open3d.io.read_triangle_mesh(path, enable_post_processing=False)
    values = [corners(mesh.vertices, mesh.triangles)]
    if mesh.has_triangle_uvs():
        values.append(numpy.asarray(mesh.triangle_uvs, dtype="<f4"))
    return {"shape": [len(mesh.triangles)]}, values


def open3d_image(path):
    import open3d

    mesh = open3d.io.read_triangle_mesh(path)
    image = next(numpy.asarray(t) for t in mesh.textures if not t.is_empty())
    # Open3D keeps images of OBJ files with the last row first.
    first = image[-1, 0] if (image[0, 0] != [255, 0, 0]).any() else image[0, 0]
    text = " ".join(str(code) for code in first) + "\n"
    return {"shape": image.shape}, [numpy.frombuffer(text.encode(), dtype="u1")]


def plyfile(path):
    from plyfile import PlyData

    file = PlyData.read(path)
    vertex, face = file["vertex"].data, file["face"].data
    values = [
        numpy.stack([vertex[name] for name in names], axis=1)
        for names in (["x", "y", "z", "nx", "ny", "nz"], ["red", "green", "blue"], ["sigma"], ["residual"])
    ]
    values.append(numpy.stack(list(face["vertex_indices"])).astype("<u4"))
    values.append(numpy.stack(list(face["texcoord"])).astype("<f4"))
    return {"shape": [len(vertex), len(face)]}, values


def trimesh(path):
    import trimesh

    mesh = trimesh.load_mesh(path, process=False, maintain_order=True)
    attributes = mesh.vertex_attributes
    uv = corners(mesh.visual.uv, mesh.faces)
    sigma = numpy.asarray(attributes["_SIGMA"], dtype="<f4")
    return {"attributes": sorted(attributes)}, [corners(mesh.vertices, mesh.faces), uv, sigma]


def usd(path):
    from pxr import Ar, Usd, UsdGeom, UsdShade, UsdSkel, UsdValidation

    stage = Usd.Stage.Open(path)
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) > 10, "OpenUSD brought no validators"
    faults = [f.GetMessage() for f in UsdValidation.ValidationContext(validators).Validate(stage)]
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Model/Surface"))
    primvars = UsdGeom.PrimvarsAPI(mesh)
    indices = mesh.GetFaceVertexIndicesAttr().Get()
    assert all(count == 3 for count in mesh.GetFaceVertexCountsAttr().Get())
    values = [corners(mesh.GetPointsAttr().Get(), indices)]
    values.append(numpy.asarray(primvars.GetPrimvar("st").ComputeFlattened(), dtype="<f4"))
    for name in ("sigma", "residual"):
        values.append(numpy.asarray(primvars.GetPrimvar(name).Get(), dtype="<f4"))
    shader = UsdShade.Shader(stage.GetPrimAtPath("/Model/Material/Picture"))
    image = 0
    if shader:
        asset = shader.GetInput("file").Get().resolvedPath
        image = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(asset)).GetSize()
    weights = UsdSkel.Animation(stage.GetPrimAtPath("/Model/Skeleton/Weights"))
    names = []
    if weights:
        names = list(weights.GetBlendShapesAttr().Get())
        stage.SetEditTarget(stage.GetSessionLayer())
        # A file that shows its shapes at rest is expected to hold others; one with weights of its own has these.
        if not any(weights.GetBlendShapeWeightsAttr().Get()):
            weights.GetBlendShapeWeightsAttr().Set([1.0, 0.5, 1.0])
        assert UsdSkel.BakeSkinning(UsdSkel.Root(stage.GetPrimAtPath("/Model")))
        values.append(numpy.asarray(mesh.GetPointsAttr().Get(), dtype="<f4"))
    about = {
        "metersPerUnit": UsdGeom.GetStageMetersPerUnit(stage),
        "upAxis": str(UsdGeom.GetStageUpAxis(stage)),
        "faults": faults,
        "blendShapes": names,
        "imageBytes": image,
    }
    return about, values


readers = {f.__name__: f for f in (open3d, open3d_image, plyfile, trimesh, usd)}
about, values = readers[sys.argv[1]](sys.argv[2])
sys.stdout.buffer.write(json.dumps(about).encode() + b"\n")
for array in values:
    sys.stdout.buffer.write(array.tobytes())
