"""Scenes whose every value is known, as the viewer's server sends them; see Documentation/formats/stream.md."""
import json
import struct
import zlib

import numpy as np

FRAME_SECONDS = 1 / 30

# 64 x 48 pixels of one blue, Main profile, by x265: one image with its parameter sets, Annex B.
HEVC_IMAGE = bytes.fromhex(
    "0000000140010c01ffff01600000030090000003000003001e9598090000000142010101600000030090000003000003001ea02083165959"
    "ae4caf016808000003000800000300c840000000014401c173d0890000012801af1d80f00e08ffd797469ea3e2bf4e2ed29e")
HEVC_CODEC = "hev1.1.6.L30.90"
HEVC_PART = ({"name": "color", "encoding": "hevc", "width": 64, "height": 48}, HEVC_IMAGE)

# The library's words; those of a limit are longer than those of a verdict.
WORDS = {"corrected": "Measurable after correction, lengths to ± 6.5 %", "measurable": "Measurable",
         "relative": "Relative only", "untrusted": "Do not measure"}


def verdict_of(kind):
    """A verdict with its headline; both are null until they are known."""
    return {"verdict": kind, "headline": kind and {"words": WORDS[kind], "tone": kind}}


def message(header, parts):
    """A frame of `plumbline.stream/1`; parts are (members, bytes)."""
    header = {"type": "frame", **header, "parts": [{**members, "bytes": len(data)} for members, data in parts]}
    text = json.dumps(header).encode()
    return b"PLS1" + struct.pack("<I", len(text)) + text + b"".join(data for _, data in parts)


def part(name, values, **members):
    return ({"name": name, "encoding": "raw", "samples": str(values.dtype), "width": values.shape[1],
             "height": values.shape[0], **members}, np.ascontiguousarray(values).tobytes())


def png(pixels):
    """Pixels, height x width x 3 bytes, as a PNG."""
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1).tobytes()

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


class Truth:
    """A wall that leans away to the right, a box before it, a hole; the box moves on with each frame."""

    def __init__(self, width=320, height=240, orientation=1, metric=True, has_color=True, has_maps=True):
        self.width, self.height, self.orientation = width, height, orientation
        self.metric, self.has_color, self.has_maps = metric, has_color, has_maps
        self.focal = width / 1.2
        # Members and bytes that go as color in place of its pixels.
        self.color_file = None
        self.hole = (width // 12, height // 12)

    def box(self, frame=0):
        """left, top, right, bottom, all inside."""
        left = self.width * 3 // 8 + 4 * (frame % 20)
        return left, self.height * 3 // 8, left + self.width // 5, self.height * 3 // 8 + self.height // 4

    def depth(self, frame=0):
        rows, columns = np.mgrid[:self.height, :self.width]
        depth = (0.8 + 0.4 * columns / self.width + 0.05 * rows / self.height).astype(np.float32)
        left, top, right, bottom = self.box(frame)
        depth[top:bottom + 1, left:right + 1] = np.float32(0.5 + 0.002 * frame)
        depth[:2 * self.hole[1], :2 * self.hole[0]] = np.nan
        return depth

    def sigma(self, depth):
        return (np.float32(0.001) + np.float32(0.002) * depth * depth).astype(np.float32)

    def confidence(self):
        columns = np.arange(self.width) * 3 // self.width
        return np.tile(columns.astype(np.uint8), (self.height, 1))

    def invented(self):
        invented = np.zeros((self.height, self.width), np.uint8)
        invented[self.height * 5 // 6:self.height * 5 // 6 + 16, self.width // 4:self.width * 3 // 4] = 1
        return invented

    def matte(self, frame=0):
        matte = np.zeros((self.height, self.width), np.uint8)
        left, top, right, bottom = self.box(frame)
        matte[top:bottom + 1, left:right + 1] = 255
        return matte

    def color(self, frame=0):
        rows, columns = np.mgrid[:self.height, :self.width]
        pixels = np.empty((self.height, self.width, 3), np.uint8)
        pixels[..., 0] = 40 + 120 * columns // self.width
        pixels[..., 1] = 60 + 100 * rows // self.height
        pixels[..., 2] = 90
        pixels[(rows // 24 + columns // 24) % 2 == 0] += 24
        left, top, right, bottom = self.box(frame)
        pixels[top:bottom + 1, left:right + 1] = (214, 170, 130)
        return pixels

    def scene(self):
        x = np.linspace(0, self.width - 1, 9)
        y = np.linspace(0, self.height - 1, 7)
        rays = [[(u - (self.width - 1) / 2) / self.focal, (v - (self.height - 1) / 2) / self.focal]
                for v in y for u in x]
        return {"schema": "plumbline.scene/2", "metric": self.metric, "calibrated": True, "rayColumns": 9,
                "rayRows": 7, "rays": [value for ray in rays for value in ray], "sigmaConstant": 0.001,
                "sigmaPerMeter": 0, "sigmaPerMeterSquared": 0.002, "lengthPercent": 0.5, "verdict": None}

    def parts(self, frame):
        depth = self.depth(frame)
        parts = [part("depth", depth)]
        if self.color_file:
            parts.append(self.color_file)
        elif self.has_color:
            color = self.color(frame)
            parts.append(({"name": "color", "encoding": "raw", "samples": "rgb8", "width": self.width,
                           "height": self.height}, color.tobytes()))
        if self.has_maps:
            parts += [part("stored", (1 / depth).astype(np.float32)), part("sigma", self.sigma(depth)),
                      part("confidence", self.confidence(), levels=2), part("invented", self.invented()),
                      part("matte:portrait", self.matte(frame))]
        return parts

    def header(self, frame, name):
        return {"sequence": frame, "name": name, "timestampSeconds": frame * FRAME_SECONDS,
                "orientation": self.orientation,
                "depth": {"kind": "depth", "accuracy": "absolute" if self.metric else "relative",
                          "storedType": "fdis"}}

    def message(self, frame=0, name="frame", with_scene=True):
        header = self.header(frame, name)
        if with_scene:
            header["scene"] = self.scene()
        return message(header, self.parts(frame))

    def live_message(self, frame):
        return self.message(frame, str(frame), with_scene=False)
