#!/usr/bin/env python3
"""Opens a report in Chromium and checks what a reader would see and do.

    test_report.py REPORT.html EXPECTED.json [SCREENSHOT-FOLDER]

EXPECTED.json: {"title", "headline", "unit": "m" or "relative", "tolerance" (relative),
  "probes": [{"x", "y", "depth", "sigma", "position": [x, y, z]}], "hole": [x, y] or null,
  "distance": {"a": [x, y], "b": [x, y], "distance", "sigma"}} in the unit of the scene.

Needs Playwright for Python; the browser is CHROMIUM or /usr/bin/chromium. Prints one line for each
check and "N passed, N failed"; exits 0 if none failed, 1 if one did, 75 if there is no browser.
"""
import json
import math
import pathlib
import sys
import time

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

import chromium
from report_page import COLORS_ON_CANVAS, Checks, ReportPage, expect, expect_close
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
NO_WEBGL = """
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
  };
"""


def expect_quiet(report, url):
    outside = [r for r in report.requests if r != url and not r.startswith(("data:", "blob:"))]
    expect(not outside, f"requests were made: {outside[:3]}")
    expect(not report.complaints, f"console: {report.complaints[:3]}")


def check_words(report, expected):
    badge = report.text("verdict-badge").replace("\u00a0", " ")
    expect(badge == expected["headline"], badge)
    expect(len(report.text("verdict-reason")) > 10, "no reason is shown")
    expect(expected["title"] in report.page.title(), report.page.title())


def check_probes(report, expected):
    for probe in expected["probes"]:
        found = report.page.evaluate("([x, y]) => plumblineReport.probe(x, y)",
                                     [probe["x"], probe["y"]])
        pixel = f"({probe['x']}, {probe['y']})"
        expect(found["unit"] == expected["unit"], f"unit {found['unit']}")
        expect_close(found["depth"], probe["depth"], 1e-6, f"depth at {pixel}")
        expect_close(found["sigma"], probe["sigma"], 1e-6, f"sigma at {pixel}")
        for axis in range(3):
            allowed = expected["tolerance"] * probe["depth"]
            error = abs(found["position"][axis] - probe["position"][axis])
            expect(error <= allowed, f"position at {pixel}: off by {error}")


def check_hole(report, expected):
    if not expected["hole"]:
        return
    found = report.page.evaluate("([x, y]) => plumblineReport.probe(x, y)", expected["hole"])
    expect(found["depth"] is None, f"a hole reads {found['depth']}")


def check_clicks(report, expected):
    distance = expected["distance"]
    report.page.keyboard.press("Escape")
    for x, y in (distance["a"], distance["b"]):
        report.page.mouse.click(*report.position("overlayPoint", x, y))
    points = [[p["x"], p["y"]] for p in report.state("points")]
    # A click has whole CSS pixels, so a map drawn smaller than it is leaves a pixel open.
    near = all(math.dist(p, q) < 1.5 for p, q in zip(points, (distance["a"], distance["b"])))
    expect(len(points) == 2 and near, f"clicked pixels: {points}")
    measured = report.page.evaluate(
        "([a, b]) => plumblineReport.measure(...a, ...b)", [distance["a"], distance["b"]])
    expect_close(measured["distance"], distance["distance"], expected["tolerance"], "distance")
    expect_close(measured["sigma"], distance["sigma"], 1e-3, "sigma of the distance")
    expect("±" in report.text("readout-distance"), "the readout lacks ±")
    metric = expected["unit"] == "m"
    shown = report.text("readout-distance")
    expect(("relative units" in shown) != metric, f"unit in: {shown}")


def check_cloud_pick(report, expected):
    report.page.keyboard.press("Escape")
    report.page.keyboard.press("1")
    report.wait_until_drawn()
    probe = expected["probes"][0]
    report.page.mouse.click(*report.position("cloudPoint", probe["x"], probe["y"]))
    points = report.state("points")
    expect(len(points) == 1, f"{len(points)} points after one click")
    off = math.dist((points[0]["x"], points[0]["y"]), (probe["x"], probe["y"]))
    expect(off <= 2, f"picked {off:.1f} pixels beside the point")


