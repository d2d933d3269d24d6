"""What other programs see in a written JPEG photo, as bytes on standard output.

    frame FILE N      Pillow: samples of image N (0 is the photo) of the multi-picture file, as gray
    frames FILE       Pillow: the number of images
    exif FILE         Pillow: orientation, then the number of bytes of the ICC profile
    image FILE N      ExifTool: the bytes of image N of the index, counted from 1
    tag FILE TAG      ExifTool: the value of a tag
    lossless FILE     FFmpeg: samples of a lossless JPEG, 16 bits little-endian
"""
import subprocess
import sys

what, path = sys.argv[1:3]


def run(*command: str) -> bytes:
    return subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True).stdout


if what in ("frame", "frames", "exif"):
    from PIL import Image

    image = Image.open(path)
    if what == "frames":
        answer = str(getattr(image, "n_frames", 1)).encode()
    elif what == "exif":
        answer = f"{image.getexif().get(0x0112)} {len(image.info.get('icc_profile') or b'')}".encode()
    else:
        image.seek(int(sys.argv[3]))
        answer = image.convert("L").tobytes()
elif what == "image":
    answer = run("exiftool", "-b", f"-MPImage{sys.argv[3]}", path)
elif what == "tag":
    answer = run("exiftool", "-b", f"-{sys.argv[3]}", path)
else:
    answer = run("ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray16le", "-")
sys.stdout.buffer.write(answer)
