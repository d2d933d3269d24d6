#!/usr/bin/env python3
"""Opens the viewer's 3D view in Chromium on scenes with exact truth, and checks what it shows and measures.

    test_space.py [SCREENSHOT-FOLDER]

Needs Playwright for Python; the browser is CHROMIUM or /usr/bin/chromium; NODE or `node` for the
tests of measurement.js. Prints one line for each check and "N passed, N failed"; exits 0 if none
failed, 1 if one did, 75 if there is no browser. Without node it says so and goes on.
"""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

from report_page import COLORS_ON_CANVAS, Checks, expect, expect_close
from space_mock import VIEWER, MockServer

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
DEGREE = math.pi / 180
NO_WEBGL = """
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
  };
"""
# Elements of the tools that reach beyond them, or whose text does not fit.
TOO_WIDE = """
  () => [...document.querySelectorAll('#space-tools *, .space-legend, .space-legend *')]
    .filter((node) => node.checkVisibility() && !node.closest('.space-unseen') && node.tagName !== 'INPUT')
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
      || node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0
         && getComputedStyle(node).display !== 'inline')
    .map((node) => node.tagName + '.' + node.className + ': ' + node.textContent.slice(0, 40))
"""
# Controls without a name that a screen reader could say.
NAMELESS = """
  () => [...document.querySelectorAll('#space button, #space input, #space canvas:not([aria-hidden])')]
    .filter((node) => !(node.getAttribute('aria-label') || node.closest('label')?.textContent.trim()
      || node.textContent.trim()))
    .map((node) => node.outerHTML.slice(0, 80))
"""