def check_mouse(report):
    box = report.box("cloud")
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    before = report.state("camera")
    report.page.mouse.move(*middle)
    report.page.mouse.down()
    report.page.mouse.move(middle[0] + 90, middle[1] + 30, steps=6)
    report.page.mouse.up()
    turned = report.state("camera")
    expect(turned["yaw"] - before["yaw"] > 0.3, "a drag to the right did not turn the cloud")
    expect(turned["distance"] == before["distance"], "a drag zoomed")
    report.page.mouse.wheel(0, -240)
    report.wait_until_drawn()
    zoomed = report.state("camera")
    expect(zoomed["distance"] < turned["distance"], "the wheel did not zoom in")
    report.page.mouse.down(button="right")
    report.page.mouse.move(middle[0] + 20, middle[1] + 90, steps=6)
    report.page.mouse.up(button="right")
    panned = report.state("camera")
    expect(panned["target"] != zoomed["target"], "the right button did not pan")
    expect(panned["yaw"] == zoomed["yaw"], "the right button turned")
    points = report.state("points")
    report.page.mouse.dblclick(*middle)
    report.wait_until_drawn()
    home = report.state("camera")
    expect(abs(home["distance"] - zoomed["distance"]) > 1e-9, "a double click did not reset")
    expect(report.state("points") == points, "a double click left a mark")


def check_keyboard(report):
    page = report.page
    page.keyboard.press("Escape")
    page.locator("#overlay").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.id")
    expect(focused == "overlay", f"Tab leads to {focused}")
    start = report.state("cursor")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    expect(report.state("cursor") != start, "arrows do not move the crosshair")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    expect(len(report.state("points")) == 2, "Enter did not choose two points")
    expect("Distance" in report.text("announcement"), "the distance is not announced")
    page.locator("#cloud").focus()
    before = report.state("camera")
    page.keyboard.press("ArrowLeft")
    expect(report.state("camera")["yaw"] < before["yaw"], "arrows do not turn the cloud")
    page.keyboard.press("Shift+ArrowLeft")
    expect(report.state("camera")["target"] != before["target"], "Shift does not move it")
    page.keyboard.press("+")
    expect(report.state("camera")["distance"] < before["distance"], "plus does not zoom")
    for key, yaw in (("1", 0), ("2", math.pi), ("3", math.pi / 2)):
        page.keyboard.press(key)
        report.wait_until_drawn()
        expect_close(report.state("camera")["yaw"] + 1, yaw + 1, 1e-9, f"yaw after {key}")
    mode = report.state("colorMode")
    page.keyboard.press("c")
    expect(report.state("colorMode") != mode, "C does not change the color")
    page.keyboard.press("Shift+?")
    expect(page.locator("#help").is_visible(), "? does not open the keys")
    page.keyboard.press("Escape")
    expect(not page.locator("#help").is_visible(), "Escape does not close the keys")
    page.keyboard.press("Escape")
    expect(report.state("points") == [], "Escape does not remove the marks")
    page.keyboard.press("r")
    report.wait_until_drawn()


def check_touch(report):
    session = report.context.new_cdp_session(report.page)
    box = report.box("cloud")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind, *points, at=None):
        session.send("Input.dispatchTouchEvent", {
            "type": kind, **({"timestamp": at} if at else {}),
            "touchPoints": [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]})

    before = report.state("camera")
    scroll = report.page.evaluate("scrollY")
    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + 10 * step, y + 6 * step))
    touch("touchEnd")
    turned = report.state("camera")
    expect(turned["yaw"] - before["yaw"] > 0.2, "one finger does not turn the cloud")
    expect(report.page.evaluate("scrollY") == scroll, "the drag scrolled the page")
    touch("touchStart", (x - 40, y), (x + 40, y))
    for step in range(1, 9):
        touch("touchMove", (x - 40 - 5 * step, y + 5 * step), (x + 40 + 5 * step, y + 5 * step))
    touch("touchEnd")
    pinched = report.state("camera")
    expect(pinched["distance"] < 0.8 * turned["distance"], "two fingers do not zoom")
    expect(pinched["target"] != turned["target"], "two fingers do not pan")
    expect(abs(pinched["yaw"] - turned["yaw"]) < 1e-9, "two fingers turn")
    # Times of their own, so that a slow machine does not make two taps of a double tap.
    now = time.time()
    for tap in (0, 0.15):
        touch("touchStart", (x, y), at=now + tap)
        touch("touchEnd", at=now + tap + 0.05)
    report.wait_until_drawn()
    home = report.state("camera")
    expect_close(home["yaw"], before["yaw"], 1e-6, "yaw after a double tap")
    expect_close(home["distance"], before["distance"], 1e-6, "distance after a double tap")


