"""A depth photo to a colored metric cloud with pillow_heif, numpy and Open3D, as one process.

These give 8-bit depth without calibration, so the camera comes as arguments, for free. `--numpy`
writes the PLY without Open3D, whose import alone takes longer than the work.
"""

import sys

import numpy as np
import pillow_heif
from PIL import Image


def main():
    photo, output, focal, center_x, center_y, *flags = sys.argv[1:]
    heif = pillow_heif.open_heif(photo, convert_hdr_to_8bit=True)
    color = heif.to_pillow().convert("RGB")
    auxiliary = heif.info["depth_images"][0]
    code = np.asarray(auxiliary.to_pillow())
    code = code if code.ndim == 2 else code[..., 0]
    about = auxiliary.info["metadata"]
    disparity = about["d_min"] + code.astype(np.float32) / 255 * (about["d_max"] - about["d_min"])
    depth = 1 / disparity
    height, width = depth.shape
    scale = width / color.width
    f = float(focal) * scale
    cx, cy = ((float(c) + 0.5) * scale - 0.5 for c in (center_x, center_y))
    u, v = np.meshgrid(np.arange(width), np.arange(height))
    points = np.stack(((u - cx) / f * depth, (v - cy) / f * depth, depth), axis=-1)
    points = points.reshape(-1, 3)
    colors = np.asarray(color.resize((width, height), Image.NEAREST)).reshape(-1, 3)
    if "--numpy" in flags:
        write_with_numpy(output, points, colors)
    else:
        write_with_open3d(output, points, colors)


def write_with_numpy(output, points, colors):
    fields = [(name, "<f4") for name in "xyz"] + [(name, "u1") for name in ("red", "green", "blue")]
    vertices = np.empty(len(points), dtype=fields)
    for index, (name, _) in enumerate(fields):
        vertices[name] = points[:, index] if index < 3 else colors[:, index - 3]
    types = {"<f4": "float", "u1": "uchar"}
    lines = ["ply", "format binary_little_endian 1.0", f"element vertex {len(points)}"]
    lines += [f"property {types[kind]} {name}" for name, kind in fields] + ["end_header", ""]
    with open(output, "wb") as file:
        file.write("\n".join(lines).encode())
        vertices.tofile(file)


def write_with_open3d(output, points, colors):
    import open3d as o3d

    cloud = o3d.geometry.PointCloud()
    cloud.points = o3d.utility.Vector3dVector(points)
    cloud.colors = o3d.utility.Vector3dVector(colors / 255)
    o3d.io.write_point_cloud(output, cloud, write_ascii=False)


main()
