"""What OpenCV and numpy see in a folder that `plumbline simulate board` wrote as avfoundation.

    simulated_board.py FOLDER    prints one JSON document

It knows the files and truth/truth.json, nothing of how they were drawn:
- offsetRms: a board drawn here by 16 x 16 samples a pixel through the camera in truth.json, laid over
  the image around each true corner; how many pixels it must be moved to fit best, rms and mean
- found, expected, errorRms: what cv2's detectors find of the true corners, and how far off
- planeWorst: exact depth against the plane of the true pose, in meters
- boardMinusSensor: median of sensor depth minus the depth of a board placed by solvePnP with the
  claimed K, in mm, for the frames that see it
"""
import json
import pathlib
import sys

import cv2
import numpy as np

folder = pathlib.Path(sys.argv[1])
truth = json.loads((folder / "truth/truth.json").read_text())
metadata = {m["Timestamp"]: m for m in json.loads((folder / "DepthMetadata.json").read_text())}
board = truth["board"]
columns, rows, square = board["columns"], board["rows"], board["squareMeters"]
dictionary = None
if board["kind"] == "charuco":
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board["dictionary"]))
    charuco = cv2.aruco.CharucoBoard(
        (columns, rows), square, square * board["markerShare"], dictionary
    )
    charuco.setLegacyPattern(board["layout"] == "legacy")
    detector = cv2.aruco.CharucoDetector(charuco)


def linear(code):
    """The simulator's light from its codes: sRGB, and the roll-off above 0.7 undone."""
    v = code / 255.0
    v = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    excess = np.maximum(v - 0.7, 0)
    return np.where(v > 0.7, 0.7 + excess * 0.3 / np.maximum(0.3 - excess, 1e-6), v)


def undistorted(points, camera):
    """Pixels of the image as taken to those of a pinhole, by inverting the table."""
    lens = camera["lens"]
    if lens is None:
        return points
    center = np.array([lens["centerX"], lens["centerY"]])
    table = np.array(lens["distortingTable"])
    offset = points - center
    radius = np.linalg.norm(offset, axis=-1)
    ideal = radius.copy()
    for _ in range(30):
        m = np.interp(ideal, np.linspace(0, lens["maximumRadius"], len(table)), table)
        ideal = radius / (1 + m)
    scale = np.where(radius > 0, ideal / np.maximum(radius, 1e-12), 1)
    return center + offset * scale[..., None]


def ink(points, camera, pose):
    """1 where a pixel coordinate sees a black square, markers left out."""
    ideal = undistorted(points, camera)
    ray = np.stack(
        [
            (ideal[..., 0] - camera["cx"]) / camera["fx"],
            (ideal[..., 1] - camera["cy"]) / camera["fy"],
            np.ones(ideal.shape[:-1]),
        ],
        -1,
    )
    rotation, origin = pose[:3, :3], pose[:3, 3]
    normal = rotation[:, 2]
    t = (origin @ normal) / (ray @ normal)
    position = (ray * t[..., None] - origin) @ rotation / square
    cell = np.floor(position[..., :2])
    first_black = 0 if board.get("layout") != "legacy" or rows % 2 else 1
    return ((cell[..., 0] + cell[..., 1]) % 2 == first_black).astype(float)


def patch(center, radius, camera, pose, shift):
    n = 16
    grid = (np.arange((2 * radius + 1) * n) + 0.5) / n - 0.5 - radius
    x, y = np.meshgrid(grid + center[0], grid + center[1])
    shares = ink(np.stack([x, y], -1) - shift, camera, pose)
    return shares.reshape(2 * radius + 1, n, 2 * radius + 1, n).mean((1, 3)).ravel()


def offset_of(image, corner, camera, pose):
    """How far a freshly drawn corner must move to fit the image, by Gauss-Newton; None at borders."""
    radius = 3
    center = np.round(corner).astype(int)
    height, width = image.shape
    if min(center) < radius or center[0] >= width - radius or center[1] >= height - radius:
        return None
    seen = image[
        center[1] - radius : center[1] + radius + 1, center[0] - radius : center[0] + radius + 1
    ].ravel()
    shift = np.zeros(2)
    for _ in range(4):
        here = patch(center, radius, camera, pose, shift)
        step = 0.05
        slopes = [
            (
                patch(center, radius, camera, pose, shift + d)
                - patch(center, radius, camera, pose, shift - d)
            )
            / (2 * step)
            for d in (np.array([step, 0]), np.array([0, step]))
        ]
        # The light of black and white is not known, so it is fitted with the shift.
        flat = np.stack([here, np.ones_like(here)], -1)
        gain, base = np.linalg.lstsq(flat, seen, rcond=None)[0]
        design = np.stack([gain * slopes[0], gain * slopes[1], here, np.ones_like(here)], -1)
        shift = shift + np.linalg.lstsq(design, seen - gain * here - base, rcond=None)[0][:2]
    return shift


