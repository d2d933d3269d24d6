"""The controls of the 3D view, and what a link keeps of them."""
import json
import math
import time

from report_page import expect
from space_page import SpacePage

DEGREE = math.pi / 180


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
    page.wait_until_drawn()
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
    page.wait_until_drawn()
    home, now = page.state("cloud.home"), page.state("cloud.orbit.state")
    expect(all(abs(home[k] - now[k]) < 1e-9 for k in ("yaw", "pitch", "roll", "distance")), "R does not reset")
    page.choose("tool", "point")
    page.page.locator("#cloud").focus()
    page.page.keyboard.press("Enter")
    expect(len(page.do("mockSpace.points")) == 1, "Enter does not measure at the center")
    page.page.keyboard.press("Escape")
    expect(page.do("mockSpace.points") == [], "Escape does not clear")


def check_pace(page):
    """On a slow machine images in motion have fewer points; at rest none is left out."""
    whole = 320 * 240
    moving = page.do("""() => {
      const { cloud, pilot } = mockSpace.space;
      cloud.haste = 4;
      pilot.move((orbit) => orbit.turn(0.01, 0));
      cloud.draw();
      return cloud.drawnCount;
    }""")
    expect(moving <= whole / 4, f"{moving} points in motion")
    deadline = time.time() + 20
    while page.state("cloud.drawnCount") != whole and time.time() < deadline:
        page.page.wait_for_timeout(50)
    expect(page.state("cloud.drawnCount") == whole, f"{page.state('cloud.drawnCount')} points at rest")


def fingers(page):
    """Sends `touchStart`, `touchMove`, `touchEnd` with a point for each finger."""
    session = page.context.new_cdp_session(page.page)

    def touch(kind, *points, at=None):
        session.send("Input.dispatchTouchEvent", {
            "type": kind, **({"timestamp": at} if at else {}),
            "touchPoints": [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]})

    return touch


def check_handles(page):
    """Each face of the clip box follows its handle to the true position of a coordinate, and nothing else moves."""
    page.page.evaluate("scrollTo(0, 0)")
    touch = fingers(page) if page.has_touch else None
    page.look({"orbit": {"yaw": 0.6, "pitch": 0.45, "roll": 0.1, "distance": 3.2, "target": [0, 0, -1.2]},
               "box": {"isOn": True, "limits": [[-0.9, 0.9], [-0.7, 0.7], [0.3, 1.7]]}, "ruler": {"tool": "point"}})
    orbit = page.state("cloud.orbit.state")
    goals = {(0, 0): -0.4, (0, 1): 0.45, (1, 0): -0.3, (1, 1): 0.35, (2, 0): 0.6, (2, 1): 1.3}
    shown = page.do("mockSpace.space.handles.shown.map(({ axis, end }) => [axis, end])")
    expect(sorted(map(tuple, shown)) == sorted(goals), f"handles {shown}")
    for (axis, end), goal in goals.items():
        before = page.state("box.limits")
        box = page.page.locator("#cloud").bounding_box()
        # Where the coordinate lies is known from the projection of the cloud.
        start, target = page.do("""([axis, end, goal]) => {
          const { handles, cloud } = mockSpace.space;
          const { point, position } = handles.shown.find((handle) => handle.axis === axis && handle.end === end);
          const aim = [...position];
          aim[axis] = goal;
          return [point.slice(0, 2), cloud.canvasPoint(aim)];
        }""", [axis, end, goal])
        (x, y), (u, v) = [(box["x"] + px, box["y"] + py) for px, py in (start, target)]
        steps = [(x + (u - x) * step / 6, y + (v - y) * step / 6) for step in range(1, 7)]
        if touch:
            touch("touchStart", (x, y))
            for point in steps:
                touch("touchMove", point)
            touch("touchEnd")
        else:
            page.page.mouse.move(x, y)
            expect(page.page.locator("#cloud.space-grip").count() == 1, "the pointer does not show a handle")
            page.page.mouse.down()
            for point in steps:
                page.page.mouse.move(*point)
            page.page.mouse.up()
        page.wait_until_drawn()
        after = page.state("box.limits")
        expect(abs(after[axis][end] - goal) < 2e-3, f"{'XYZ'[axis]} {end}: {after[axis][end]}, dragged to {goal}")
        after[axis][end] = before[axis][end]
        expect(after == before, f"{'XYZ'[axis]} {end} moved others: {before} to {after}")
    expect(page.state("cloud.orbit.state") == orbit, "the view turned")
    expect(page.do("mockSpace.points") == [], "a drag left a mark")
    field = page.page.get_by_label("Z to, meters")
    expect(abs(float(field.input_value()) - 1.3) < 2e-3, f"the field says {field.input_value()}")
    # Face on, an axis has no direction to be dragged along.
    page.look({"orbit": {"yaw": 0, "pitch": 0, "roll": 0, "distance": 3, "target": [0, 0, -1]}})
    axes = page.do("mockSpace.space.handles.shown.map(({ axis }) => axis)")
    expect(sorted(axes) == [0, 0, 1, 1], f"handles of {axes}, seen from the front")
    page.look({"box": {"isOn": False, "limits": [[-0.9, 0.9], [-0.7, 0.7], [0.3, 1.7]]}})
    expect(page.do("mockSpace.space.handles.shown") == [], "handles without a box")


def check_far_handles(page):
    """A face beyond the view is pulled in from where its handle stands, and taps on handles still measure."""
    page.front()
    page.look({"box": {"isOn": True, "limits": [[-9, 9], [-9, 9], [0.1, 9]]}})
    box = page.page.locator("#cloud").bounding_box()
    handle = "mockSpace.space.handles.shown.find(({ axis, end }) => axis === 0 && end === 1)"
    px, py = page.do(f"{handle}.point.slice(0, 2)")
    expect(0 < px < box["width"] and 0 < py < box["height"], f"the handle stands at {px, py}")
    reached = page.do(f"{handle}.position[0]")
    page.page.mouse.move(box["x"] + px, box["y"] + py)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + px - 60, box["y"] + py, steps=4)
    page.page.mouse.up()
    page.wait_until_drawn()
    limit = page.state("box.limits")[0][1]
    expect(limit < reached < 9, f"pulled from {reached} to {limit}")
    expect(abs(page.do(f"{handle}.point[0]") - (px - 60)) < 1, "the face is not under the pointer")
    page.look({"box": {"isOn": False, "limits": [[-9, 9], [-9, 9], [0.1, 9]]}})


def check_touch(page):
    box = page.page.locator("#cloud").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = fingers(page)

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
    page.wait_until_drawn()
    home = page.state("cloud.orbit.state")
    expect(all(abs(home[k] - start[k]) < 1e-9 for k in ("yaw", "pitch", "roll", "distance")),
           "a double tap does not reset")
    expect(page.do("mockSpace.points") == [], "a double tap leaves a mark")
    page.page.locator("input[name=space-tool][value=plane] + span").tap()
    px, py = page.position(160, 120)
    page.page.evaluate("scrollTo(0, 0)")
    page.page.touchscreen.tap(px, py)
    page.wait_until_drawn()
    expect("Tilt" in page.results, f"a tap fits no plane: {list(page.results)}")


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
