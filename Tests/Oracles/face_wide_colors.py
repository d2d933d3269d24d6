"""Makes two photos of one look, in sRGB and in another profile, and compares the textures of their heads.

    face_wide_colors.py make PHOTO PROFILE SRGB.jpg PROFILED.jpg UNTAGGED.jpg
    face_wide_colors.py compare FOLDER OTHER

`make` writes the photo as sRGB, in the profile's own numbers with the profile, and those numbers without it.
`compare` prints a line for each kind of file, `glb` and `usdz`: whether either texture has a profile, then
the mean difference of the two textures in red, green and blue, in codes.
"""

import io
import json
import struct
import sys
import zipfile

import numpy as np
from PIL import Image, ImageCms


def make(photo, profile, srgb_path, profiled_path, untagged_path):
    image = Image.open(photo).convert("RGB")
    wanted, srgb = ImageCms.ImageCmsProfile(profile), ImageCms.createProfile("sRGB")
    intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
    converted = ImageCms.applyTransform(
        image, ImageCms.buildTransform(srgb, wanted, "RGB", "RGB", intent))
    with open(profile, "rb") as file:
        content = file.read()
    image.save(srgb_path, quality=100, subsampling=0)
    converted.save(profiled_path, quality=100, subsampling=0, icc_profile=content)
    converted.save(untagged_path, quality=100, subsampling=0)


def glb_texture(folder):
    with open(f"{folder}/face-1.glb", "rb") as file:
        data = file.read()
    length = struct.unpack("<I", data[12:16])[0]
    document, binary = json.loads(data[20:20 + length]), data[20 + length + 8:]
    view = document["bufferViews"][document["images"][0]["bufferView"]]
    return binary[view.get("byteOffset", 0):][:view["byteLength"]]


def usdz_texture(folder):
    archive = zipfile.ZipFile(f"{folder}/face-1.usdz")
    return archive.read(next(name for name in archive.namelist() if name.endswith(".jpg")))


def compare(folder, other):
    for kind, texture in (("glb", glb_texture), ("usdz", usdz_texture)):
        images = [Image.open(io.BytesIO(texture(source))) for source in (folder, other)]
        profile = any(image.info.get("icc_profile") for image in images)
        pixels = [np.asarray(image.convert("RGB")).astype(int) for image in images]
        # Where the photo is: what is filled is smooth, and spreads the few texels at its rim over half the texture.
        grain = np.abs(np.diff(pixels[0].sum(2), axis=1, prepend=0)) > 6
        difference = (pixels[1] - pixels[0])[grain]
        print(kind, "profile" if profile else "none", *difference.mean(0))


{"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