class SpacePage:
    """The mock page opened in one browser context; remembers every complaint and outside request."""

    def __init__(self, browser, url, query, viewport=DESKTOP, init=None, **options):
        self.context = browser.new_context(
            viewport=viewport, reduced_motion=options.pop("reduced_motion", "reduce"), **options)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("request", lambda request: self.complaints.append(request.url)
                     if not request.url.startswith((url, "blob:", "data:")) else None)
        self.page.on("console", lambda message: self.complaints.append(message.text)
                     if message.type in ("error", "warning") and "GPU stall" not in message.text
                     else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if init:
            self.page.add_init_script(init)
        self.page.goto(f"{url}?{query}")
        self.page.evaluate("mockSpace.ready")
        self.settle()

    def settle(self):
        self.page.evaluate("mockSpace.settle()")

    def do(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def state(self, name):
        return self.page.evaluate(f"mockSpace.space.{name}")

    @property
    def results(self):
        return {r["label"]: r for r in self.do("mockSpace.results")}

    def place(self, x, y):
        box = self.page.locator("#cloud").bounding_box()
        px, py = self.do("([x, y]) => mockSpace.place(x, y)", [x, y])
        return box["x"] + px, box["y"] + py

    def choose(self, group, value):
        self.page.locator(f"input[name=space-{group}][value={value}] + span").click()
        self.settle()

    def click(self, x, y):
        """On a pixel of the map; the points of a double click are apart in time or place."""
        # Two clicks in a row must not be a double click.
        self.page.wait_for_timeout(350)
        self.page.mouse.click(*self.place(x, y))
        self.settle()

    def look(self, state):
        self.do("(state) => mockSpace.space.restore(state)", state)
        self.settle()

    def front(self):
        self.page.locator("#cloud").focus()
        self.page.keyboard.press("1")
        self.settle()

    def screenshot(self, folder, name):
        if folder:
            self.page.screenshot(path=str(folder / f"space-{name}.png"), full_page=True)

    def close(self):
        self.context.close()


def expect_within(result, truth, what, sigmas=3.5):
    expect(result["sigma"] and result["sigma"] > 0, f"{what}: no ±")
    off = abs(result["value"] - truth) / result["sigma"]
    expect(off <= sigmas, f"{what}: {result['text']} is {off:.1f} σ off {truth}")
    expect("±" in result["text"], f"{what}: {result['text']} lacks ±")


def position(page, x, y):
    """The true place of a pixel."""
    depth = page.do("([x, y]) => mockSpace.truth(x, y)", [x, y])
    ray = page.do("([x, y]) => mockSpace.ray(x, y)", [x, y])
    return [ray[0] * depth, ray[1] * depth, depth]


def check_pick(page, pixels):
    page.choose("tool", "point")
    for x, y in pixels:
        page.click(x, y)
        (found,) = page.do("mockSpace.points")
        expect(math.dist(found, (x, y)) <= 1.5, f"clicked on {(x, y)}, found {found}")
        truth = position(page, *found)
        for axis, name in enumerate("XYZ"):
            expect_within(page.results[name], truth[axis], f"{name} at {found}")


def check_distance(page):
    page.choose("tool", "distance")
    page.click(80, 60)
    page.click(240, 180)
    a, b = page.do("mockSpace.points")
    truth = math.dist(position(page, *a), position(page, *b))
    expect_within(page.results["Distance A–B"], truth, "distance")
    shown = page.page.locator(".space-results").inner_text()
    expect("±" in shown and "mm" in shown or " m" in shown, f"shown: {shown}")


def check_angle(page):
    page.choose("tool", "angle")
    for pixel in ((70, 130), (160, 60), (260, 190)):
        page.click(*pixel)
    a, b, c = [position(page, *pixel) for pixel in page.do("mockSpace.points")]
    u, v = [[p - q for p, q in zip(end, b)] for end in (a, c)]
    dot = sum(p * q for p, q in zip(u, v))
    expect_within(page.results["Angle at B"], math.acos(dot / math.hypot(*u) / math.hypot(*v)), "angle")


def check_plane(page, tilt):
    page.choose("tool", "plane")
    page.click(160, 120)
    results = page.results
    expect_within(results["Tilt"], tilt, "tilt")
    # The plane goes through (0, 0, 1).
    expect_within(results["Camera to plane"], math.cos(tilt), "distance from the camera")
    for axis, truth in zip("XYZ", (0, -math.sin(tilt), -math.cos(tilt))):
        expect_within(results["Normal " + axis], truth, "normal " + axis)
    point = [0.001, 0.002, 0.0005]
    sigma = math.hypot(*point) * math.cos(tilt)
    expect_close(results["RMS"]["value"], sigma, 0.1, "RMS")
    expect(results["RMS"]["sigma"] > 0, "RMS has no ±")
    expect("points" in page.page.locator(".space-block").nth(2).inner_text(), "no count of points")
    # A point of the same plane, outside of the fitted part.
    page.click(40, 40)
    first = page.do("mockSpace.results[0]")
    expect_within(first, 0, "distance from the plane")
    area = page.do("mockSpace.space.ruler.plane.count")
    page.page.locator("#space-tools input[aria-label^=Radius]").focus()
    for _ in range(4):
        page.page.keyboard.press("ArrowRight")
    expect(page.do("mockSpace.space.ruler.plane.count") > area, "a larger radius takes no more points")


def check_corner(page, tilt):
    """Two walls at a right angle, each fitted in a rectangle."""
    page.choose("tool", "plane")
    page.choose("region", "rectangle")
    page.click(40, 60)
    page.click(110, 180)
    page.page.locator("[data-action=newPlane]").click()
    page.click(215, 60)
    page.click(290, 180)
    expect_within(page.results["To the plane before"], math.pi / 2, "angle of the walls")
    expect_within(page.results["Tilt"], math.pi / 2 - tilt, "tilt of the right wall")


def check_modes(page):
    seen = set()
    for mode in ("photo", "depth", "sigma", "confidence"):
        page.choose("mode", mode)
        expect(page.do(COLORS_ON_CANVAS, "cloud") > 3, f"{mode}: few colors")
        legend = page.page.locator(".space-legend")
        expect(legend.is_visible() == (mode != "photo"), f"{mode}: legend")
        seen.add(str(page.do("mockSpace.colorAt(...mockSpace.place(100, 60))")))
    expect(len(seen) == 4, f"colors of one point: {seen}")


def check_invented(page):
    page.choose("mode", "depth")
    where = "mockSpace.colorAt(...mockSpace.place(160, 225))"
    marked = page.do(where)
    page.page.get_by_label("Mark what was filled in").click()
    page.settle()
    plain = page.do(where)
    expect(marked != plain, "invented pixels look like the others")
    expect(marked[0] > 150 and marked[2] > 90 and marked[1] < 120, f"not marked: {marked}")
    page.page.get_by_label("Mark what was filled in").click()


def check_depth_color(page):
    """The color of a point is that of its depth in the table."""
    page.front()
    page.choose("mode", "depth")
    found = page.do("""() => {
      const { cloud } = mockSpace.space;
      const { range, table } = cloud.range;
      const { depth } = mockSpace.probe(200, 70);
      const index = 3 * Math.round(255 * (depth - range[0]) / (range[1] - range[0]));
      return [mockSpace.colorAt(...mockSpace.place(200, 70)).slice(0, 3), [...table.slice(index, index + 3)]];
    }""")
    off = max(abs(p - q) for p, q in zip(*found))
    expect(off <= 8, f"color {found[0]}, table {found[1]}")


def check_surface(page):
    """Between ball and wall the surface is cut; on the wall it is closed."""
    page.front()
    page.choose("shape", "surface")
    page.choose("mode", "depth")
    background = page.do("mockSpace.colorAt(2, 2)")
    page.look({"orbit": {"yaw": 0.9, "pitch": 0, "roll": 0, "distance": 2.4, "target": [0, 0, -1]}})
    expect(page.do("mockSpace.colorAt(...mockSpace.place(20, 100))") != background, "holes in the wall")
    # Halfway from the ball's edge to the wall behind it nothing was seen.
    seen = page.do("""() => {
      const { space } = mockSpace;
      const edge = [...Array(100).keys()].map((x) => 160 - x).find((x) => mockSpace.truth(x - 1, 120) > 1.5);
      const [a, b] = [edge, edge - 1].map((x) => {
        const [rayX, rayY] = mockSpace.ray(x, 120);
        return [rayX * mockSpace.truth(x, 120), rayY * mockSpace.truth(x, 120), mockSpace.truth(x, 120)];
      });
      return mockSpace.colorAt(...space.cloud.placeOf(a.map((part, axis) => (part + b[axis]) / 2)));
    }""")
    expect(seen == background, f"a surface over the jump: {seen}")
    page.choose("tool", "point")
    page.front()
    page.click(60, 60)
    (found,) = page.do("mockSpace.points")
    expect(math.dist(found, (60, 60)) <= 2, f"picked {found} on the surface")
    page.choose("shape", "points")


def check_clip(page):
    page.front()
    page.page.locator(".space-clip summary").click()
    background = page.do("mockSpace.colorAt(2, 2)")
    wall = "mockSpace.colorAt(...mockSpace.place(30, 120))"
    ball = "mockSpace.colorAt(...mockSpace.place(160, 120))"
    expect(page.do(wall) != background, "no wall before clipping")
    field = page.page.get_by_label("Z to, meters")
    field.fill("1.3")
    field.press("Enter")
    page.settle()
    expect(page.do(wall) == background, "the wall is not hidden")
    expect(page.do(ball) != background, "the ball is hidden")
    before = page.state("box.limits")
    slider = page.page.get_by_label("Z to", exact=True)
    slider.focus()
    for _ in range(3):
        page.page.keyboard.press("ArrowLeft")
    after = page.state("box.limits")
    expect(after[2][1] < before[2][1], f"the slider moved {before[2]} to {after[2]}")
    lost = page.do("(() => { const s = mockSpace.space; return s.cloud.pixelAt(...mockSpace.place(30, 120), 8); })()")
    expect(lost is None, f"picked {lost}, which is hidden")
    page.page.get_by_role("button", name="Whole scene").click()
    page.settle()
    expect(page.do(wall) != background, "the wall did not come back")
    page.page.get_by_label("Hide what is outside the box").uncheck()
    page.page.locator(".space-clip summary").click()


def check_mouse_and_keys(page):
    page.front()
    box = page.page.locator("#cloud").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    before = page.state("cloud.orbit.state")
    page.page.mouse.move(*middle)
    page.page.mouse.down()
    page.page.mouse.move(middle[0] + 80, middle[1] + 10, steps=5)
    page.page.mouse.up()
    turned = page.state("cloud.orbit.state")
    expect(turned["yaw"] > before["yaw"] + 0.3, "a drag does not turn")
    page.page.mouse.wheel(0, -200)
    page.settle()
    expect(page.state("cloud.orbit.distance") < turned["distance"], "the wheel does not zoom")
    page.page.keyboard.down("Shift")
    page.page.mouse.down()
    page.page.mouse.move(middle[0], middle[1] + 60, steps=5)
    page.page.mouse.up()
    page.page.keyboard.up("Shift")
    expect(page.state("cloud.orbit.target") != turned["target"], "Shift and a drag do not move")
    page.page.keyboard.press("[")
    expect(page.state("cloud.orbit.roll") > 0.05, "a bracket does not roll")
    page.page.keyboard.press("r")
    page.settle()
    home, now = page.state("cloud.home"), page.state("cloud.orbit.state")
    expect(all(abs(home[k] - now[k]) < 1e-9 for k in ("yaw", "pitch", "roll", "distance")), "R does not reset")
    page.choose("tool", "point")
    page.page.locator("#cloud").focus()
    page.page.keyboard.press("Enter")
    expect(len(page.do("mockSpace.points")) == 1, "Enter does not measure at the center")
    page.page.keyboard.press("Escape")
    expect(page.do("mockSpace.points") == [], "Escape does not clear")


def check_touch(page):
    session = page.context.new_cdp_session(page.page)
    box = page.page.locator("#cloud").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind, *places, at=None):
        session.send("Input.dispatchTouchEvent", {
            "type": kind, **({"timestamp": at} if at else {}),
            "touchPoints": [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(places)]})

    start = page.state("cloud.orbit.state")
    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + 10 * step, y + 3 * step))
    touch("touchEnd")
    turned = page.state("cloud.orbit.state")
    expect(turned["yaw"] - start["yaw"] > 0.2, "one finger does not turn")
    touch("touchStart", (x - 40, y), (x + 40, y))
    for step in range(1, 9):
        touch("touchMove", (x - 40 - 5 * step, y + 5 * step), (x + 40 + 5 * step, y + 5 * step))
    touch("touchEnd")
    pinched = page.state("cloud.orbit.state")
    expect(pinched["distance"] < 0.8 * turned["distance"], "a pinch does not zoom")
    expect(pinched["target"] != turned["target"], "two fingers do not pan")
    expect(abs(pinched["roll"] - turned["roll"]) < 1e-9, "a pinch rolls")
    touch("touchStart", (x - 80, y), (x + 80, y))
    for step in range(1, 13):
        angle = 5 * step * DEGREE
        touch("touchMove", (x - 80 * math.cos(angle), y - 80 * math.sin(angle)),
              (x + 80 * math.cos(angle), y + 80 * math.sin(angle)))
    touch("touchEnd")
    twisted = page.state("cloud.orbit.state")
    # Clockwise on the screen by 60°, less what it takes to be meant.
    expect(-60 * DEGREE <= twisted["roll"] <= -40 * DEGREE, f"a twist rolls by {twisted['roll']}")
    expect(abs(twisted["yaw"] - pinched["yaw"]) < 1e-9, "a twist turns")
    now = time.time()
    for tap in (0, 0.15):
        touch("touchStart", (x, y), at=now + tap)
        touch("touchEnd", at=now + tap + 0.05)
    page.settle()
    home = page.state("cloud.orbit.state")
    expect(all(abs(home[k] - start[k]) < 1e-9 for k in ("yaw", "pitch", "roll", "distance")),
           "a double tap does not reset")
    expect(page.do("mockSpace.points") == [], "a double tap leaves a mark")
    page.page.locator("input[name=space-tool][value=plane] + span").tap()
    px, py = page.place(160, 120)
    page.page.evaluate("scrollTo(0, 0)")
    page.page.touchscreen.tap(px, py)
    page.settle()
    expect("Tilt" in page.results, f"a tap fits no plane: {list(page.results)}")


