"""A COLMAP model as pycolmap reads it: folder, world points "x,y,z;…" -> one JSON list.

Each image: its name, the camera's model and matrix, its pose from world to camera row by row, and
the pixels of the points, the center of the first pixel at (0.5, 0.5).
"""
import json
import sys

import numpy
import pycolmap

model = pycolmap.Reconstruction(sys.argv[1])
points = numpy.array([[float(x) for x in p.split(",")] for p in sys.argv[2].split(";")])
found = []
for image in sorted(model.images.values(), key=lambda image: image.name):
    camera = model.cameras[image.camera_id]
    pose = image.cam_from_world()
    found.append({
        "name": image.name, "model": camera.model.name,
        "matrix": camera.calibration_matrix().flatten().tolist(),
        "cameraFromWorld": pose.matrix().flatten().tolist(),
        "pixels": [camera.img_from_cam(pose * p).flatten().tolist() for p in points],
    })
print(json.dumps(found))
