"""Bridges to other packages, each imported only when you import it.

| module | gives |
|---|---|
| ``open3d`` | point clouds, RGB-D images, camera parameters |
| ``torch`` | a ``Dataset`` of captures |
| ``opencv`` | images and camera matrices as OpenCV has them |
| ``rerun`` | captures and recordings in Rerun's viewer |
| ``pandas`` | findings and measurements as tables |
| ``fsspec`` | captures from any store |
"""