def check_cameras(page):
    expect(page.page.get_by_label("Cameras").is_visible(), "no control of the cameras")
    page.page.locator("#cloud").focus()
    page.look({"orbit": {"yaw": 0.5, "pitch": 0.5, "roll": 0, "distance": 3, "target": [0, 0, -0.5]}})
    box = page.page.locator("#cloud").bounding_box()
    px, py = page.do("mockSpace.space.cameras.placeOf(9)")
    page.page.mouse.click(box["x"] + px, box["y"] + py)
    page.settle()
    expect(page.do("mockSpace.shownFrames") == [9], f"frames: {page.do('mockSpace.shownFrames')}")
    expect(page.do("mockSpace.space.cameras.current") == 9, "the camera is not the current one")
    # The world holds still: in the first camera's frame the ninth one stands 0.54 m to the right.
    anchor = page.do("Array.from(mockSpace.space.cloud.anchorFromCamera)")
    truth = [0.54, 0, 0]
    expect(math.dist(anchor[12:15], truth) < 1e-6, f"moved to {anchor[12:15]}")
    page.page.get_by_label("Hold the world still").uncheck()
    page.settle()
    expect(page.do("mockSpace.space.cloud.anchorFromCamera === null"), "the world still holds")
    page.page.get_by_label("Hold the world still").check()
    page.page.get_by_label("Cameras", exact=True).uncheck()
    expect(page.do("mockSpace.space.cameras.frameAt(mockSpace.space.cameras.placeOf(3))") is None,
           "a hidden camera can be chosen")
    page.page.get_by_label("Cameras", exact=True).check()