def check_width(report):
    width = report.page.evaluate("document.documentElement.scrollWidth")
    expect(width <= report.page.viewport_size["width"], f"the page is {width} px wide")


def check_desktop(checks, browser, url, expected, folder):
    report = ReportPage(browser, url, DESKTOP, color_scheme="light")
    report.screenshot(folder, "light")
    checks.run("verdict, reason and title are shown", lambda: check_words(report, expected))
    for canvas in ("overlay", "cloud"):
        checks.run(f"the {canvas} is not blank", lambda: expect(
            report.page.evaluate(COLORS_ON_CANVAS, canvas) > 12, "few colors"))
    checks.run("the probe reads depth ± sigma and position", lambda: check_probes(report, expected))
    checks.run("a hole reads nothing", lambda: check_hole(report, expected))
    checks.run("two clicks measure a distance ± sigma", lambda: check_clicks(report, expected))
    report.screenshot(folder, "measured")
    checks.run("a click in the cloud finds its pixel", lambda: check_cloud_pick(report, expected))
    checks.run("mouse: turn, zoom, pan, reset", lambda: check_mouse(report))
    checks.run("keyboard alone", lambda: check_keyboard(report))
    report.page.keyboard.press("c")
    report.page.locator("input[name=map][value=viridis] + span").click()
    report.screenshot(folder, "viridis")
    checks.run("the theme can be chosen", lambda: choose_theme(report))
    checks.run("no request, no complaint", lambda: expect_quiet(report, url))
    report.close()


def choose_theme(report):
    color = "getComputedStyle(document.body).backgroundColor"
    before = report.page.evaluate(color)
    report.page.locator("#theme").click()
    expect(report.page.evaluate(color) != before, "the theme did not change")


def check_scene(checks, browser, url, expected, folder):
    check_desktop(checks, browser, url, expected, folder)
    dark = ReportPage(browser, url, DESKTOP, color_scheme="dark", reduced_motion="reduce")
    dark.page.keyboard.press("c")
    dark.wait_until_drawn()
    checks.run("dark: not blank", lambda: expect(
        dark.page.evaluate(COLORS_ON_CANVAS, "cloud") > 12, "few colors"))
    dark.screenshot(folder, "dark")
    dark.close()
    phone = ReportPage(browser, url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    checks.run("phone: fits the width", lambda: check_width(phone))
    phone.screenshot(folder, "phone")
    checks.run("phone: touch turns, pinches, pans, resets", lambda: check_touch(phone))
    checks.run("phone: no request, no complaint", lambda: expect_quiet(phone, url))
    phone.close()
    narrow = ReportPage(browser, url, {"width": 360, "height": 640})
    checks.run("360 px: fits the width", lambda: check_width(narrow))
    narrow.close()
    plain = ReportPage(browser, url, DESKTOP, init=NO_WEBGL)
    checks.run("without WebGL 2: says so and still measures", lambda: (
        expect(plain.page.locator("#cloud-missing").is_visible(), "no message"),
        check_clicks(plain, expected)))
    plain.close()


def check_bare(checks, browser, url, expected, folder):
    report = ReportPage(browser, url, DESKTOP)
    checks.run("verdict, reason and title are shown", lambda: check_words(report, expected))
    checks.run("no image is promised", lambda: expect(
        not report.page.locator("#stage").is_visible(), "an empty stage is shown"))
    checks.run("nothing was injected", lambda: expect(
        report.page.evaluate("window.pwned === undefined && !document.querySelector('main img')"),
        "injected content ran"))
    checks.run("no request, no complaint", lambda: expect_quiet(report, url))
    report.screenshot(folder, "bare")
    report.close()


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 64
    if reason := chromium.missing():
        print(reason)
        return chromium.CANNOT_RUN
    url = pathlib.Path(sys.argv[1]).resolve().as_uri()
    expected = json.loads(pathlib.Path(sys.argv[2]).read_text())
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    with chromium.opened() as browser:
        check = check_scene if expected["probes"] else check_bare
        check(checks, browser, url, expected, folder)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
