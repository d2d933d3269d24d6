"""Loads a Stray Scanner folder with OpenCV and NumPy, by the calls of kekeblom/StrayVisualizer.

    stray_recording.py FOLDER     one JSON object
"""
import json
import os
import sys

import cv2
import numpy as np

folder = sys.argv[1]
video = cv2.VideoCapture(os.path.join(folder, "rgb.mp4"))
means, times = [], []
while True:
    ok, image = video.read()
    if not ok:
        break
    times.append(video.get(cv2.CAP_PROP_POS_MSEC))
    means.append([float(v) for v in image.reshape(-1, 3).mean(axis=0)[::-1]])
odometry = np.loadtxt(os.path.join(folder, "odometry.csv"), delimiter=",", skiprows=1)
depth = cv2.imread(os.path.join(folder, "depth", "000001.png"), -1)
confidence = cv2.imread(os.path.join(folder, "confidence", "000001.png"), -1)
imu = np.loadtxt(os.path.join(folder, "imu.csv"), delimiter=",", skiprows=1)
print(
    json.dumps(
        {
            "images": len(means),
            "means": means,
            "milliseconds": times,
            "videoSize": [int(video.get(cv2.CAP_PROP_FRAME_WIDTH)), int(video.get(cv2.CAP_PROP_FRAME_HEIGHT))],
            "matrix": np.loadtxt(os.path.join(folder, "camera_matrix.csv"), delimiter=",").ravel().tolist(),
            "odometry": odometry.tolist(),
            "depthType": str(depth.dtype),
            "depth": depth.astype(int).ravel().tolist(),
            "confidence": confidence.astype(int).ravel().tolist(),
            "imuShape": list(imu.shape),
        }
    )
)
