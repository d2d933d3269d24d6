"""MediaPipe's own Face Landmarker: MODEL.task IMAGE -> 478 rows of x, y, z and 52 scores, as floats.

Positions are in pixels whose centers are whole numbers; MediaPipe counts from the corner of the first pixel.
"""
import sys

import mediapipe
import numpy as np
from mediapipe.tasks.python import BaseOptions, vision
from PIL import Image

image = np.array(Image.open(sys.argv[2]).convert("RGB"))
options = vision.FaceLandmarkerOptions(
    base_options=BaseOptions(model_asset_path=sys.argv[1]), num_faces=1, output_face_blendshapes=True)
with vision.FaceLandmarker.create_from_options(options) as landmarker:
    result = landmarker.detect(mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=image))
height, width = image.shape[:2]
points = [(p.x * width - 0.5, p.y * height - 0.5, p.z * width) for p in result.face_landmarks[0]]
scores = [category.score for category in result.face_blendshapes[0]]
sys.stdout.buffer.write(np.array(points, np.float32).tobytes() + np.array(scores, np.float32).tobytes())
