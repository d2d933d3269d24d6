"""Small true containers for Scripts/fuzz-seeds: MCAP, ZIP, LZFSE and films."""
import io
import pathlib
import shutil
import struct
import subprocess
import tempfile
import zipfile
import zlib


def mcap_record(opcode: int, body: bytes) -> bytes:
    return bytes([opcode]) + struct.pack("<Q", len(body)) + body


def mcap_files():
    """Small recordings: with and without chunks, an index, checksums; and cut."""
    text = lambda value: struct.pack("<I", len(value)) + value
    magic = b"\x89MCAP0\r\n"
    schema = mcap_record(3, struct.pack("<H", 1) + text(b"s") + text(b"e") + text(b"\1\2"))
    channel = mcap_record(4, struct.pack("<HH", 1, 1) + text(b"/a") + text(b"m") + text(text(b"k") + text(b"v")))
    messages = [mcap_record(5, struct.pack("<HIQQ", 1, n, 7 - n, n) + b"data" * n) for n in range(4)]
    for crc in (0, 1):
        for chunked in (0, 1):
            data = mcap_record(1, text(b"p") + text(b"l")) + mcap_record(12, text(b"n") + text(text(b"a") + text(b"b")))
            attachment = struct.pack("<QQ", 1, 2) + text(b"n") + text(b"t") + struct.pack("<Q", 3) + b"abc"
            attachment_at = 8 + len(data)
            data += mcap_record(9, attachment + struct.pack("<I", zlib.crc32(attachment) * crc))
            attachment_end = 8 + len(data)
            records = schema + channel + b"".join(messages)
            chunk_at = 8 + len(data)
            if chunked:
                fields = struct.pack("<QQQI", 4, 7, len(records), zlib.crc32(records) * crc)
                data += mcap_record(6, fields + text(b"") + struct.pack("<Q", len(records)) + records)
            else:
                data += records
            chunk_end = 8 + len(data)
            places, at = b"", len(schema) + len(channel)
            for n, message in enumerate(messages):
                places += struct.pack("<QQ", 7 - n, at)
                at += len(message)
            index = mcap_record(7, struct.pack("<H", 1) + text(places))
            if chunked:
                data += index
            data = magic + data + mcap_record(15, bytes(4))
            summary = schema + channel
            summary += mcap_record(
                11, struct.pack("<QHIIIIQQ", 4, 1, 1, 1, 1, chunked, 4, 7) + text(struct.pack("<HQ", 1, 4)))
            summary += mcap_record(13, struct.pack("<QQ", 8 + 19, 31) + text(b"n"))
            summary += mcap_record(10, struct.pack("<QQQQQ", attachment_at, attachment_end - attachment_at, 1, 2, 3)
                                   + text(b"n") + text(b"t"))
            if chunked:
                summary += mcap_record(
                    8, struct.pack("<QQQQ", 4, 7, chunk_at, chunk_end - chunk_at)
                    + text(struct.pack("<HQ", 1, chunk_end)) + struct.pack("<Q", len(index)) + text(b"")
                    + struct.pack("<QQ", len(records), len(records)))
            footer = b"\2" + struct.pack("<QQQ", 20, len(data), 0)
            summary += footer + struct.pack("<I", zlib.crc32(summary + footer) * crc)
            yield data + summary + magic
            yield data
            yield data[:-40]


def archives():
    """Small archives: stored, deflated, in one folder, ZIP64, piped with descriptors, cut off."""
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for large in (False, True):
            for top in ("", "scan/"):
                buffer = io.BytesIO()
                with zipfile.ZipFile(buffer, "w", method) as archive:
                    for name in ("metadata", "rgbd/0.depth", "rgbd/0.conf"):
                        with archive.open(top + name, "w", force_zip64=large) as entry:
                            entry.write(name.encode() * 9)
                yield buffer.getvalue()
                yield buffer.getvalue()[: len(buffer.getvalue()) // 2]
        pipe = io.BytesIO()
        pipe.seekable = lambda: False
        with zipfile.ZipFile(pipe, "w", method) as archive:
            archive.writestr("a/b", b"data" * 30)
        yield pipe.getvalue()
        yield pipe.getvalue()[: pipe.getvalue().rfind(b"PK\1\2")]


def lzfse_streams():
    """Every kind of block; entropy-coded ones where the tests' Python has Apple's encoder."""
    opcodes = b"\xe0\4" + bytes(range(10, 30)) + bytes.fromhex("480563 0e a929004d 4e37 0f0700 f2 f001")
    payload = opcodes + b"\6" + bytes(7)
    yield b"bvxn" + struct.pack("<II", 62, len(payload)) + payload + b"bvx$"
    yield b"bvx-" + struct.pack("<I", 5) + b"depth" + b"bvx$"
    try:
        import liblzfse
    except ImportError:
        return
    floats = b"".join(struct.pack("<f", 1 + 0.001 * (i % 37) + 0.01 * (i // 37)) for i in range(1500))
    for text in (floats, b"depth map " * 60, bytes(range(256)) * 20, bytes(6000), floats[:400]):
        yield liblzfse.compress(text)


def films():
    """Small films of every kind that ffmpeg makes here, and the lists beside them."""
    yield b"timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy\n1.5, 000000, 1, 2, 3, 0, 0, 0, 1, 9, 9, 5, 4\n"
    yield b"timestamp, a_x, a_y, a_z, alpha_x, alpha_y, alpha_z\n1.5, 0, -1, 0, 0.1, 0.2, nan\n"
    if not shutil.which("ffmpeg"):
        return
    kinds = (
        ["-c:v", "libx264", "-bf", "2", "-g", "5"],
        ["-c:v", "libx264", "-movflags", "+faststart", "-vf", "setpts=(N+floor(N/3))/30/TB"],
        ["-c:v", "libx264", "-movflags", "+frag_keyframe+empty_moov"],
        ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=none:keyint=5"],
        ["-c:v", "mpeg4"],
    )
    for options in kinds:
        with tempfile.TemporaryDirectory() as folder:
            film = pathlib.Path(folder) / "film.mp4"
            source = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=30", "-frames:v", "12"]
            run = ["ffmpeg", "-v", "quiet", *source, "-pix_fmt", "yuv420p", *options, str(film)]
            if subprocess.run(run).returncode == 0:
                yield film.read_bytes()
