"""Writes depth maps as MAP files for depth_codecs: maps.py FOLDER DATA."""
import glob
import pathlib
import re
import sys

import numpy
import pillow_heif
import tifffile
from PIL import Image

folder, data = pathlib.Path(sys.argv[1]), sys.argv[2] + "/"


def save(name: str, samples: numpy.ndarray) -> None:
    """Floats by their bits with NaN as the hole, codes with 0."""
    holes = {"float16": 0x7E00, "float32": 0x7FC00000}
    hole = holes.get(samples.dtype.name, 0)
    height, width = samples.shape
    head = numpy.array([width, height, samples.itemsize, hole], "<u4")
    (folder / f"{name}.map").write_bytes(head.tobytes() + samples.tobytes())


def halves_of(meters: numpy.ndarray) -> numpy.ndarray:
    with numpy.errstate(divide="ignore"):
        return numpy.where(meters > 0, 1 / meters, numpy.nan).astype("<f2")


def png(path: str) -> numpy.ndarray:
    return numpy.array(Image.open(path)).astype("<u2")


for index in (0, 45):
    path = sorted(glob.glob(data + "truedepth-mannequin/DepthFrames/*.ply"))[index]
    content = pathlib.Path(path).read_bytes()
    start = content.index(b"end_header\n") + 11
    start += int(re.search(rb"element metadata (\d+)", content)[1]) + 76_800 * 12
    meters = numpy.frombuffer(content[start : start + 76_800 * 4], "<f4").reshape(240, 320).copy()
    meters[meters > 9998] = numpy.nan
    save(f"mannequin{index}-f32", meters)
    save(f"mannequin{index}-disp-f16", halves_of(meters))
save("promptda-u16", png(data + "lidar/promptda/arkit_depth.png"))
save("ioridev-f32", tifffile.imread(glob.glob(data + "lidar/ioridev/*.tiff")[0]).astype("<f4"))
for name in "246":
    save(f"noisy{name}-u16", png(glob.glob(data + f"noisy-rgbd/{name}/*depth*.png")[0]))
zeiss = png(sorted(glob.glob(data + "zeiss-truedepth/**/depth_*.png", recursive=True))[0])
save("zeiss-u16", zeiss)
save("zeiss-disp-f16", halves_of(zeiss / 10_000))
for name, low, high in (("truedepth_iphone14", 0.493652, 3.402344), ("pug", 1.498047, 4.382812)):
    picture = pillow_heif.open_heif(data + f"photos/{name}.heic").info["depth_images"][0]
    codes = numpy.asarray(picture.to_pillow()).reshape(picture.size[::-1])
    save(f"{name}-u8", codes.astype("u1"))
    values = (low + codes.astype("f8") * (high - low) / 255).astype("<f4")
    save(f"{name}-disp-f32", values)
    save(f"{name}-disp-f16", values.astype("<f2"))
random = numpy.random.default_rng(1)
y, x = numpy.mgrid[0:480, 0:640]
meters = 1.2 + 0.001 * x + 0.4 * numpy.sin(y / 90) * numpy.cos(x / 70)
meters -= 0.4 * (numpy.hypot(x - 320, y - 240) < 120)
meters = (meters + random.normal(0, 0.001, meters.shape) * meters**2).astype("<f4")
meters[random.random(meters.shape) < 0.02] = numpy.nan
meters[100:140, 300:420] = numpy.nan
save("noise1mm-f32", meters)
save("noise1mm-f16", meters.astype("<f2"))
save("noise1mm-disp-f16", halves_of(meters))
levels = numpy.where(numpy.abs(meters - 1) < 0.1, 1, 2)
save("confidence-u8", numpy.where(numpy.isnan(meters), 0, levels).astype("u1"))
