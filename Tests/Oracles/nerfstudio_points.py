"""The points of a nerfstudio data set by its documented rules alone: folder -> one JSON list.

Rays go through pixel + 0.5, cameras look along −z with y up, depth is whole millimeters along the
optical axis, and applied_transform took the original world to the one of transform_matrix.
"""
import json
import pathlib
import sys

import numpy
from PIL import Image

folder = pathlib.Path(sys.argv[1])
data = json.loads((folder / "transforms.json").read_text())
applied = numpy.vstack([numpy.array(data["applied_transform"]), [0, 0, 0, 1]])
frames = []
for frame in data["frames"]:
    depth = numpy.array(Image.open(folder / frame["depth_file_path"])).astype(float) / 1000
    rows, columns = depth.shape
    y, x = numpy.mgrid[0:rows, 0:columns]
    # The camera's numbers are those of the color image.
    u = (x + 0.5) * frame["w"] / columns
    v = (y + 0.5) * frame["h"] / rows
    rays = numpy.stack([(u - frame["cx"]) / frame["fl_x"], -(v - frame["cy"]) / frame["fl_y"], -numpy.ones_like(u)], -1)
    local = numpy.concatenate([rays * depth[..., None], numpy.ones((rows, columns, 1))], -1)[depth > 0]
    world = local @ numpy.array(frame["transform_matrix"]).T @ numpy.linalg.inv(applied).T
    frames.append({"points": world[:, :3].tolist()})
print(json.dumps(frames))
