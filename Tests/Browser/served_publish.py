"""Checks of the page with color as HEVC, published to `plumbline serve` as a phone does."""
import asyncio
import json
import threading

import numpy as np

from report_page import expect
from served import PATIENCE_SECONDS, Served
from viewer_page import ViewerPage
from viewer_truth import HEVC_CODEC, HEVC_PART, HEVC_IMAGE, message, part

WIDTH, HEIGHT, FOCAL = 64, 48, 60.0


def depth_of(sequence):
    """Meters; another map for each frame."""
    columns = np.arange(WIDTH, dtype=np.float32)
    return np.tile(np.float32(1) + columns / 64 + np.float32(sequence % 50) / 100, (HEIGHT, 1)).astype(np.float32)


def frame_of(sequence):
    matrix = [FOCAL, 0, (WIDTH - 1) / 2, 0, FOCAL, (HEIGHT - 1) / 2, 0, 0, 1]
    header = {"sequence": sequence, "timestampSeconds": sequence / 10, "depth": {
        "kind": "depth", "accuracy": "absolute",
        "calibration": {"width": WIDTH, "height": HEIGHT, "matrix": matrix}}}
    return message(header, [part("depth", depth_of(sequence)), HEVC_PART])


class Publisher:
    """Sends frames to a server, ten a second, for as long as a `with`."""

    def __init__(self, url):
        self.url, self.errors = url, []
        self.ending = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.publish()), daemon=True)

    async def publish(self):
        import websockets

        async with websockets.connect(self.url) as socket:
            hello = {"type": "hello", "schema": "plumbline.stream/1", "session": "hevc-test", "name": "HEVC"}
            await socket.send(json.dumps(hello))
            sequence = 0
            while not self.ending.is_set():
                await socket.send(frame_of(sequence))
                sequence += 1
                try:
                    answer = json.loads(await asyncio.wait_for(socket.recv(), 0.1))
                except TimeoutError:
                    continue
                if answer["type"] == "error":
                    self.errors.append(answer["message"])
                    return
            await socket.send(json.dumps({"type": "bye"}))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join(PATIENCE_SECONDS)


def check_published_color(checks, browser):
    with Served("serve", "--source", "phone") as served:
        with Publisher(served.url.replace("http", "ws", 1) + "api/publish") as publisher:
            viewer = ViewerPage(browser, served.url)

            def shows_depth():
                viewer.until("plumblineViewer.hasFrame", "a frame")
                expect(not publisher.errors, f"the server refuses: {publisher.errors}")
                sequence, found, kind, size = viewer.page.evaluate("""() => {
                  const { frame, scene } = plumblineViewer.viewer;
                  const color = frame.header.parts.find(({ name }) => name === 'color');
                  return [frame.header.sequence, Array.from(scene.depth), color.encoding, color.bytes];
                }""")
                expect((kind, size) == ("hevc", len(HEVC_IMAGE)), f"color came as {kind} of {size} bytes")
                expect(np.array_equal(np.array(found, np.float32), depth_of(sequence).ravel()), "another depth")
                supported = viewer.page.evaluate(
                    "(codec) => VideoDecoder.isConfigSupported({ codec }).then(({ supported }) => supported)",
                    HEVC_CODEC)
                note = viewer.page.locator("#frame-note")
                expect(note.is_visible() != supported, f"HEVC is decoded: {supported}; note: {note.inner_text()}")
                expect(supported or "cannot decode" in note.inner_text(), note.inner_text())
                viewer.until("(before) => plumblineViewer.sequence > before", "the next frame", sequence)

            checks.run("serve: published HEVC color is shown or explained, depth to the bit", shows_depth)
            checks.run("serve: HEVC, no other host, no complaint", viewer.expect_quiet)
            viewer.close()
        checks.run("serve: Control-C ends it well after a publisher", lambda: expect(served.end() == 0, "exit code"))
