"""Checks of the viewer with a live stream whose every value is known."""
import re
import time

import numpy as np

from report_page import expect, expect_close
from viewer_mock import MockServer
from viewer_page import PHONE, ViewerPage
from viewer_readings import check_weight
from viewer_truth import HEVC_CODEC, HEVC_PART, HEVC_IMAGE


def check_frames(viewer, server):
    viewer.until("plumblineViewer.hasFrame", "a frame")
    sequence, x, y, depth, sigma = viewer.page.evaluate("""() => {
      const [x, y] = [240, 160];
      const { depth, sigma } = plumblineViewer.probe(x, y);
      return [plumblineViewer.sequence, x, y, depth, sigma];
    }""")
    truth = float(server.live_truth.depth(sequence)[y, x])
    expect_close(depth, truth, 1e-6, "depth of the live frame")
    expect_close(sigma, (0.001 ** 2 + (0.002 * truth * truth) ** 2) ** 0.5, 1e-6, "sigma of the live frame")
    viewer.until("(before) => plumblineViewer.sequence !== before", "another frame", sequence)
    expect(all(message["type"] == "shown" for message in server.shown), "other messages than shown")


def check_status(viewer, server):
    text = viewer.text("live-status")
    for word in ("30.0\u00a0fps", "12.4 ± 1.3\u00a0ms", "3\u00a0late", "2\u00a0without depth", "normal",
                 "90 frames, 88 safe, 12.5\u00a0MB"):
        expect(word in text, f"{word} is not in: {text}")
    viewer.until("plumblineViewer.framesPerSecond > 0", "a rate")


def check_alerts(viewer, server):
    page = viewer.page
    server.status["thermal"] = "serious"
    viewer.until("document.querySelector('#banners [role=alert]')?.textContent.includes('hot')", "the heat's alert")
    tone, warn = page.evaluate("""() => {
      const style = getComputedStyle(document.querySelector('#banners .banner'));
      return [style.getPropertyValue('--tone'), style.getPropertyValue('--warn')];
    }""")
    expect(tone == warn, f"a caution has the color {tone}, not {warn}")
    server.status["thermal"] = "nominal"
    viewer.until("!document.querySelector('#banners [role=alert]')", "the alert's end")
    server.tell({"type": "ended", "reason": "the file is over"})
    viewer.until("document.getElementById('banners').textContent.includes('the file is over')", "the end")
    page.locator("#banners button").first.click()
    expect(not viewer.sees("#banners .banner"), "the message cannot be closed")


def check_freeze(viewer, server):
    page = viewer.page
    page.locator("#freeze").click()
    expect(page.locator("#freeze").get_attribute("aria-pressed") == "true", "not pressed")
    page.wait_for_timeout(300)
    held = viewer.state("sequence")
    page.wait_for_timeout(600)
    expect(viewer.state("sequence") == held, "the image goes on")
    page.keyboard.press("h")
    viewer.until("(before) => plumblineViewer.sequence !== before", "the image", held)


def check_reconnect(viewer, server):
    server.is_refusing = True
    server.drop_live()
    viewer.until("document.getElementById('banners').textContent.includes('connection is lost')", "the loss")
    def tries():
        return len([r for r in server.requests if r[1] == "/api/live"])

    before = tries()
    viewer.page.wait_for_timeout(2500)
    # After 0.5, 1, 2, 4, 8 s …: not a storm.
    expect(tries() - before <= 4, f"tried {tries() - before} times in 2.5 s")
    deadline = time.monotonic() + 10
    while tries() == before and time.monotonic() < deadline:
        viewer.page.wait_for_timeout(50)
    expect(tries() > before, "it does not try again")
    server.is_refusing = False
    viewer.until("!document.querySelector('#banners .banner:not([hidden])')", "the connection")
    before = viewer.state("sequence")
    viewer.until("(before) => plumblineViewer.sequence !== before", "a frame after it", before)


def check_near(viewer, server):
    """A box that comes up to 0.15 m fills more than a twentieth of the image."""
    original = list(server.live_frames)
    near = server.live_truth
    depth = near.depth
    near.depth = lambda frame=0: depth(frame) - depth(frame) * 0.75
    server.live_frames[:] = [near.live_message(frame) for frame in range(2)] * 10
    viewer.until("document.getElementById('banners').textContent.includes('nearer than 200')", "the warning")
    server.live_frames[:] = original
    near.depth = depth
    viewer.until("!document.getElementById('banners').textContent.includes('nearer than 200')", "its end")


