"""Computes a photo's depth and cloud again, by other programs, and compares what was written.

usage: photo_outputs.py PHOTO EXTRACT_FOLDER CLOUD

The answer is one line of JSON with worst differences: of codes and mattes against pillow_heif or
Pillow, of depth.npy against the dequantized codes, of depth.png in millimeters, and of the cloud
against an independent unprojection through the lens polynomial, relative to the point's distance.
"""

import io
import json
import pathlib
import re
import sys

import numpy
from PIL import Image

photo, folder, cloud = map(pathlib.Path, sys.argv[1:4])
data = photo.read_bytes()


def packet():
    """The XMP packet of the depth map, found in the file's bytes."""
    for match in re.finditer(rb"<x:xmpmeta.*?</x:xmpmeta>", data, re.S):
        text = match.group().decode()
        if "IntrinsicMatrix" in text and "portraiteffectsmatte" not in text:
            return text
    sys.exit("no depth metadata")


XMP = packet()


def number(name, absent=None):
    found = re.search(rf"<\w+:{name}>([^<]+)<|\w+:{name}=\"([^\"]+)\"", XMP)
    return float(found.group(1) or found.group(2)) if found else absent


def numbers(name):
    found = re.search(rf"<\w+:{name}>(.*?)</\w+:{name}>", XMP, re.S)
    return numpy.array([float(x) for x in re.findall(r"<rdf:li>([^<]+)<", found.group(1))])


def depth_and_mattes():
    """The codes of the depth map and of the mattes by their file names."""
    mattes = {}
    if photo.suffix == ".heic":
        import pillow_heif

        heif = pillow_heif.open_heif(str(photo))
        names = {"portraiteffectsmatte": "portraitEffects"}
        for urn, items in heif.info.get("aux", {}).items():
            kind = urn.rsplit(":", 1)[1]
            name = names.get(kind) or kind.removeprefix("semantic").removesuffix("matte")
            if "matte" in kind:
                mattes[f"matte-{name}.png"] = numpy.asarray(heif.get_aux_image(items[0]).to_pillow())
            elif kind == "hdrgainmap":
                mattes["gainmap.png"] = numpy.asarray(heif.get_aux_image(items[0]).to_pillow())
        return numpy.asarray(heif.info["depth_images"][0].to_pillow()), mattes
    depth = None
    with Image.open(photo) as image:
        for index in range(1, image.n_frames):
            image.seek(index)
            start = image.offset
            end = data.find(b"\xff\xd8\xff\xe1", start + 4)
            part = data[start : end if end > 0 else None]
            codes = numpy.asarray(Image.open(io.BytesIO(part)).convert("L"))
            if b"portraiteffectsmatte" in part:
                mattes["matte-portraitEffects.png"] = codes
            elif b"hdrgainmap" in part:
                mattes["gainmap.png"] = codes
            else:
                depth = codes
    return depth, mattes


def gray(name):
    with Image.open(folder / name) as image:
        return numpy.asarray(image)


def worst(a, b):
    if a.shape != b.shape:
        return f"{a.shape} beside {b.shape}"
    return int(numpy.abs(a.astype(int) - b.astype(int)).max())


codes, mattes = depth_and_mattes()
answer = {"codes": worst(gray("codes.png"), codes)}
answer["mattes"] = {
    name: worst(gray(name), image) if (folder / name).exists() else "not written"
    for name, image in mattes.items()
}

low, high = number("FloatMinValue"), number("FloatMaxValue")
first, last = number("IntMinValue", 0), number("IntMaxValue", 255)
z = 1 / (low + (codes - first) / (last - first) * (high - low))
depth = numpy.load(folder / "depth.npy", allow_pickle=False)
answer["type"] = depth.dtype.str
answer["depth"] = float(numpy.abs(depth / z - 1).max())
if (folder / "depth.png").exists():
    answer["millimeters"] = float(numpy.abs(gray("depth.png").astype(float) - z * 1000).max())

# The camera at its reference size; pixels of the map are moved there (centers at whole numbers).
k = numbers("IntrinsicMatrix")
width, height = number("IntrinsicMatrixReferenceWidth"), number("IntrinsicMatrixReferenceHeight")
center = numpy.array([number("LensDistortionCenterOffsetX"), number("LensDistortionCenterOffsetY")])
scale = z.shape[1] / width
v, u = numpy.mgrid[: z.shape[0], : z.shape[1]]
points = (numpy.stack([u, v], axis=-1) + 0.5) / scale - 0.5
offset = points - center
radius = numpy.hypot(offset[..., 0], offset[..., 1])
limit = numpy.hypot(max(center[0], width - center[0]), max(center[1], height - center[1]))
square = (numpy.minimum(radius, limit) * number("PixelSize")) ** 2
magnification = 0.01 * numpy.polynomial.polynomial.polyval(
    square, numbers("LensDistortionCoefficients")
)
points = center + offset * (1 + magnification)[..., None]
xyz = numpy.stack(
    [(points[..., 0] - k[6]) / k[0] * z, (points[..., 1] - k[7]) / k[4] * z, z], axis=-1
).reshape(-1, 3)

content = cloud.read_bytes()
header, body = content.split(b"end_header\n", 1)
count = int(re.search(rb"element vertex (\d+)", header).group(1))
fields = {b"float": "<f4", b"uchar": "u1"}
record = numpy.dtype(
    [(n.decode(), fields[t]) for t, n in re.findall(rb"property (\w+) (\w+)", header)]
)
vertices = numpy.frombuffer(body, record)
written = numpy.stack([vertices["x"], vertices["y"], vertices["z"]], axis=-1).astype(float)
answer["count"] = count - len(xyz)
distance = numpy.linalg.norm(written - xyz, axis=1) / numpy.linalg.norm(xyz, axis=1)
answer["cloud"] = float(distance.max())
answer["moved"] = float(numpy.abs(offset * magnification[..., None]).max() * scale)
print(json.dumps(answer))
