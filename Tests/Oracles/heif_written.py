"""What libheif finds in a HEIF file: `heif_written.py FILE OUT`, JSON to standard output.

The codes of the first depth map go to OUT/depth, of each auxiliary image to OUT/<item>; codes of more
than eight bits as two bytes, low one first, shifted to the top of 16 as Pillow has them.
"""

import json
import sys

import pillow_heif


def packed(image):
    width, height = image.size
    row = width * (1 if image.mode == "L" else 2)
    view = memoryview(image.data)
    return b"".join(view[y * image.stride : y * image.stride + row] for y in range(height))


def main(path, folder):
    heif = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
    image = heif[0]
    info = image.info
    found = {
        "size": image.size,
        "mode": image.mode,
        "exif": (info.get("exif") or b"").hex(),
        "xmp": (info.get("xmp") or b"").decode(),
        "icc": (info.get("icc_profile") or b"").hex(),
        "orientation": info.get("original_orientation"),
        "images": len(heif),
        "depth": [],
        "auxiliaries": {},
    }
    for depth in info["depth_images"]:
        found["depth"].append(
            {"size": depth.size, "mode": depth.mode, "metadata": depth.info["metadata"]}
        )
    if info["depth_images"]:
        open(f"{folder}/depth", "wb").write(packed(info["depth_images"][0]))
    for urn, items in info["aux"].items():
        for item in items:
            auxiliary = image.get_aux_image(item)
            found["auxiliaries"][urn] = list(auxiliary.size)
            open(f"{folder}/{item}", "wb").write(packed(auxiliary))
    json.dump(found, sys.stdout)


main(*sys.argv[1:])
