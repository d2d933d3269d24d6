"""Board frames and a LiDAR recording as study-sensors measures them, from real captures."""

import glob
import struct
import zlib

import numpy as np
from scipy import ndimage
from scipy.spatial.transform import Rotation

FOCAL = {"iPadPro12_4gen": 595.34, "iPadPro12_5gen": 565.12}


def png(path):
    """The samples of a gray PNG of 8 or 16 bits."""
    data, offset, packed = open(path, "rb").read(), 8, b""
    while offset < len(data):
        size, kind = struct.unpack(">I4s", data[offset : offset + 8])
        body = data[offset + 8 : offset + 8 + size]
        offset += 12 + size
        if kind == b"IHDR":
            width, height, bits, color = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
    assert color == 0
    step = bits // 8
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * step)
    image, above = np.zeros((height, width * step), np.uint8), [0] * (width * step)
    for y, row in enumerate(rows):
        kind, line = row[0], row[1:].tolist()
        for i in range(len(line)) if kind else ():
            a, c = (line[i - step], above[i - step]) if i >= step else (0, 0)
            b = above[i]
            if kind == 4:
                pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                guess = a if pa <= pb and pa <= pc else b if pb <= pc else c
            else:
                guess = (a, b, (a + b) >> 1)[kind - 1]
            line[i] = (line[i] + guess) & 255
        image[y], above = line, line
    return image.view(">u2").astype(np.uint16) if bits == 16 else image


def solve(matrix, values):
    return np.linalg.solve(matrix.T @ matrix, matrix.T @ values)


def board_plane(z, focal):
    """The pixels of the largest plane without its border, and its normal in the camera's frame."""
    height, width = z.shape
    v, u = np.mgrid[:height, :width]
    valid = z > 0
    inverse = np.where(valid, 1 / np.where(valid, z, 1), 0)
    random = np.random.default_rng(1)
    ys, xs = np.nonzero(valid)
    few = random.choice(len(ys), 1500)
    best = (0, None)
    for _ in range(80):
        at = random.integers(len(ys))
        y, x = max(ys[at] - 25, 0), max(xs[at] - 25, 0)
        part = (slice(y, y + 51, 5), slice(x, x + 51, 5))
        inside = valid[part]
        if inside.sum() < 40:
            continue
        lines = np.c_[u[part][inside], v[part][inside], np.ones(inside.sum())]
        c = np.linalg.lstsq(lines, inverse[part][inside], rcond=None)[0]
        there = 1 / np.maximum(c[0] * xs[few] + c[1] * ys[few] + c[2], 1e-3)
        count = (np.abs(there - z[ys[few], xs[few]]) < 0.003).sum()
        if count > best[0]:
            best = (count, c)
    c = best[1]
    near = lambda c: valid & (np.abs(1 / np.maximum(c[0] * u + c[1] * v + c[2], 1e-3) - z) < 0.003)
    for _ in range(3):
        part = near(c)
        part[1::2], part[:, 1::2] = False, False
        weight = z[part] ** 2
        lines = np.c_[u[part], v[part], np.ones(part.sum())]
        c = solve(lines * weight[:, None], inverse[part] * weight)
    labels, count = ndimage.label(ndimage.binary_opening(near(c), iterations=2))
    if count == 0:
        return None
    region = labels == np.argmax(np.bincount(labels.ravel())[1:]) + 1
    region = ndimage.binary_fill_holes(region) & valid
    region = ndimage.binary_erosion(region, iterations=12)
    normal = np.array([c[0] * focal, c[1] * focal, c[2] + c[0] * 320 + c[1] * 240])
    return region, normal / np.linalg.norm(normal)


def board_frames(folder):
    """Device, depth, residual in mm (NaN outside of the board) and tangent of the incidence."""
    v, u = np.mgrid[:480, :640]
    for device, focal in FOCAL.items():
        for path in sorted(glob.glob(f"{folder}/zeiss-truedepth/*/{device}*/depth_*.png")):
            z = png(path) * 1e-4
            found = board_plane(z, focal)
            if found is None or found[0].sum() < 20000:
                continue
            region, normal = found
            x, y, depth = u[region] / 320 - 1, v[region] / 240 - 1, z[region]
            # A quartic of the disparity holds plane and lens, and the bend of the board: 0.19 mm.
            terms = np.stack([x**i * y**j for i in range(5) for j in range(5 - i)], 1)
            keep = np.ones(len(depth), bool)
            for _ in range(2):
                some = np.nonzero(keep)[0][::7]
                weight = depth[some] ** 2
                c = solve(terms[some] * weight[:, None], weight / depth[some])
                error = (1 / (terms @ c) - depth) * 1000
                keep = np.abs(error) < 4
            residual = np.full(z.shape, np.nan)
            residual[region] = np.where(np.abs(error) < 6, error, np.nan)
            ray = np.stack([(u - 320) / focal, (v - 240) / focal, np.ones(z.shape)], -1)
            cosine = np.abs(ray @ normal) / np.linalg.norm(ray, axis=-1)
            yield device, z, residual, np.sqrt(1 - cosine**2) / cosine


