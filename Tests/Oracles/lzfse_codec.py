"""Compresses or decompresses every file of a folder with Apple's own LZFSE (PyPI pyliblzfse).

    lzfse_codec.py compress|decompress FOLDER

NAME.raw becomes NAME.lzfse, NAME.lzfse becomes NAME.out.
"""
import pathlib
import sys

import liblzfse

folder = pathlib.Path(sys.argv[2])
if sys.argv[1] == "compress":
    for path in sorted(folder.glob("*.raw")):
        path.with_suffix(".lzfse").write_bytes(liblzfse.compress(path.read_bytes()))
else:
    failed = False
    for path in sorted(folder.glob("*.lzfse")):
        try:
            path.with_suffix(".out").write_bytes(liblzfse.decompress(path.read_bytes()))
        except liblzfse.error:
            print("cannot read", path.name, path.read_bytes()[:80].hex(" "), file=sys.stderr)
            failed = True
    if failed:
        sys.exit(1)
