"""Files of five formats, made and decoded by foreign libraries; for `Scripts/fuzz-differential`.

Each format is a class with the letter by which `Fuzz/PeerDecoding` knows it, the fuzz target whose
corpus it takes, `make` (a sound file by chance), `decode` (what a foreign library makes of bytes, in
the form of our answers), `same` (whether two answers say the same) and `mend` (makes checksums right again).
"""
import io
import struct
import zipfile
import zlib

import imagecodecs
import liblzfse
import numpy
import tifffile


def sizes(height: int, width: int) -> bytes:
    return struct.pack("<II", width, height)


def random_image(random, kind) -> numpy.ndarray:
    """Ramps, noise, few values or one, of up to 40 × 40."""
    height, width = random.randint(1, 40), random.randint(1, 40)
    noise = numpy.random.default_rng(random.getrandbits(32))
    if numpy.issubdtype(kind, numpy.floating):
        values = noise.choice([0.0, -0.0, 1.5, 1e-40, numpy.nan, numpy.inf, -3e4], (height, width))
        return (values if random.random() < 0.3 else noise.normal(1, 1, (height, width))).astype(kind)
    top = numpy.iinfo(kind).max
    x, y = numpy.meshgrid(numpy.arange(width), numpy.arange(height))
    choice = random.randrange(4)
    if choice == 0:
        return noise.integers(0, top, (height, width), kind, endpoint=True)
    if choice == 1:
        return ((x * random.randint(0, 999) + y * random.randint(0, 999)) % (int(top) + 1)).astype(kind)
    if choice == 2:
        return noise.choice(numpy.array([0, 1, top // 2, top], kind), (height, width))
    return numpy.full((height, width), noise.integers(0, top, dtype=kind, endpoint=True), kind)


class Format:
    @staticmethod
    def mend(data: bytes) -> bytes:
        return data

    @staticmethod
    def same(ours: bytes, theirs: bytes) -> bool:
        return ours == theirs


class PNG(Format):
    name, letter, target = "PNG", b"P", "PNGFuzzer"

    @staticmethod
    def make(random) -> bytes:
        """Every type that is read, with a filter of its own for each row."""
        color, depth = random.choice([(0, 8), (0, 16), (2, 8), (4, 8), (4, 16), (6, 8)])
        width, height = random.randint(1, 30), random.randint(1, 30)
        row_bytes = width * {0: 1, 2: 3, 4: 2, 6: 4}[color] * depth // 8
        filters = [random.randrange(5) for _ in range(height)]
        smooth = random.random() < 0.5
        rows = b"".join(
            bytes([kind]) + (bytes([random.randrange(256)] * row_bytes) if smooth else random.randbytes(row_bytes))
            for kind in filters
        )
        packed = zlib.compress(rows, random.randrange(10))
        cuts = sorted(random.randrange(len(packed) + 1) for _ in range(random.randrange(3)))
        parts = [packed[a:b] for a, b in zip([0, *cuts], [*cuts, len(packed)])]
        chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))]
        if random.random() < 0.3:
            chunks.append((b"tEXt", b"Comment\0" + random.randbytes(5)))
        chunks += [(b"IDAT", part) for part in parts] + [(b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
            for kind, body in chunks
        )

    @staticmethod
    def mend(data: bytes) -> bytes:
        data, offset = bytearray(data), 8
        while offset + 12 <= len(data):
            end = offset + 8 + struct.unpack_from(">I", data, offset)[0]
            if end + 4 > len(data):
                break
            struct.pack_into(">I", data, end, zlib.crc32(data[offset + 4 : end]))
            offset = end + 4
        return bytes(data)

    @staticmethod
    def decode(data: bytes) -> bytes:
        image = imagecodecs.png_decode(data)
        if image.ndim == 3:
            # Gray and alpha, color, color and alpha: transparency is left out.
            image = image[..., 0] if image.shape[2] == 2 else image[..., :3]
        return sizes(*image.shape[:2]) + image.astype(image.dtype.newbyteorder("<")).tobytes()


class TIFF(Format):
    name, letter, target = "TIFF", b"T", "TIFFFuzzer"

    @staticmethod
    def make(random) -> bytes:
        kind = random.choice(["u1", "u2", "u4", "f2", "f4", "f8"])
        compression = random.choice([None, "deflate", "lzw", "packbits"])
        options = {"byteorder": random.choice("<>"), "compression": compression, "photometric": "minisblack"}
        if compression in ("deflate", "lzw") and random.random() < 0.6:
            options["predictor"] = 3 if kind[0] == "f" else 2
        if random.random() < 0.4:
            options["tile"] = (16 * random.randint(1, 2), 16 * random.randint(1, 2))
        else:
            options["rowsperstrip"] = random.randint(1, 40)
        buffer = io.BytesIO()
        tifffile.imwrite(buffer, random_image(random, numpy.dtype(kind)), metadata=None, **options)
        return buffer.getvalue()

    @staticmethod
    def decode(data: bytes) -> bytes:
        image = imagecodecs.tiff_decode(data)
        if image.ndim != 2:
            raise ValueError(f"{image.ndim} dimensions")
        with numpy.errstate(all="ignore"):
            values = image.astype("<f4")
        return sizes(*image.shape) + values.tobytes()

    @staticmethod
    def same(ours: bytes, theirs: bytes) -> bool:
        """The same numbers; which bits stand for "not a number" is not compared."""
        if ours[:8] != theirs[:8] or len(ours) != len(theirs):
            return False
        return numpy.array_equal(numpy.frombuffer(ours[8:], "<f4"), numpy.frombuffer(theirs[8:], "<f4"), equal_nan=True)


class LZFSE(Format):
    name, letter, target = "LZFSE", b"L", "LZFSEFuzzer"
    room = 1 << 18

    @staticmethod
    def make(random) -> bytes:
        kind = random.randrange(4)
        count = random.choice([0, 1, 7, 60, 500, 5000, 60_000])
        if kind == 0:
            data = random.randbytes(count)
        elif kind == 1:
            data = bytes(random.choice(b"abcd") for _ in range(min(count, 5000)))
        elif kind == 2:
            data = numpy.cumsum(numpy.random.default_rng(count).normal(0, 1e-3, count // 4)).astype("<f4").tobytes()
        else:
            data = random.randbytes(random.randint(1, 40)) * (count // 20)
        return liblzfse.compress(data)

    @staticmethod
    def decode(data: bytes) -> bytes:
        # What fills the room may go on: the library says nothing of that.
        decoded = bytes(imagecodecs.lzfse_decode(data, out=LZFSE.room))
        if len(decoded) == LZFSE.room:
            raise ValueError(f"{LZFSE.room} bytes or more")
        return decoded


class LosslessJPEG(Format):
    name, letter, target = "lossless JPEG", b"J", "LosslessJPEGFuzzer"

    @staticmethod
    def make(random) -> bytes:
        kind = random.choice([numpy.uint8, numpy.uint16])
        bits = 8 if kind is numpy.uint8 else random.randint(9, 16)
        image = random_image(random, kind)
        if kind is numpy.uint16:
            image >>= 16 - bits
        if random.random() < 0.3:
            return bytes(imagecodecs.ljpeg_encode(image, bitspersample=bits))
        options = {"predictor": random.randint(1, 7), "bitspersample": bits, "lossless": True}
        return bytes(imagecodecs.jpeg8_encode(image, **options))

    @staticmethod
    def decode(data: bytes) -> bytes:
        image = imagecodecs.jpeg8_decode(data)
        if image.ndim != 2:
            raise ValueError(f"{image.ndim} dimensions")
        return sizes(*image.shape) + image.astype(image.dtype.newbyteorder("<")).tobytes()


class ZIP(Format):
    name, letter, target = "ZIP", b"Z", "ZIPFuzzer"

    @staticmethod
    def make(random) -> bytes:
        buffer = io.BytesIO()
        if random.random() < 0.3:
            buffer.seekable = lambda: False
        top = random.choice(["", "", "scan/", "a/b/"])
        with zipfile.ZipFile(buffer, "w") as archive:
            for name in random.sample(["a", "b.json", "rgbd/0.depth", "rgbd/1.depth", "é/ü.txt", "n" * 90], random.randint(1, 5)):
                info = zipfile.ZipInfo(top + name)
                info.compress_type = random.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
                content = random.randbytes(random.randrange(300)) if random.random() < 0.5 else b"depth" * random.randrange(90)
                with archive.open(info, "w", force_zip64=random.random() < 0.3) as file:
                    file.write(content)
            archive.comment = random.randbytes(random.choice([0, 0, 9]))
        return buffer.getvalue()

    @staticmethod
    def decode(data: bytes) -> bytes:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            answer, count = [], 0
            for info in archive.infolist():
                if info.is_dir():
                    continue
                name = info.orig_filename
                if not info.flag_bits & 0x800:
                    # Ours takes names without the mark of UTF-8 as UTF-8 all the same, as their writers mean them.
                    name = name.encode("cp437").decode("utf-8", "replace")
                try:
                    content = archive.read(info)
                    count += len(content)
                    answer.append((name, content))
                except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError):
                    answer.append((name, None))
                if count > 1 << 26:
                    raise ValueError("too much")
        return ZIP.listing(answer)

    @staticmethod
    def listing(files) -> bytes:
        parts = []
        for name, content in files:
            name = name.encode("utf-8", "surrogateescape")
            parts.append(struct.pack("<I", len(name)) + name)
            parts.append(b"\1" + bytes(4) if content is None else b"\0" + struct.pack("<I", len(content)) + content)
        return b"".join(parts)

    @staticmethod
    def files(listing: bytes) -> dict:
        files, offset = {}, 0
        while offset < len(listing):
            length = struct.unpack_from("<I", listing, offset)[0]
            name = listing[offset + 4 : offset + 4 + length]
            refused, count = struct.unpack_from("<BI", listing, offset + 4 + length)
            offset += 9 + length
            files[name] = None if refused else listing[offset : offset + count]
            offset += count
        return files

    @staticmethod
    def same(ours: bytes, theirs: bytes) -> bool:
        """Each file that both give has the same bytes.

        Ours leaves one common folder out of the names, and finds files in archives whose directory is lost.
        """
        ours, theirs = ZIP.files(ours), ZIP.files(theirs)
        for name, content in ours.items():
            matches = [other for other in theirs if other == name or other.endswith(b"/" + name)]
            if content is not None and matches and not any(theirs[other] in (content, None) for other in matches):
                return False
        return True


FORMATS = [PNG, TIFF, LZFSE, LosslessJPEG, ZIP]