class LiDARRecording:
    """The Stray Scanner recording: depths, confidences and poses."""

    def __init__(self, folder):
        folder = f"{folder}/lidar/stray-walk"
        self.files = folder
        rows = np.loadtxt(f"{folder}/odometry.csv", delimiter=",", skiprows=1)
        self.positions, self.turns = rows[:, 2:5], Rotation.from_quat(rows[:, 5:9]).as_matrix()
        camera = np.loadtxt(f"{folder}/camera_matrix.csv", delimiter=",")
        scale = 256 / 1920
        self.focal = camera[0, 0] * scale
        self.center = (camera[:2, 2] + 0.5) * scale - 0.5
        v, u = np.mgrid[:192, :256]
        self.rays = np.stack([(u - self.center[0]) / self.focal,
                              (v - self.center[1]) / self.focal, np.ones(u.shape)], -1)
        self.kept = {}

    def frame(self, i):
        if i not in self.kept:
            z = png(f"{self.files}/depth/{i:06d}.png") / 1000
            confidence = png(f"{self.files}/confidence/{i:06d}.png")
            most, least = ndimage.maximum_filter(z, 5), ndimage.minimum_filter(z, 5)
            points = self.rays * z[..., None]
            across, down = np.zeros_like(points), np.zeros_like(points)
            across[:, 2:-2] = points[:, 4:] - points[:, :-4]
            down[2:-2] = points[4:] - points[:-4]
            normal = np.cross(across, down)
            size = np.linalg.norm(normal, axis=-1, keepdims=True)
            self.kept[i] = (z, confidence, most - least > 0.05 * least,
                            normal / np.where(size > 0, size, 1))
        return self.kept[i]

    def pair(self, i, j):
        """Frame j projected into i away from edges: pixels of j, errors in m, the same with the best
        small motion removed, depths, minimum and maximum confidence; None for little overlap."""
        z, confidence, edge, _ = self.frame(j)
        index = np.flatnonzero(~edge & (z > 0))
        points = (self.rays * z[..., None]).reshape(-1, 3)[index]
        points = (points @ self.turns[j].T + self.positions[j] - self.positions[i]) @ self.turns[i]
        depth = np.maximum(points[:, 2], 0.1)
        pixel = points[:, :2] / depth[:, None] * self.focal + self.center
        inside = (points[:, 2] > 0.1) & (pixel > 3).all(1) & (pixel < [252, 188]).all(1)
        z, other, edge, normals = self.frame(i)
        near = np.round(np.where(inside[:, None], pixel, 4)).astype(int)
        inside &= ~edge[near[:, 1], near[:, 0]]
        index, points, pixel, near = index[inside], points[inside], pixel[inside], near[inside]
        surface = 1 / ndimage.map_coordinates(1 / np.maximum(z, 1e-3), pixel[:, ::-1].T, order=1)
        error = points[:, 2] - surface
        levels = confidence.ravel()[index], other[near[:, 1], near[:, 0]]
        normal = normals[near[:, 1], near[:, 0]]
        facing = (normal * points).sum(1) / points[:, 2]
        motion = np.c_[normal, np.cross(points, normal)]
        motion /= np.where(np.abs(facing) > 0.05, facing, 1)[:, None]
        usable = (np.abs(facing) > 0.2) & (np.abs(error) < 0.3) & (np.minimum(*levels) == 2)
        if usable.sum() < 2000:
            return None
        step = np.zeros(6)
        for _ in range(6):
            rest = error - motion @ step
            spread = 1.4826 * np.median(np.abs(rest[usable])) + 1e-4
            weight = usable / np.maximum(1, np.abs(rest) / (1.5 * spread))
            weighted = motion * weight[:, None]
            step = np.linalg.solve(
                weighted.T @ motion + np.eye(6) * len(error) * 1e-4, weighted.T @ error)
        return (index, error, error - motion @ step, surface,
                np.minimum(*levels), np.maximum(*levels))
