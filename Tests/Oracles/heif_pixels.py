"""Pixels of a HEIF file as libheif decodes them: `heif_pixels.py FILE color [INDEX] | depth | aux ITEM`.

One line "width height channels", then the packed bytes, rows without padding.
"""

import sys

import pillow_heif


def packed(data, stride, width, height, channels):
    row = width * channels
    view = memoryview(data)
    return b"".join(view[y * stride : y * stride + row] for y in range(height))


def main(path, kind, number=0):
    pillow_heif.options.ALLOW_INCORRECT_HEADERS = False
    heif = pillow_heif.open_heif(path, convert_hdr_to_8bit=True)
    if kind == "color":
        image, channels = heif[int(number)], 3
        if image.mode != "RGB":
            raise SystemExit(f"mode {image.mode}")
    elif kind == "depth":
        image, channels = heif[0].info["depth_images"][int(number)], 1
    else:
        image, channels = heif[0].get_aux_image(int(number)), 1
    width, height = image.size
    sys.stdout.buffer.write(f"{width} {height} {channels}\n".encode())
    sys.stdout.buffer.write(packed(image.data, image.stride, width, height, channels))


main(*sys.argv[1:])
