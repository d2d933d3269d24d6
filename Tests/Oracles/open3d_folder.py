"""What Open3D reads from FOLDER/TUM and FOLDER/Open3D: depths of frame 2, camera, poses, as JSON."""
import json
import pathlib
import sys

import numpy
import open3d

folder = pathlib.Path(sys.argv[1])


def image(path):
    return open3d.io.read_image(str(folder / path))


tum = open3d.geometry.RGBDImage.create_from_tum_format(
    image("TUM/rgb/000002.png"), image("TUM/depth/000002.png"))
plain = open3d.geometry.RGBDImage.create_from_color_and_depth(
    image("Open3D/color/000002.jpg"), image("Open3D/depth/000002.png"), depth_scale=1000, depth_trunc=100)
camera = open3d.io.read_pinhole_camera_intrinsic(str(folder / "Open3D/intrinsic.json"))
trajectory = open3d.io.read_pinhole_camera_trajectory(str(folder / "Open3D/trajectory.log"))
print(json.dumps({
    "tumDepth": numpy.asarray(tum.depth).astype(float).ravel().tolist(),
    "depth": numpy.asarray(plain.depth).astype(float).ravel().tolist(),
    "matrix": numpy.asarray(camera.intrinsic_matrix).ravel().tolist(),
    "sizes": [camera.width, camera.height],
    "poses": [numpy.linalg.inv(p.extrinsic)[:3].ravel().tolist() for p in trajectory.parameters],
}))
