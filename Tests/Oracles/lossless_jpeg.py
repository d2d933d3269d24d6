"""Lossless JPEG by imagecodecs: "decode FILE" or "encode RAW WIDTH HEIGHT BITS" -> bytes.

Samples are little-endian, 16 bits each, whatever their precision.
"""
import sys

import imagecodecs
import numpy

if sys.argv[1] == "decode":
    with open(sys.argv[2], "rb") as file:
        image = imagecodecs.ljpeg_decode(file.read())
    sys.stdout.buffer.write(image.astype("<u2").tobytes())
else:
    width, height, bits = (int(value) for value in sys.argv[3:6])
    image = numpy.fromfile(sys.argv[2], "<u2").reshape(height, width)
    if bits <= 8:
        image = image.astype(numpy.uint8)
    sys.stdout.buffer.write(imagecodecs.ljpeg_encode(image, bitspersample=bits))
