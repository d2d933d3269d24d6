"""Prints the colors at positions of an image or video as codes of a given profile, by Little CMS.

    wide_colors.py FILE PROFILE X,Y...

FILE may be a part of an archive, ARCHIVE!NAME, or an MCAP recording, whose first JPEG is taken.
Positions are fractions of the width and height. The file's own profile, or the codes of a video, say what its
numbers mean, else they are sRGB. Prints a line for each position, `R G B`, and before them what was found:
`profile`, `codes PRIMARIES TRANSFER` or `none`.
"""

import io
import json
import subprocess
import sys
import zipfile

from PIL import Image, ImageCms

try:
    import pillow_heif

    pillow_heif.register_heif_opener()
except ImportError:
    pass

path, wanted = sys.argv[1], ImageCms.ImageCmsProfile(sys.argv[2])
positions = [tuple(map(float, position.split(","))) for position in sys.argv[3:]]
srgb = ImageCms.createProfile("sRGB")
if path.endswith(".mp4"):
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_streams", "-of", "json", path],
        check=True, capture_output=True)
    stream = json.loads(probe.stdout)["streams"][0]
    size = stream["width"], stream["height"]
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24",
         "-sws_flags", "accurate_rnd+full_chroma_int", "-"],
        check=True, capture_output=True)
    image = Image.frombytes("RGB", size, raw.stdout)
    codes = stream.get("color_primaries"), stream.get("color_transfer")
    print("codes", *codes)
    own = {("smpte432", "iec61966-2-1"): wanted, ("bt709", "iec61966-2-1"): srgb}[codes]
else:
    if "!" in path:
        archive, name = path.split("!")
        data = zipfile.ZipFile(archive).read(name)
    elif path.endswith(".mcap"):
        from mcap.reader import make_reader

        with open(path, "rb") as file:
            messages = (message.data for _, _, message in make_reader(file).iter_messages())
            data = next(data[data.index(b"\xff\xd8\xff"):] for data in messages if b"\xff\xd8\xff" in data)
    else:
        data = open(path, "rb").read()
    image = Image.open(io.BytesIO(data))
    profile = image.info.get("icc_profile")
    print("profile" if profile else "none")
    own = ImageCms.ImageCmsProfile(io.BytesIO(profile)) if profile else srgb
    image = image.convert("RGB")
points = Image.new("RGB", (len(positions), 1))
points.putdata([image.getpixel((int(x * image.width), int(y * image.height))) for x, y in positions])
intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
shown = ImageCms.applyTransform(points, ImageCms.buildTransform(own, wanted, "RGB", "RGB", intent))
for color in shown.getdata():
    print(*color)