offsets, errors, bias, found, expected, plane = [], [], [], 0, 0, 0.0
for frame in truth["frames"]:
    stamp = frame["timestampMilliseconds"]
    pose = np.array(frame["cameraFromBoard"])
    camera, corners = frame["color"], {c[0]: np.array(c[1:]) for c in frame["corners"]}
    gray = cv2.imread(str(folder / f"rgb_{stamp}.png"), cv2.IMREAD_GRAYSCALE)
    for corner in corners.values():
        shift = offset_of(linear(gray.astype(float)), corner, camera, pose)
        if shift is not None:
            offsets.append(shift)

    if dictionary is not None:
        positions, ids, _, _ = detector.detectBoard(gray)
        ids = [] if ids is None else ids.ravel().tolist()
        positions = [] if positions is None else positions.reshape(-1, 2)
    else:
        ok, positions = cv2.findChessboardCornersSB(gray, (columns - 1, rows - 1))
        positions = positions.reshape(-1, 2) if ok else []
        # A chessboard may be read from either end.
        if ok and np.linalg.norm(positions[0] - corners[0]) > np.linalg.norm(positions[-1] - corners[0]):
            positions = positions[::-1]
        ids = list(range(len(positions)))
    inside = [
        i for i, p in corners.items()
        if 5 <= p[0] < gray.shape[1] - 5 and 5 <= p[1] < gray.shape[0] - 5
    ]
    expected += len(inside)
    found += len(set(inside) & set(ids))
    errors += [p - corners[i] for i, p in zip(ids, positions) if i in corners]

    exact = np.load(folder / f"truth/depth_{stamp}.npy", allow_pickle=False)
    depth_camera = frame["depth"]
    v, u = np.mgrid[: exact.shape[0], : exact.shape[1]].astype(float)
    ideal = undistorted(np.stack([u, v], -1), depth_camera)
    ray = np.stack(
        [
            (ideal[..., 0] - depth_camera["cx"]) / depth_camera["fx"],
            (ideal[..., 1] - depth_camera["cy"]) / depth_camera["fy"],
            np.ones_like(u),
        ],
        -1,
    )
    z = (pose[:3, 3] @ pose[:3, 2]) / (ray @ pose[:3, 2])
    position = (ray * z[..., None] - pose[:3, 3]) @ pose[:3, :3] / square
    on_board = (position[..., 0] > 0) & (position[..., 0] < columns) & (position[..., 1] > 0)
    on_board &= position[..., 1] < rows
    plane = max(plane, float(np.abs(exact - z)[on_board].max(initial=0)))

    sensor = cv2.imread(str(folder / f"depth_{stamp}.png"), cv2.IMREAD_UNCHANGED)
    assert sensor.dtype == np.uint16 and sensor.shape == exact.shape
    matrix = [
        [float(x) for x in metadata[stamp][f"IntrinsicMatrix.{i}"].strip("()").split(",")]
        for i in range(3)
    ]
    if len(corners) >= 6 and gray.shape == sensor.shape:
        grid = np.array(
            [[(i % (columns - 1) + 1) * square, (i // (columns - 1) + 1) * square, 0] for i in corners]
        )
        pixels = np.array(list(corners.values()))
        _, turn, shift = cv2.solvePnP(grid, pixels, np.array(matrix), None)
        normal = cv2.Rodrigues(turn)[0][:, 2]
        claimed = np.stack(
            [(u - matrix[0][2]) / matrix[0][0], (v - matrix[1][2]) / matrix[1][1], np.ones_like(u)],
            -1,
        )
        claimed_z = (shift.ravel() @ normal) / (claimed @ normal)
        good = on_board & (sensor > 0)
        bias.append(float(np.median((sensor / 10000.0 - claimed_z)[good]) * 1000))


def rms(values):
    values = np.array(values)
    return float(np.sqrt((values**2).sum(1).mean())) if len(values) else None


offsets = np.array(offsets)
print(
    json.dumps(
        {
            "offsetCount": len(offsets),
            "offsetRms": rms(offsets),
            "offsetMean": offsets.mean(0).tolist() if len(offsets) else None,
            "found": found,
            "expected": expected,
            "errorRms": rms(errors),
            "planeWorst": plane,
            "boardMinusSensor": bias,
        }
    )
)
