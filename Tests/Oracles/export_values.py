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


readers = {f.__name__: f for f in (npy, tiff, pillow, opencv, plyfile, open3d)}
about, values = readers[sys.argv[1]](sys.argv[2])
sys.stdout.buffer.write(json.dumps(about).encode() + b"\n")
for array in values:
    sys.stdout.buffer.write(array.tobytes())
