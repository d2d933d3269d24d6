"""Sends a synthetic depth camera to `plumbline serve`: stream_client.py URL [FRAMES].

    pip install numpy websockets
    python stream_client.py "ws://127.0.0.1:8080/api/publish"

A ball swings in front of a wall; maps go as `raw`. The protocol: Documentation/formats/stream.md.
"""
import asyncio
import json
import struct
import sys
import time

import numpy
import websockets

WIDTH, HEIGHT, FOCAL = 320, 240, 290.0
X, Y = numpy.meshgrid(numpy.arange(WIDTH) - 159.5, numpy.arange(HEIGHT) - 119.5)


def depth_at(seconds: float) -> numpy.ndarray:
    """Meters along the optical axis; the nearest column was not measured."""
    meters = 2 + 0.001 * X
    squares = 90**2 - (X - 80 * numpy.sin(seconds)) ** 2 - Y**2
    meters = numpy.where(squares > 0, 1.2 - numpy.sqrt(squares.clip(0)) / FOCAL, meters)
    meters[:, 0] = numpy.nan
    return meters.astype("<f4")


def frame(sequence: int, seconds: float) -> bytes:
    pixels = depth_at(seconds).tobytes()
    matrix = [FOCAL, 0, 159.5, 0, FOCAL, 119.5, 0, 0, 1]
    calibration = {"width": WIDTH, "height": HEIGHT, "matrix": matrix}
    depth = {"kind": "depth", "accuracy": "absolute", "calibration": calibration}
    part = {"name": "depth", "encoding": "raw", "samples": "float32", "bytes": len(pixels)}
    header = {"type": "frame", "sequence": sequence, "timestampSeconds": seconds, "depth": depth}
    header["parts"] = [{**part, "width": WIDTH, "height": HEIGHT}]
    text = json.dumps(header).encode()
    return b"PLS1" + struct.pack("<I", len(text)) + text + pixels


async def answer(socket) -> None:
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "clock":
            await socket.send(json.dumps({**message, "seconds": time.monotonic()}))
        elif message["type"] == "error":
            sys.exit(f"the server refuses: {message['message']}")


async def main(url: str, count: int) -> None:
    async with websockets.connect(url, max_size=1 << 20) as socket:
        session = f"python-{time.time_ns()}"
        hello = {"type": "hello", "schema": "plumbline.stream/1", "session": session}
        await socket.send(json.dumps({**hello, "name": "Python example"}))
        welcome = json.loads(await socket.recv())
        if welcome["type"] != "welcome":
            sys.exit(f"no welcome: {welcome}")
        answers = asyncio.create_task(answer(socket))
        for sequence in range(welcome["next"], count):
            await socket.send(frame(sequence, time.monotonic()))
            await asyncio.sleep(1 / 30)
        await socket.send(json.dumps({"type": "bye"}))
        answers.cancel()
    print(f"sent {count} frames")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300))