def check_snapshot(page, folder):
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name="Picture").click()
    download = waiting.value
    expect(download.suggested_filename == "mock-sphere-3d.png", download.suggested_filename)
    data = pathlib.Path(download.path()).read_bytes()
    expect(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    height = int.from_bytes(data[20:24], "big")
    expect(height > page.page.locator("#cloud").bounding_box()["height"] + 40, "no caption")
    if folder:
        (folder / "space-snapshot.png").write_bytes(data)


def check_state(page, browser, url):
    page.front()
    page.choose("mode", "sigma")
    page.choose("tool", "distance")
    page.click(100, 60)
    page.click(220, 150)
    page.look({"box": {"isOn": True, "limits": [[-1, 1], [-0.5, 0.5], [0.2, 2]]}})
    state = json.loads(json.dumps(page.state("state")))
    other = SpacePage(browser, url, "scene=sphere&noise=1&maps")
    other.look(state)
    expect(json.loads(json.dumps(other.state("state"))) == state, "another state after restoring")
    expect(other.results["Distance A–B"]["text"] == page.results["Distance A–B"]["text"], "another distance")
    for hostile in (None, 3, [], {"orbit": {"yaw": "x", "target": 7}}, {"mode": "__proto__", "size": 1e9},
                    {"ruler": {"tool": "constructor", "pixels": [[1e9, 0], [0.5, 1], "a"], "plane": 5}},
                    {"box": {"limits": [[1, 0], [0, 1], [0, 1]]}}, {"orbit": {"target": [0, 0, 0], "yaw": 0,
                     "pitch": 0, "distance": -1}}):
        other.look(hostile)
    expect(other.state("cloud.mode") == "sigma", "a hostile state changed the color")
    expect(other.state("box.limits") == page.state("box.limits"), "a hostile state changed the box")
    expect(other.state("cloud.orbit.distance") == state["orbit"]["distance"], "a hostile state moved the view")
    expect(not other.complaints, f"{other.complaints[:2]}")
    other.close()
    page.look({"box": {"isOn": False, "limits": state["box"]["limits"]}})


def check_live(page):
    """A new frame replaces what is seen, and what was measured is measured anew."""
    page.front()
    page.choose("tool", "distance")
    page.click(100, 60)
    page.click(220, 150)
    before = page.results["Distance A–B"]["value"]
    orbit = page.state("cloud.orbit.state")
    page.do("mockSpace.show(5)")
    page.settle()
    after = page.results["Distance A–B"]
    expect(after["value"] != before, "the old frame is still measured")
    expect(page.state("cloud.orbit.state") == orbit, "the view moved")
    points = page.do("mockSpace.points")
    truth = math.dist(position(page, *points[0]), position(page, *points[1]))
    expect_within(after, truth, "distance on the new frame")


def check_context_loss(page):
    page.front()
    page.do("mockSpace.show(0)")
    before = page.do("mockSpace.colorAt(...mockSpace.place(100, 60))")
    page.do("""async () => {
      const { cloud } = mockSpace.space;
      const extension = window.loss = cloud.gl.getExtension('WEBGL_lose_context');
      const lost = new Promise((done) => cloud.canvas.addEventListener('webglcontextlost', done));
      extension.loseContext();
      await lost;
    }""")
    expect(page.page.locator(".space-message").is_visible(), "no message while it is lost")
    expect(page.do("mockSpace.space.cloud.pixelAt(10, 10)") is None, "picked without a context")
    page.do("mockSpace.show(0)")
    page.do("""async () => {
      const { cloud } = mockSpace.space;
      const back = new Promise((done) => cloud.canvas.addEventListener('webglcontextrestored', done));
      window.loss.restoreContext();
      await back;
    }""")
    page.settle()
    expect(not page.page.locator(".space-message").is_visible(), "the message stays")
    expect(page.do("mockSpace.colorAt(...mockSpace.place(100, 60))") == before, "the cloud did not come back")


def check_missing(page):
    expect(page.page.locator(".space-message").is_visible(), "no message without WebGL 2")
    expect("WebGL 2" in page.page.locator(".space-message").inner_text(), "another message")
    expect(not page.page.locator("#space-tools").is_visible(), "tools without a cloud")
    page.do("mockSpace.show(1)")
    page.do("mockSpace.space.restore({mode: 'depth'}); mockSpace.space.setRange({range: [0, 1]})")
    expect(not page.complaints, f"{page.complaints[:2]}")


def check_uncalibrated(page):
    page.front()
    page.choose("tool", "point")
    page.click(160, 120)
    expect(list(page.results) == ["Depth"], f"{list(page.results)}")
    page.choose("tool", "distance")
    page.click(100, 60)
    page.click(200, 60)
    expect(page.results == {}, f"measured without calibration: {page.results}")
    expect("no calibration" in page.page.locator(".space-hint").inner_text(), "no reason")


def check_relative(page):
    page.front()
    page.choose("tool", "distance")
    page.click(100, 60)
    page.click(200, 60)
    text = page.results["Distance A–B"]["text"]
    expect("relative units" in text and " m" not in text.replace("relative", ""), text)


def check_form(page, what):
    found = page.do(TOO_WIDE)
    expect(not found, f"{what}: {found[:3]}")
    width = page.do("document.documentElement.scrollWidth")
    expect(width <= page.page.viewport_size["width"], f"the page is {width} px wide")
    nameless = page.do(NAMELESS)
    expect(not nameless, f"without a name: {nameless[:3]}")


def check_measurement(checks):
    node = os.environ.get("NODE") or shutil.which("node")
    if not node:
        print("skipped  tests of measurement.js: no node (set NODE)")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in ("measurement.js", "symmetric3.js", "vectors.js"):
            shutil.copy(VIEWER / name, folder)
        (pathlib.Path(folder) / "package.json").write_text('{"type": "module"}')
        script = pathlib.Path(__file__).with_name("measurement_test.mjs")
        result = subprocess.run([node, str(script), folder], capture_output=True, text=True)
    print(result.stdout, end="")
    checks.run("measurement.js in node", lambda: expect(
        result.returncode == 0 and " 0 failed" in result.stdout, result.stderr[-500:]))


def check_desktop(checks, browser, url, folder):
    tilt = 30 * DEGREE
    page = SpacePage(browser, url, "scene=plane&tilt=30&noise=1")
    page.front()
    checks.run("plane: points are picked with ± of the truth",
               lambda: check_pick(page, [(160, 120), (40, 200), (300, 30)]))
    checks.run("plane: distance", lambda: check_distance(page))
    checks.run("plane: angle", lambda: check_angle(page))
    checks.run("plane: fit with tilt, normal, RMS, distance of a point", lambda: check_plane(page, tilt))
    page.screenshot(folder, "plane-light")
    checks.run("mouse and keyboard", lambda: check_mouse_and_keys(page))
    checks.run("plane: no complaint", lambda: expect(not page.complaints, f"{page.complaints[:3]}"))
    page.close()
    page = SpacePage(browser, url, "scene=corner&tilt=40&noise=1", color_scheme="dark")
    page.front()
    checks.run("corner: two walls at a right angle", lambda: check_corner(page, 40 * DEGREE))
    page.look({"orbit": {"yaw": 0.6, "pitch": 0.4, "roll": 0, "distance": 3, "target": [0, 0, -1.6]}})
    page.screenshot(folder, "corner-dark")
    page.close()
    page = SpacePage(browser, url, "scene=sphere&noise=1&maps")
    checks.run("colors by photo, depth, sigma, confidence", lambda: check_modes(page))
    checks.run("invented pixels are marked", lambda: check_invented(page))
    checks.run("clip box by numbers and keys", lambda: check_clip(page))
    checks.run("a picture is saved with its caption", lambda: check_snapshot(page, folder))
    checks.run("state survives a link, hostile state does nothing", lambda: check_state(page, browser, url))
    checks.run("a new frame is shown and measured", lambda: check_live(page))
    checks.run("the context is lost and comes back", lambda: check_context_loss(page))
    checks.run("names and widths, desktop", lambda: check_form(page, "desktop"))
    checks.run("sphere: no complaint", lambda: expect(not page.complaints, f"{page.complaints[:3]}"))
    page.close()
    page = SpacePage(browser, url, "scene=sphere")
    checks.run("the color of a point is its depth's", lambda: check_depth_color(page))
    checks.run("the surface is cut at jumps and closed elsewhere", lambda: check_surface(page))
    page.close()
    page = SpacePage(browser, url, "scene=corner&tilt=40&poses=12&noise=1")
    checks.run("cameras: drawn, chosen, the world holds still", lambda: check_cameras(page))
    page.look({"shape": "surface", "mode": "depth",
               "box": {"isOn": True, "limits": [[-0.8, 0.8], [-0.5, 0.5], [0.6, 1.9]]}})
    page.screenshot(folder, "cameras-light")
    page.close()
    for orientation in (3, 6, 5):
        page = SpacePage(browser, url, f"scene=plane&orientation={orientation}&noise=1")
        page.front()
        checks.run(f"orientation {orientation}: points are picked",
                   lambda: check_pick(page, [(60, 40), (250, 190)]))
        page.close()


def check_rest(checks, browser, url, folder):
    page = SpacePage(
        browser, url, "scene=sphere&maps&noise=1", PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page.screenshot(folder, "phone-light")
    checks.run("phone: touch turns, pinches, pans, twists, resets, taps", lambda: check_touch(page))
    checks.run("phone: names and widths", lambda: check_form(page, "phone"))
    checks.run("phone: no complaint", lambda: expect(not page.complaints, f"{page.complaints[:3]}"))
    page.close()
    page = SpacePage(browser, url, "scene=plane", init=NO_WEBGL)
    checks.run("without WebGL 2: a message, and nothing breaks", lambda: check_missing(page))
    page.close()
    page = SpacePage(browser, url, "scene=plane&uncalibrated")
    checks.run("without calibration only depth is measured", lambda: check_uncalibrated(page))
    page.close()
    page = SpacePage(browser, url, "scene=plane&relative&plain")
    checks.run("relative depth has no meters", lambda: check_relative(page))
    page.close()


def main():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("no Playwright for Python: pip install playwright")
        return 75
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    if not os.access(chromium, os.X_OK):
        print(f"no browser at {chromium}: set CHROMIUM")
        return 75
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    check_measurement(checks)
    with MockServer() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        check_desktop(checks, browser, url, folder)
        check_rest(checks, browser, url, folder)
        browser.close()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
