"""Reads an .r3d archive as its users' loaders do: zipfile, json and PyPI pyliblzfse.

    record3d_values.py FILE    prints one JSON object: sizes, K, and of each frame its camera numbers,
                               pose as a matrix, time, and sums over depth, confidence and color

The pose is turned into a matrix as the loaders do of nerfstudio and viser: quaternion x, y, z, w, then the
translation, camera to world with the axes of OpenGL.
"""
import io
import json
import sys
import zipfile

import liblzfse
import numpy
from PIL import Image

with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    metadata = json.loads(archive.read("metadata"))
    # Column after column, so that rows of the matrix need a transposition.
    k = numpy.array(metadata["K"]).reshape(3, 3).T
    frames = []
    names = [name for name in archive.namelist() if name.endswith(".depth")]
    for number in sorted(int(name[5:-6]) for name in names):
        raw = liblzfse.decompress(archive.read(f"rgbd/{number}.depth"))
        depth = numpy.frombuffer(raw, numpy.float32).reshape(metadata["dh"], metadata["dw"])
        raw = liblzfse.decompress(archive.read(f"rgbd/{number}.conf"))
        levels = numpy.frombuffer(raw, numpy.uint8).reshape(depth.shape)
        image = Image.open(io.BytesIO(archive.read(f"rgbd/{number}.jpg")))
        assert image.size == (metadata["w"], metadata["h"])
        x, y, z, w = metadata["poses"][number][:4]
        rotation = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        frames.append({
            "camera": metadata["perFrameIntrinsicCoeffs"][number],
            "rotation": numpy.array(rotation).flatten().tolist(),
            "translation": metadata["poses"][number][4:],
            "seconds": metadata["frameTimestamps"][number],
            "depth": [float(depth[5, 7]), float(numpy.nansum(depth.astype(float)))],
            "missing": int(numpy.isnan(depth).sum()),
            "levels": [int(levels[5, 7]), int(levels.sum())],
            "red": int(image.getpixel((20, 30))[0]),
        })
    icon = Image.open(io.BytesIO(archive.read("icon"))).size

print(json.dumps({
    "size": [metadata["w"], metadata["h"], metadata["dw"], metadata["dh"]],
    "focal": [k[0, 0], k[1, 1]], "center": [k[0, 2], k[1, 2]], "fps": metadata["fps"],
    "initPose": metadata["initPose"], "icon": icon, "frames": frames,
}))
