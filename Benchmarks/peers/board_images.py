"""Images of ChArUco boards through an exact pinhole, with the truth of every corner."""

import cv2
import numpy as np

SAMPLES = 8  # along a pixel's side
SIZE = (640, 480)


def cells(dictionary, marker):
    """The marker's cells in its black border, white is 1."""
    words = dictionary.bytesList[marker : marker + 1]
    inner = cv2.aruco.Dictionary.getBitsFromByteList(words, dictionary.markerSize)
    return np.pad(inner, 1)


def whiteness(columns, rows, share, dictionary, legacy, pixel_from_square):
    """The mean over each pixel's area; paper is white around the board."""
    side = dictionary.markerSize + 2
    first_white = 0 if legacy and rows % 2 == 0 else 1
    white = np.add.outer(np.arange(rows), np.arange(columns)) % 2 == first_white
    markers = np.zeros((rows, columns, side, side))
    for marker, position in enumerate(np.argwhere(white)):
        markers[tuple(position)] = cells(dictionary, marker)
    inverse = np.linalg.inv(pixel_from_square)
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(float)
    total = np.zeros(x.shape)
    for part in range(SAMPLES * SAMPLES):
        position = np.array([part % SAMPLES, part // SAMPLES]) / SAMPLES + 0.5 / SAMPLES - 0.5
        u, v, w = np.tensordot(inverse, [x + position[0], y + position[1], np.ones_like(x)], 1)
        u, v = u / w, v / w
        column = np.clip(u, 0, columns - 1).astype(int)
        row = np.clip(v, 0, rows - 1).astype(int)
        i = np.floor((u - column - (1 - share) / 2) / share * side)
        j = np.floor((v - row - (1 - share) / 2) / share * side)
        is_marker = (i >= 0) & (j >= 0) & (i < side) & (j < side)
        i, j = (np.clip(k, 0, side - 1).astype(int) for k in (i, j))
        level = np.where(white[row, column], np.where(is_marker, markers[row, column, j, i], 1), 0)
        outside = (u < 0) | (v < 0) | (u >= columns) | (v >= rows)
        total += np.where(outside, 1, level)
    return total / SAMPLES**2


def board_image(seed, columns, rows, share, name, legacy):
    """One image and the corners' pixels by number; blur 0.7…1.5 pixels, noise 2…4 levels."""
    random = np.random.default_rng(seed)
    camera = np.array([[560, 0, 322.5], [0, 560, 235.5], [0, 0, 1]])
    rotation, _ = cv2.Rodrigues(random.uniform(-0.5, 0.5, 3))
    middle = np.array([columns / 2, rows / 2, 0])
    distance = random.uniform(10, 16) * max(columns / 10, rows / 8)
    shift = np.array([*random.uniform(-1, 1, 2), distance]) - rotation @ middle
    pixel_from_square = camera @ np.column_stack([rotation[:, 0], rotation[:, 1], shift])
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    levels = 30 + 180 * whiteness(columns, rows, share, dictionary, legacy, pixel_from_square)
    blurred = cv2.GaussianBlur(levels, (0, 0), random.uniform(0.7, 1.5))
    noisy = blurred + random.normal(0, random.uniform(2, 4), blurred.shape)
    corners = {}
    for row in range(1, rows):
        for column in range(1, columns):
            x, y, w = pixel_from_square @ [column, row, 1]
            corners[(row - 1) * (columns - 1) + column - 1] = np.array([x / w, y / w])
    return np.clip(np.round(noisy), 0, 255).astype(np.uint8), corners
