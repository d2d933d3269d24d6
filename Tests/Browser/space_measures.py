"""What is measured in the 3D view, against the truth of its scenes."""
import math

from report_page import expect, expect_close
from space_page import expect_within, position


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


def check_live(page):
    """A new frame replaces what is seen, and what was measured is measured anew."""
    page.front()
    page.choose("tool", "distance")
    page.click(100, 60)
    page.click(220, 150)
    before = page.results["Distance A–B"]["value"]
    orbit = page.state("cloud.orbit.state")
    page.do("mockSpace.show(5)")
    page.wait_until_drawn()
    after = page.results["Distance A–B"]
    expect(after["value"] != before, "the old frame is still measured")
    expect(page.state("cloud.orbit.state") == orbit, "the view moved")
    points = page.do("mockSpace.points")
    truth = math.dist(position(page, *points[0]), position(page, *points[1]))
    expect_within(after, truth, "distance on the new frame")


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
