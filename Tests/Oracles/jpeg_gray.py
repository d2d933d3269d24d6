"""Luma of one JPEG image inside a file: path, offset, length -> bytes."""
import io
import sys

from PIL import Image

path, offset, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(path, "rb") as file:
    file.seek(offset)
    data = file.read(length)
sys.stdout.buffer.write(Image.open(io.BytesIO(data)).convert("L").tobytes())
