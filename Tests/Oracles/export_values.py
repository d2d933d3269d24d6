"""Reads one exported file with a named reader and writes what it holds to standard output.

usage: export_values.py READER PATH

The answer is one line of JSON (shape, type, comments), then the raw values, low byte first; of a
cloud all positions, then all colors, then all sigmas.
"""

import json
import sys


def npy(path):
    import numpy

    array = numpy.load(path, allow_pickle=False)
    assert array.flags.c_contiguous
    return {"shape": array.shape, "type": array.dtype.str}, [array]


def tiff(path):
    import tifffile

    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        about = {"description": page.description, "software": page.software, "pages": len(file.pages)}
        array = page.asarray()
    return about | {"shape": array.shape, "type": array.dtype.str}, [array]


def pillow(path):
    import numpy
    from PIL import Image

    with Image.open(path) as image:
        array = numpy.asarray(image)
    return {"shape": array.shape}, [array.astype(array.dtype.newbyteorder("<"))]


def opencv(path):
    import cv2

    array = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    return {"shape": array.shape, "type": array.dtype.str}, [array]


def plyfile(path):
    import numpy
    from plyfile import PlyData

    cloud = PlyData.read(path)
    vertex = cloud["vertex"].data
    names = list(vertex.dtype.names)
    groups = [["x", "y", "z"], ["red", "green", "blue"], ["sigma"]]
    values = [
        numpy.stack([vertex[name] for name in group], axis=1) for group in groups if group[0] in names
    ]
    types = [vertex.dtype[name].str for name in names]
    about = {"shape": [len(vertex)], "names": names, "types": types, "comments": cloud.comments}
    return about, values


def open3d(path):
    import numpy
    import open3d

    cloud = open3d.t.io.read_point_cloud(path)
    names = sorted(name for name in cloud.point)
    positions = cloud.point.positions.numpy().astype("<f4")
    values = [positions]
    if "colors" in names:
        values.append(cloud.point.colors.numpy().astype("u1"))
    if "sigma" in names:
        values.append(cloud.point["sigma"].numpy().astype("<f4"))
    return {"shape": [len(positions)], "names": names}, values


def xyz(path):
    import numpy
    import open3d

    # Numbers are printed so that they round to the same float.
    positions = numpy.asarray(open3d.io.read_point_cloud(path).points).astype("<f4")
    lines = numpy.loadtxt(path, ndmin=2)
    assert (lines[:, :3].astype("<f4") == positions).all()
    values = [positions]
    if lines.shape[1] == 7:
        values += [lines[:, 3:6].astype("u1"), lines[:, 6].astype("<f4")]
    return {"shape": [len(positions)], "columns": lines.shape[1]}, values


def glb_points(path):
    import struct

    import numpy

    with open(path, "rb") as file:
        data = file.read()
    magic, version, length, json_length, json_kind = struct.unpack("<5I", data[:20])
    assert (magic, version, length, json_kind) == (0x46546C67, 2, len(data), 0x4E4F534A)
    about = json.loads(data[20 : 20 + json_length])
    body_length, body_kind = struct.unpack("<2I", data[20 + json_length : 28 + json_length])
    body = data[28 + json_length :]
    assert body_kind == 0x004E4942 and body_length == len(body) == about["buffers"][0]["byteLength"]
    primitive = about["meshes"][0]["primitives"][0]
    assert "indices" not in primitive

    def read(name):
        accessor = about["accessors"][primitive["attributes"][name]]
        view = about["bufferViews"][accessor["bufferView"]]
        kind = {5126: "<f4", 5123: "<u2"}[accessor["componentType"]]
        width = {"VEC3": 3, "VEC4": 4, "SCALAR": 1}[accessor["type"]]
        part = body[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        return accessor, numpy.frombuffer(part, kind).reshape(accessor["count"], width)

    accessor, positions = read("POSITION")
    bounds = numpy.array([accessor["min"], accessor["max"]], "<f4")
    right = (bounds == [positions.min(0), positions.max(0)]).all()
    color, codes = read("COLOR_0")
    linear = codes[:, :3] / 65535.0
    stored = numpy.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055) * 255
    # Every stored color is one of 256 codes, and opaque.
    colors = bool((abs(stored - stored.round()) < 0.05).all() and (codes[:, 3] == 65535).all())
    colors = colors and color["normalized"]
    sigmas = read("_SIGMA")[1]
    found = {"shape": [len(positions)], "mode": primitive["mode"], "bounds": bool(right), "colors": colors}
    return found, [positions, sigmas]


def pye57(path):
    import numpy
    import pye57

    with pye57.E57(path) as file:
        assert file.scan_count == 1
        header, image = file.get_header(0), file.image_file
        names, count = header.point_fields, header.point_count
        places = range(image.extensionsCount())
        about = {"shape": [count], "names": names, "description": header["description"].value()}
        about["extensions"] = {image.extensionsPrefix(i): image.extensionsUri(i) for i in places}
        # By libE57 itself: pye57's own functions pass over fields of extensions.
        buffers, columns = pye57.libe57.VectorSourceDestBuffer(), {}
        for name in names:
            kind = "u1" if name.startswith("color") else "f4"
            columns[name] = numpy.empty(count + 1, kind)
            buffers.append(
                pye57.libe57.SourceDestBuffer(image, name, columns[name], count + 1, False, False)
            )
        reader = header.points.reader(buffers)
        assert reader.read() == count and reader.read() == 0
        reader.close()
        columns = {name: column[:count] for name, column in columns.items()}
        whole = file.read_scan(0, colors="colorRed" in names, ignore_missing_fields=True)
        assert all((whole[name] == columns[name]).all() for name in whole)
    groups = [["cartesianX", "cartesianY", "cartesianZ"], ["colorRed", "colorGreen", "colorBlue"]]
    groups.append(["plumb:sigma"])
    values = [
        numpy.stack([columns[name] for name in group], axis=1) for group in groups if group[0] in names
    ]
    return about, values


def e57(path):
    import e57
    import numpy

    cloud = e57.read_points(path)
    values = [cloud.points.astype("<f4")]
    assert (values[0] == cloud.points).all()
    if len(cloud.color):
        values.append((cloud.color * 255).round().astype("u1"))
    return {"shape": [len(cloud.points)]}, values


readers = {f.__name__: f for f in (npy, tiff, pillow, opencv, plyfile, open3d, xyz, glb_points, pye57, e57)}
about, values = readers[sys.argv[1]](sys.argv[2])
sys.stdout.buffer.write(json.dumps(about).encode() + b"\n")
for array in values:
    sys.stdout.buffer.write(array.tobytes())
