"""Packs files into archives as other programs do, with Python's own zipfile.

    zip_samples.py FOLDER      FOLDER/in/** becomes FOLDER/*.zip
    zip_samples.py list FILE   prints name, size and CRC-32 of each entry after testing all of them
"""
import io
import pathlib
import sys
import zipfile

if sys.argv[1] == "list":
    with zipfile.ZipFile(sys.argv[2]) as archive:
        assert archive.testzip() is None
        for entry in archive.infolist():
            print(entry.filename, entry.file_size, f"{entry.CRC:08x}", entry.date_time[0])
    sys.exit()

folder = pathlib.Path(sys.argv[1])
files = sorted(path for path in (folder / "in").rglob("*") if path.is_file())


def names(top: str) -> list:
    return [(path, top + path.relative_to(folder / "in").as_posix()) for path in files]


def pack(name: str, top: str, method: int, target=None, zip64=False) -> bytes:
    output = target or io.BytesIO()
    with zipfile.ZipFile(output, "w", method) as archive:
        if top:
            archive.writestr(top, b"")
        for path, inside in names(top):
            with archive.open(inside, "w", force_zip64=zip64) as entry:
                entry.write(path.read_bytes())
        if top:
            archive.writestr("__MACOSX/" + top + "._a", b"resource fork")
            archive.writestr(top + ".DS_Store", b"\0")
    (folder / f"{name}.zip").write_bytes(output.getvalue())


class Pipe(io.BytesIO):
    """A stream that cannot seek, so that sizes come in descriptors behind the data."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_):
        raise io.UnsupportedOperation

    def tell(self):
        raise io.UnsupportedOperation


pack("stored", "", zipfile.ZIP_STORED)
pack("deflated", "", zipfile.ZIP_DEFLATED)
pack("in-folder", "scan/", zipfile.ZIP_DEFLATED)
pack("zip64", "", zipfile.ZIP_DEFLATED, zip64=True)
pack("piped", "", zipfile.ZIP_DEFLATED, target=Pipe())
pack("piped-stored", "", zipfile.ZIP_STORED, target=Pipe())
pack("bzip2", "", zipfile.ZIP_BZIP2)
