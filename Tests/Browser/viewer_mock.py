"""Serves the viewer's files and known scenes on loopback, as `plumbline serve` does, in a thread of its own.
Run alone it serves until it is stopped: viewer_mock.py [PORT [photo|folder|live]].
"""
import asyncio
import base64
import hashlib
import json
import pathlib
import struct
import sys
import threading

sys.dont_write_bytecode = True

from viewer_truth import FRAME_SECONDS, Truth, message, png, verdict_of

VIEWER = pathlib.Path(__file__).resolve().parents[2] / "Sources/C/CEmbeddedData/viewer"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
          "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8"}
KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
FRAMES = 40
LOST_AFTER, LOST = 17, 6
VERDICTS = ["corrected", "measurable", "relative", "untrusted", None]


class Item:
    def __init__(self, name, truth, frames=1):
        self.name, self.truth, self.frames = name, truth, frames
        # Whether responses hold what is known while the recording is still read.
        self.is_incomplete = False

    def time(self, index):
        """A gap of `LOST` frames follows frame `LOST_AFTER`."""
        return (index + (LOST if index > LOST_AFTER else 0)) * FRAME_SECONDS

    def frame(self, index):
        truth = self.truth
        header = {**truth.header(index, f"{self.name}-{index}"), "scene": truth.scene(),
                  "timestampSeconds": self.time(index)}
        return message(header, truth.parts(index))

    def document(self, index):
        times = [self.time(frame) for frame in range(self.frames)]
        is_recording = self.frames > 1
        known = self.known(times, is_recording)
        if self.is_incomplete:
            known["frames"] = [{**frame, "pose": None} for frame in known["frames"]]
            known.update(drops=[], findings=[])
        return {"schema": "plumbline.item/1", "index": index, "name": self.name, "complete": not self.is_incomplete,
                **known}

    def known(self, times, is_recording):
        return {
            "kind": "recording" if is_recording else "photo", "layout": "mock", "worldAxes": None,
            "frames": [{"index": frame, "name": f"{self.name}-{frame}", "timestampSeconds": time,
                        "pose": [1, 0, 0, 0.02 * frame, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}
                       for frame, time in enumerate(times)],
            "drops": [{"after": LOST_AFTER, "count": LOST, "seconds": LOST * FRAME_SECONDS}] if is_recording else [],
            "findings": [
                {"code": "recording.gap", "severity": "caution", "message": "6 frames were lost.",
                 "frames": [LOST_AFTER]},
                {"code": "depth.flying", "severity": "note", "message": "Pixels float between surfaces.",
                 "frames": [3, 11, 30]}] if is_recording else []}


class MockServer:
    """`live_rate` frames a second go to each live viewer, two at most on their way; software draws no more."""

    def __init__(self, items=None, live=False, token=None, live_rate=8, port=0):
        self.items = items if items is not None else MockServer.folder()
        self.live, self.token, self.live_rate = live, token, live_rate
        self.verdicts, self.findings = list(VERDICTS), [{"message": "1 entry cannot be read: a broken link"}]
        self.requests, self.shown = [], []
        self.status = {"type": "status", "framesPerSecond": 30.0, "received": 1, "skipped": 0,
                       "dropped": {"lateData": 3, "noDepth": 2}, "thermal": "nominal", "latencyMilliseconds": 12.4,
                       "latencyPlusMinusMilliseconds": 1.3, "viewers": 1,
                       "recording": {"path": "a.mcap", "frames": 90, "stored": 88, "bytes": 12_500_000}}
        self.live_truth = Truth(256, 192, has_maps=False)  # Software draws a point for each pixel.
        self.live_frames = []
        self.writers = set()
        self.is_refusing = False
        self.holds_frames = self.offers_faces = False
        self.tags = {}
        ready = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.run, args=(port, ready), daemon=True)
        self.thread.start()
        ready.wait()
        self.url = f"http://127.0.0.1:{self.port}/"

    @staticmethod
    def folder():
        return [Item("bust", Truth()), Item("tour", Truth(320, 240), FRAMES),
                Item("turned", Truth(orientation=6, metric=False)),
                Item("bare", Truth(256, 192, has_color=False, has_maps=False)), Item("late", Truth(240, 180))]

    @staticmethod
    def photo():
        return [Item("bust", Truth())]

    def run(self, port, ready):
        asyncio.set_event_loop(self.loop)
        if self.live:
            self.live_frames = [self.live_truth.live_message(frame) for frame in range(20)]

        async def start():
            server = await asyncio.start_server(self.serve, "127.0.0.1", port, limit=1 << 20)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()

        self.loop.run_until_complete(start())
        self.loop.run_forever()

    def close(self):
        async def stop():
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.loop.stop()

        asyncio.run_coroutine_threadsafe(stop(), self.loop)
        self.thread.join()
        self.loop.close()

    def drop_live(self):
        """Cuts every live connection."""
        self.loop.call_soon_threadsafe(lambda: [writer.close() for writer in list(self.writers)])

    def tell(self, text):
        """Sends a text message to every live viewer."""
        data = frame_of(1, json.dumps(text).encode())
        self.loop.call_soon_threadsafe(lambda: [writer.write(data) for writer in list(self.writers)])

    async def serve(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    async def exchange(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, path, _ = head.split("\r\n", 1)[0].split(" ")
        headers = {name.lower(): value.strip() for name, value in
                   (line.split(":", 1) for line in head.split("\r\n")[1:] if ":" in line)}
        self.requests.append((method, path))
        if headers.get("upgrade", "").lower() == "websocket":
            await self.watch(reader, writer, headers)
            return False
        status, kind, body, more = self.response(method, path, headers)
        policy = () if "Content-Security-Policy" in "".join(more) else (f"Content-Security-Policy: {POLICY}",)
        lines = [f"HTTP/1.1 {status} -", f"Content-Type: {kind}", f"Content-Length: {len(body)}",
                 "X-Content-Type-Options: nosniff", "Cache-Control: no-store", *policy, *more]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await writer.drain()
        return True

    def response(self, method, path, headers):
        def json_answer(status, value, *more):
            return status, "application/json", json.dumps(value).encode(), more

        def error(status, text):
            return json_answer(status, {"schema": "plumbline.error/1", "code": "mock", "message": text})

        name = "viewer.html" if path == "/" else path.removeprefix("/viewer/")
        if "/" not in name and (path == "/" or path.startswith("/viewer/")):
            file = VIEWER / name
            if file.suffix not in TYPES or not file.is_file():
                return error(404, "no such file")
            return 200, TYPES[file.suffix], file.read_bytes(), ()
        if path == "/api/session" and method == "POST":
            if self.token and headers.get("authorization") != f"Bearer {self.token}":
                return error(401, "wrong token")
            return json_answer(200, {}, "Set-Cookie: plumbline=1; Path=/; HttpOnly; SameSite=Strict")
        if self.token and "plumbline=1" not in headers.get("cookie", ""):
            return error(401, "no token")
        return self.content(path.split("/")[2:], json_answer, error)

    def content(self, parts, json_answer, error):
        if parts == ["view"]:
            return json_answer(200, {
                "schema": "plumbline.view/1", "title": "Mock folder", "live": self.live, "faces": self.offers_faces,
                "findings": self.findings,
                "items": [{"index": index, "name": item.name, "frames": item.frames, "findings": index,
                           "kind": "recording" if item.frames > 1 else "photo", **verdict_of(self.verdicts[index])}
                          for index, item in enumerate(self.items)]})
        if len(parts) < 2 or parts[0] != "items" or not parts[1].isdigit() or int(parts[1]) >= len(self.items):
            return error(404, "There is no such item.")
        index = int(parts[1])
        item = self.items[index]
        if parts[2:] == []:
            return json_answer(200, item.document(index))
        if parts[2:] == ["thumbnail"]:
            return 200, "image/png", png(item.truth.color()[::2, ::2]), ()
        if parts[2] == "frames" and parts[3].isdigit() and int(parts[3]) < item.frames:
            if parts[4:] == ["check"]:
                return json_answer(200, self.check(index))
            return 200, "application/vnd.plumbline.frame", item.frame(int(parts[3])), ()
        return error(404, "There is no such frame.")

    def check(self, index):
        return {
            "schema": "plumbline.check/1", "file": self.items[index].name, "sha256": "00" * 32,
            "source": {"model": "iPhone 14", "camera": "trueDepth", "capturedAt": "2026-05-04T10:12:31"},
            "depth": {"width": 480, "height": 360, "storedType": "fdis", "kind": "disparity", "accuracy": "absolute",
                      "filtered": False, "quality": "high", "minMeters": 0.5, "medianMeters": 0.98,
                      "maxMeters": 1.25, "validFraction": 0.97, "stepMillimetersAtMedian": 0.97,
                      "sigmaMillimetersAtMedian": 2.2},
            "calibration": {"present": True, "trusted": True, "fx": 400, "fy": 400, "cx": 239.5, "cy": 179.5},
            "findings": [
                {"code": "depth.flying", "severity": "caution",
                 "message": "1.4 % of the pixels float between near and far surfaces.",
                 "effect": {"zMillimeters": 38, "lengthPercent": None}, "correction": "available"},
                {"code": "depth.unfiltered", "severity": "note",
                 "message": "The depth is as measured; holes were not filled in.",
                 "effect": {"zMillimeters": None, "lengthPercent": None}, "correction": "none"}],
            **verdict_of(self.verdicts[index] or "measurable"),
            "reason": "You can measure in this photo: a length is good to 0.6 %, a depth at 98 cm to 2.2 mm.",
            "uncertainty": {"zMillimeters": 2.2, "lengthPercent": 0.6, "basis": "known"}}

    async def watch(self, reader, writer, headers):
        if self.is_refusing:
            writer.write(b"HTTP/1.1 503 -\r\nContent-Length: 0\r\n\r\n")
            return
        digest = hashlib.sha1((headers["sec-websocket-key"] + KEY).encode()).digest()
        writer.write(b"HTTP/1.1 101 -\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
                     base64.b64encode(digest) + b"\r\n\r\n")
        self.writers.add(writer)
        state = {"sent": 0, "shown": 0}

        def send(text):
            writer.write(frame_of(1, json.dumps(text).encode()))

        send({"type": "live", "schema": "plumbline.stream/1", "source": "Simulated camera"})
        send({**self.live_truth.scene(), "type": "scene"})
        tasks = [asyncio.ensure_future(task) for task in (
            self.feed(writer, state), self.report(send), self.listen(reader, state))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.writers.discard(writer)

    async def feed(self, writer, state):
        start, tick = self.loop.time(), 0
        while True:
            tick += 1
            await asyncio.sleep(max(0, start + tick / self.live_rate - self.loop.time()))
            if state["sent"] - state["shown"] > 1 or self.holds_frames:
                self.status["skipped"] += 1
                continue
            state["sent"] += 1
            writer.write(frame_of(2, self.live_frames[tick % len(self.live_frames)]))
            await writer.drain()

    async def report(self, send):
        while True:
            send(self.status)
            await asyncio.sleep(0.5)

    async def listen(self, reader, state):
        while True:
            first, second = await reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", await reader.readexactly(2))[0]
            mask = await reader.readexactly(4)
            data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(await reader.readexactly(size)))
            if first & 0x0F == 8:
                return
            if first & 0x0F == 1:
                text = json.loads(data)
                self.shown.append(text)
                state["shown"] += 1


def frame_of(opcode, data):
    """A WebSocket frame from a server."""
    size = len(data)
    head = bytes([0x80 | opcode])
    if size < 126:
        head += bytes([size])
    elif size < 1 << 16:
        head += b"\x7e" + struct.pack(">H", size)
    else:
        head += b"\x7f" + struct.pack(">Q", size)
    return head + data


if __name__ == "__main__":
    kind = sys.argv[2] if len(sys.argv) > 2 else "folder"
    server = MockServer(items=MockServer.photo() if kind == "photo" else None if kind == "folder" else [],
                        live=kind == "live", port=int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(server.url, flush=True)
    server.thread.join()
