"""Compares colors by profiles of this project with those by others', in Little CMS (Pillow's ImageCms).

    icc_profiles.py FOLDER

Reads srgb, p3 and phone from the folder. Prints the largest difference in codes of 8 bits (a) between
srgb and Little CMS's own sRGB, and (b) between p3 and phone, each taken to Little CMS's own sRGB or Lab.
"""

import os
import sys

from PIL import Image, ImageCms

folder = sys.argv[1]
steps = [0, 1, 7, 20, 64, 127, 128, 200, 254, 255]
colors = [(r, g, b) for r in steps for g in steps for b in steps]
image = Image.new("RGB", (len(colors), 1))
image.putdata(colors)
lab = ImageCms.createProfile("LAB")


def values(source):
    # Lab holds colors that sRGB does not.
    transform = ImageCms.buildTransform(source, lab, "RGB", "LAB", ImageCms.Intent.RELATIVE_COLORIMETRIC)
    data = ImageCms.applyTransform(image, transform).tobytes()
    # a and b are signed.
    return [v if i % 3 == 0 else (v + 128) % 256 for i, v in enumerate(data)]


def worst(a, b):
    return max(abs(x - y) for x, y in zip(values(a), values(b)))


def own(name):
    return ImageCms.ImageCmsProfile(os.path.join(folder, name))


print(worst(own("srgb"), ImageCms.createProfile("sRGB")), worst(own("p3"), own("phone")))