# Counts the tones in place of a loudspeaker.
SILENT_AUDIO = """() => {
  window.tones = 0;
  const parameter = { value: 0, setValueAtTime() {}, exponentialRampToValueAtTime() {} };
  const node = () => ({ gain: parameter, frequency: parameter, connect: (next) => next,
    start: () => { window.tones++; }, stop() {} });
  window.AudioContext = class {
    currentTime = 0;
    destination = {};
    async resume() {}
    createOscillator() { return node(); }
    createGain() { return node(); }
  };
}"""


def nearest_by_sorting(depth, pixel_area):
    """The rule of ProximityReading without shortcuts."""
    values = np.sort(depth[depth > 0].ravel())
    area = np.cumsum(pixel_area * values ** 2)
    by_area = int(np.searchsorted(area, 10e-4))
    return float(values[min(by_area, (depth.size + 1) // 2 - 1)])


def check_alarm(viewer, server):
    """A thing at 0.25 of its distance is nearer than 0.4 m; as it is, it is not."""
    page = viewer.page
    page.evaluate(SILENT_AUDIO)
    page.locator("#alarm-distance").fill("0.4")
    page.locator("#alarm-on").check()
    viewer.until("document.getElementById('alarm').dataset.state === 'clear'", "the alarm's first word")
    truth = server.live_truth
    pixel_area = truth.focal ** -2
    expected = [nearest_by_sorting(truth.depth(frame), pixel_area) for frame in range(20)]
    shown = float(re.search(r"nearest ([0-9.]+)", viewer.text("alarm-reading")).group(1))
    # Steps of a thousandth, and what is shown is rounded to its sigma.
    near_one = min(abs(shown / 1000 / value - 1) for value in expected)
    expect(near_one < 0.01, f"the alarm shows {shown} mm, the frames have {expected} m")
    expect(page.evaluate("window.tones") == 0, "it sounds while nothing is near")
    original = list(server.live_frames)
    depth = truth.depth
    truth.depth = lambda frame=0: depth(frame) - depth(frame) * 0.75
    server.live_frames[:] = [truth.live_message(frame) for frame in range(2)] * 10
    viewer.until("document.getElementById('alarm').dataset.state === 'near'", "the alarm")
    expect("nearer than 400" in viewer.text("banners"), f"the banner says {viewer.text('banners')}")
    viewer.until("window.tones >= 4", "two signals of two tones each")
    begun = time.monotonic()
    tones = page.evaluate("window.tones")
    page.wait_for_timeout(2100)
    more = page.evaluate("window.tones") - tones
    expect(more <= 2 * (int(time.monotonic() - begun) + 1), f"{more} tones in two seconds")
    server.live_frames[:] = original
    truth.depth = depth
    viewer.until("document.getElementById('alarm').dataset.state === 'clear'", "its end")
    expect("nearer than 400" not in viewer.text("banners"), "the banner stays")
    page.locator("#alarm-on").uncheck()
    expect(viewer.text("alarm-reading") == "", "it goes on")


# Stands for Safari's decoder: takes what WebCodecs says it takes, and gives an orange image.
HEVC_DECODER = """
  window.configured = [];
  window.VideoDecoder = class {
    static async isConfigSupported(config) { return { config, supported: true }; }
    constructor({ output, error }) { Object.assign(this, { output, error, state: 'unconfigured' }); }
    configure({ codec, description }) {
      this.state = 'configured';
      window.configured.push({ codec, description: description ?? null });
    }
    decode(chunk) {
      if (chunk.type !== 'key') throw new DOMException('no key');
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      window.data = [...data];
      if (window.breaks) {
        this.state = 'closed';
        this.error(new DOMException('broken'));
        return;
      }
      const canvas = new OffscreenCanvas(64, 48);
      const context = canvas.getContext('2d');
      context.fillStyle = 'rgb(240 120 20)';
      context.fillRect(0, 0, 64, 48);
      this.last = new VideoFrame(canvas, { timestamp: chunk.timestamp });
    }
    async flush() {
      if (this.state === 'closed') throw new DOMException('closed', 'AbortError');
      this.output(this.last);
    }
    close() { this.state = 'closed'; }
  };
"""


def check_hevc(checks, browser):
    """Color as HEVC: decoded where the browser does, else a sentence and the depth."""
    server = MockServer(items=[], live=True)
    server.live_truth.color_file = HEVC_PART
    server.live_frames[:] = [server.live_truth.live_message(frame) for frame in range(20)]
    viewer = ViewerPage(browser, server.url)

    def falls_back():
        viewer.until("plumblineViewer.hasFrame", "a frame")
        supported = viewer.page.evaluate(
            "(codec) => VideoDecoder.isConfigSupported({ codec }).then(({ supported }) => supported)", HEVC_CODEC)
        expect(not supported, "this Chromium decodes HEVC; its fallback cannot be tried with it")
        note = viewer.text("frame-note")
        expect("HEVC" in note and "cannot decode" in note and "Depth is shown" in note, f"note: {note}")
        expect(viewer.page.locator("input[name=image-mode][value=color]").is_disabled(), "color can be chosen")
        check_frames(viewer, server)
        viewer.expect_quiet()

    checks.run("live, HEVC: without a decoder a sentence, and depth goes on", falls_back)
    viewer.close()
    viewer = ViewerPage(browser, server.url, init=HEVC_DECODER)

    def decodes():
        viewer.until("plumblineViewer.hasFrame", "a frame")
        expect(not viewer.sees("#frame-note"), viewer.text("frame-note"))
        expect(bytes(viewer.page.evaluate("window.data")) == HEVC_IMAGE, "other bytes are decoded than were sent")
        viewer.choose("image-mode", "color")
        color = viewer.color_at(200, 20)
        expect(max(abs(a - b) for a, b in zip(color, (240, 120, 20))) <= 6, f"the image is {color}")
        # The server begins again after its last frame.
        for _ in range(3):
            viewer.until("(before) => plumblineViewer.sequence !== before", "more frames", viewer.state("sequence"))
        configured = viewer.page.evaluate("window.configured")
        expect(configured == [{"codec": HEVC_CODEC, "description": None}], f"decoders: {configured}")
        viewer.page.evaluate("window.breaks = true")
        viewer.until("!document.getElementById('frame-note').hidden", "the note of an image that breaks")
        viewer.page.evaluate("window.breaks = false")
        viewer.until("document.getElementById('frame-note').hidden", "the color after it")
        viewer.expect_quiet()

    checks.run("live, HEVC: with a decoder the color is shown, a broken image is skipped", decodes)
    viewer.close()
    server.close()


def check_waiting(checks, browser):
    """Before the first frame the page says that it waits, and shows nothing of what was open before."""
    server = MockServer(items=MockServer.photo(), live=True)
    server.holds_frames = True
    viewer = ViewerPage(browser, server.url + "#item=0")

    def waits():
        expect(viewer.state("frameName") == "bust-0" and viewer.sees("#panes"), "the photo is not shown")
        viewer.page.locator("#to-live").click()
        viewer.until("document.getElementById('loading').textContent.includes('Waiting')", "the word")
        expect(viewer.sees("#loading") and not viewer.sees("#stage"), "the photo stays under the live stream")
        server.holds_frames = False
        viewer.until("plumblineViewer.hasFrame", "a frame")
        viewer.until("document.getElementById('loading').hidden", "the word's end")
        expect(viewer.sees("#overlay") and viewer.sees("#cloud"), "nothing is shown")
        check_frames(viewer, server)
        viewer.expect_quiet()

    checks.run("live: waits for the first frame", waits)
    viewer.close()
    server.close()


def check_live(checks, browser, folder):
    server = MockServer(items=[], live=True)
    viewer = ViewerPage(browser, server.url)
    checks.run("live: frames with their values, answered", lambda: check_frames(viewer, server))
    checks.run("live: rate, latency, drops, heat, recording", lambda: check_status(viewer, server))
    viewer.screenshot(folder, "live-desktop-light")
    checks.run("live: alerts for heat and the end", lambda: check_alerts(viewer, server))
    checks.run("live: something too near", lambda: check_near(viewer, server))
    checks.run("live: the alarm", lambda: check_alarm(viewer, server))
    checks.run("live: freeze", lambda: check_freeze(viewer, server))
    checks.run("live: comes back after a loss", lambda: check_reconnect(viewer, server))
    checks.run("live: the page is light enough", lambda: check_weight(viewer))
    checks.run("live: names for screen readers", viewer.expect_names)
    checks.run("live: no complaint", lambda: viewer.expect_quiet(allowed=("WebSocket connection",)))
    viewer.close()
    phone = ViewerPage(browser, server.url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2,
                       color_scheme="dark")
    checks.run("live on a phone: fits the width", phone.expect_width)
    phone.until("plumblineViewer.hasFrame", "a frame")
    phone.screenshot(folder, "live-phone-dark")
    phone.close()
    server.close()
    check_waiting(checks, browser)
    check_hevc(checks, browser)
