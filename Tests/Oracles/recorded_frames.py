"""Frames of a recording by json, numpy and OpenCV alone: folder -> one JSON list.

Each frame: name, width, height, count, lower median in meters, sum of all depths, and the camera
as printed in its file.
"""
import json
import pathlib
import sys

import numpy


def frame(name, meters, camera):
    values = numpy.sort(meters[numpy.isfinite(meters) & (meters > 0)].astype(numpy.float32))
    return {
        "name": name, "width": meters.shape[1], "height": meters.shape[0], "count": int(values.size),
        "median": float(values[(values.size - 1) // 2]), "sum": float(values.astype(float).sum()),
        **camera,
    }


def dump(folder):
    import cv2

    entries = {e["Timestamp"]: e for e in json.loads((folder / "DepthMetadata.json").read_text())}
    for time in sorted(entries):
        entry = entries[time]
        codes = cv2.imread(str(folder / f"depth_{time}.png"), cv2.IMREAD_UNCHANGED)
        assert codes.dtype == numpy.uint16
        rows = [[float(x) for x in entry[f"IntrinsicMatrix.{i}"].strip("()").split(",")] for i in range(3)]
        width, height = (float(x) for x in entry["IntrinsicMatrixReferenceDimensions"].strip("()").split(","))
        yield frame(str(time), codes / 10000.0, {
            "fx": rows[0][0] * width / entry["Width"], "cx": rows[0][2] * width / entry["Width"],
            "fy": rows[1][1] * height / entry["Height"], "cy": rows[1][2] * height / entry["Height"],
            "distorting": entry["LensDistortionLookupTable"],
            "undistorting": entry["LensDistortionInverseLookupTable"],
            "seconds": time / 1000,
        })


def frames(folder):
    for path in sorted(folder.glob("*.ply")):
        data = path.read_bytes()
        end = data.index(b"end_header\n") + 11
        counts = {l.split()[1]: int(l.split()[2]) for l in data[:end].decode().splitlines() if l.startswith("element")}
        meta = json.loads(data[end : end + counts["metadata"]])
        start = end + counts["metadata"] + 12 * counts["color"]
        meters = numpy.frombuffer(data, "<f4", counts["depth"], start).reshape(meta["height"], meta["width"])
        camera = meta["camera_intrinsics"]
        matrix = camera["intrinsic_matrix"]
        yield frame(path.stem, numpy.where(meters == 9999, numpy.nan, meters), {
            "fx": matrix[0], "fy": matrix[4], "cx": matrix[6], "cy": matrix[7],
            "distorting": camera["lens_distortion_lookup_table"],
            "undistorting": camera["inverse_lens_distortion_lookup_table"],
            "seconds": meta["timestamp"],
        })


folder = pathlib.Path(sys.argv[1])
found = dump(folder) if (folder / "DepthMetadata.json").exists() else frames(folder)
print(json.dumps(list(found)))
