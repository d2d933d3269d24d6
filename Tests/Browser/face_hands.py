"""The controls of the head of a face's page: mouse, keyboard, touch."""
import math
import time

from report_page import expect, expect_close

# A click has whole CSS pixels, of which one is less than half a millimeter of the head.
CLICK_METERS = 0.002


def click(page, vertex, tap=False):
    # Two clicks in a row must not be a double click.
    page.page.wait_for_timeout(350)
    if tap:
        page.page.touchscreen.tap(*page.position(vertex))
    else:
        page.page.mouse.click(*page.position(vertex))
    page.wait_until_drawn()


def check_measuring(page, expected, tap=False):
    page.front()
    a, b = expected["seen"]
    ends = [page.do("(vertex) => plumblineFace.vertex(vertex)", vertex) for vertex in (a, b)]
    for vertex in (a, b):
        click(page, vertex, tap)
    points = page.state("points")
    expect(len(points) == 2, f"{len(points)} points after two clicks")
    for point, end in zip(points, ends):
        off = math.dist(point["position"], end)
        expect(off < CLICK_METERS, f"chosen {1000 * off:.1f} mm beside the point")
        expect(point["isMeasured"] == expected["isMeasured"], "measured or not")
    measured = page.state("measured")
    expect(abs(measured["value"] - math.dist(*ends)) < 2 * CLICK_METERS, f"distance {measured['value']}")
    scale = measured["value"] * expected["scaleShare"]
    expect(measured["sigma"] >= scale, "the ± leaves out the scale")
    shown = page.text("readout-distance")
    expect("±" in shown and "mm" in shown, shown)
    expect("1 σ" in page.text("readout-points"), "not said what ± is")
    expect("Distance" in page.text("announcement"), "the distance is not announced")
    says_usual = "usual head" in page.text("readout-points")
    expect(says_usual == (not expected["isMeasured"]), "whether the size was measured is not said")
    page.page.locator("#at-rest").click()
    expect("not the photo" in page.text("readout-points"), "another expression is not reported")
    page.page.locator("#as-photo").click()
    expect("not the photo" not in page.text("readout-points"), "the photo's expression is reported as another")
    page.page.locator("#readout-clear").click()
    expect(page.state("points") == [], "Clear leaves marks")


def check_mouse(page):
    page.front()
    box = page.box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse = page.page.mouse
    before = page.state("camera")
    mouse.move(*middle)
    mouse.down()
    mouse.move(middle[0] + 90, middle[1] + 30, steps=6)
    mouse.up()
    turned = page.state("camera")
    expect(turned["yaw"] - before["yaw"] > 0.3, "a drag to the right did not turn the head")
    mouse.wheel(0, -240)
    page.wait_until_drawn()
    zoomed = page.state("camera")
    expect(zoomed["distance"] < turned["distance"], "the wheel did not zoom in")
    mouse.down(button="right")
    mouse.move(middle[0] + 20, middle[1] + 60, steps=6)
    mouse.up(button="right")
    panned = page.state("camera")
    expect(panned["target"] != zoomed["target"], "the right button did not move the head")
    expect(page.state("points") == [], "a drag left a mark")
    mouse.dblclick(*middle)
    page.wait_until_drawn()
    expect(page.state("camera")["distance"] != panned["distance"], "a double click did not reset")
    expect(page.state("points") == [], "a double click left a mark")


def check_keyboard(page):
    keys = page.page.keyboard
    page.front()
    before = page.state("camera")
    expect_close(before["yaw"] + 1, 1, 1e-9, "yaw of the front")
    keys.press("ArrowLeft")
    expect(page.state("camera")["yaw"] < before["yaw"], "arrows do not turn the head")
    keys.press("+")
    expect(page.state("camera")["distance"] < before["distance"], "plus does not zoom")
    keys.press("1")
    page.wait_until_drawn()
    keys.press("Enter")
    keys.press("Shift+ArrowDown")
    keys.press("Enter")
    expect(len(page.state("points")) == 2, "Enter did not choose two points")
    keys.press("Escape")
    expect(page.state("points") == [], "Escape does not remove the marks")
    paint = page.state("paint")
    keys.press("c")
    expect(page.state("paint") != paint, "C does not change what is painted")
    keys.press("Shift+?")
    expect(page.page.locator("#help").is_visible(), "? does not open the keys")
    keys.press("Escape")
    expect(not page.page.locator("#help").is_visible(), "Escape does not close the keys")
    keys.press("r")
    page.wait_until_drawn()
    # Tab leads to every slider of an open group, to the paints, to the head.
    page.do("document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        keys.press("Tab")
        reached.add(page.do("document.activeElement.id || document.activeElement.name"))
    wanted = {"theme", "paint", "fit", "reset", "head", "as-photo", "at-rest", "help-open"}
    expect(wanted <= reached, f"Tab does not reach {wanted - reached}")


def check_touch(page, expected):
    session = page.context.new_cdp_session(page.page)
    page.do("scrollTo(0, 0)")
    box = page.box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {
            "type": kind, "timestamp": time.time(),
            "touchPoints": [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]})

    before = page.state("camera")
    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + 10 * step, y + 4 * step))
    touch("touchEnd")
    turned = page.state("camera")
    expect(turned["yaw"] - before["yaw"] > 0.2, "one finger does not turn the head")
    touch("touchStart", (x - 40, y), (x + 40, y))
    for step in range(1, 9):
        touch("touchMove", (x - 40 - 5 * step, y), (x + 40 + 5 * step, y))
    touch("touchEnd")
    expect(page.state("camera")["distance"] < 0.8 * turned["distance"], "two fingers do not zoom")
    page.do("document.getElementById('reset').click()")
    page.wait_until_drawn()
    check_measuring(page, expected, tap=True)
