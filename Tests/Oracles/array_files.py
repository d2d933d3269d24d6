"""Writes TIFF and NPY files of every kind that is read, by tifffile, Pillow and numpy: FOLDER.

Prints a JSON list of {file, type, width, height, values}, all values as numbers row after row.
"""
import json
import pathlib
import sys

import numpy
import tifffile
from PIL import Image

folder = pathlib.Path(sys.argv[1])
rng = numpy.random.default_rng(7)
smooth = numpy.add.outer(numpy.arange(37), 3 * numpy.arange(45)) % 251
noise = rng.integers(0, 6, smooth.shape)
found = []


def keep(name, array):
    array = numpy.asarray(array)
    found.append({
        "file": name, "type": str(array.dtype.newbyteorder("=")), "width": array.shape[1],
        "height": array.shape[0], "values": array.astype(float).ravel().tolist(),
    })


for kind in ("uint8", "uint16", "uint32", "float16", "float32", "float64"):
    array = (smooth + noise).astype(kind)
    array = array * numpy.asarray(0.37, kind) if kind.startswith("f") else array * (1 if kind == "uint8" else 200)
    array = array.astype(kind)
    for order in "<>":
        for compression, predictor in ((None, None), ("zlib", None), ("zlib", True)):
            if predictor and kind == "float64" and order == ">":
                continue  # tifffile itself cannot write it
            for layout in ({}, {"rowsperstrip": 5}, {"tile": (16, 32)}):
                name = f"{kind}{'le' if order == '<' else 'be'}{compression}{predictor}{len(found)}.tiff"
                try:
                    tifffile.imwrite(
                        folder / name, array, byteorder=order, photometric="minisblack",
                        compression=compression, predictor=predictor, **layout)
                except Exception:
                    # Without imagecodecs tifffile cannot take differences of every type.
                    continue
                keep(name, tifffile.imread(folder / name))
        for fortran in (False, True):
            name = f"{kind}{order == '<'}{fortran}.npy"
            stored = array.astype(array.dtype.newbyteorder(order))
            numpy.save(folder / name, numpy.asfortranarray(stored) if fortran else stored)
            keep(name, numpy.load(folder / name))

for compression in ("tiff_lzw", "packbits", "tiff_adobe_deflate", None):
    for mode, array in (("L", smooth.astype("uint8")), ("I;16", (smooth * 200 + noise).astype("uint16")),
                        ("F", (smooth * 0.37).astype("float32"))):
        name = f"pillow-{compression}-{mode.replace(';', '')}.tiff"
        image = Image.fromarray(array)
        assert image.mode == mode
        image.save(folder / name, compression=compression)
        keep(name, numpy.asarray(Image.open(folder / name)))
# LZW of long noise makes tables full, so that they are cleared in between.
array = rng.integers(0, 65536, (90, 200)).astype("uint16")
Image.fromarray(array).save(folder / "pillow-lzw-noise.tiff", compression="tiff_lzw")
keep("pillow-lzw-noise.tiff", array)
print(json.dumps(found))
