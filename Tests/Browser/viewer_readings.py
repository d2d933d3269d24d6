"""What the viewer reads and draws, against scenes whose every value is known."""
import math

import numpy

from report_page import expect, expect_close
from viewer_mock import VIEWER

# What a page may weigh before any capture.
PAGE_BYTES = 305_000
# Jet from red to blue, as Apple's sample colors near and far.
NEAR_RED, FAR_BLUE = (128, 0, 0), (0, 0, 128)


def check_probes(viewer, truth, frame=0):
    depth = truth.depth(frame)
    sigma = truth.sigma(depth)
    left, top, right, bottom = truth.box(frame)
    for x, y in ((left + 5, top + 5), (right + 3, top), (truth.width - 1, truth.height - 1), (right, bottom)):
        found = viewer.probe(x, y)
        expect_close(found["depth"], float(depth[y, x]), 1e-6, f"depth at ({x}, {y})")
        if truth.has_maps:
            expect_close(found["sigma"], float(sigma[y, x]), 1e-6, f"sigma at ({x}, {y})")
            stored = float(found["stored"].split("\u00a0")[0])
            expect_close(stored, float(1 / depth[y, x]), 1e-4, f"stored value at ({x}, {y})")
            expect(found["stored"].endswith("1/m"), f"unit of {found['stored']}")
            expect(found["confidence"] == x * 3 // truth.width, f"confidence {found['confidence']}")
    expect(viewer.probe(*truth.hole)["depth"] is None, "a hole reads a depth")


def check_reading(viewer, truth):
    """A click, and a hover."""
    page = viewer.page
    left, top, _, _ = truth.box()
    x, y = left + 30, top + 20
    page.mouse.click(*viewer.position(x, y))
    points = viewer.state("points")
    expect(len(points) == 1, f"{len(points)} points after a click")
    expect(math.dist((points[0]["x"], points[0]["y"]), (x, y)) < 1.5, f"clicked {points[0]}")
    text = viewer.text("readout-points")
    for word in ("500.0", "±", "mm", "pixel", "stored 2\u00a01/m", "confidence"):
        expect(word in text, f"{word} is not in: {text}")
    expect("depth" in viewer.text("announcement"), "the reading is not announced")
    page.mouse.move(*viewer.position(truth.width - 20, 40))
    viewer.wait_until_drawn()
    expect(page.evaluate("plumblineViewer.viewer.probe.hover.depth") > 1, "hovering reads nothing")
    page.keyboard.press("Escape")
    expect(viewer.state("points") == [], "Escape leaves the marks")


def check_modes(viewer, truth):
    """Color, blend and depth read back from the canvas."""
    x, y = truth.width - 40, 60
    color = [int(value) for value in truth.color()[y, x]]
    viewer.choose("image-mode", "color")
    near = all(abs(a - b) <= 12 for a, b in zip(viewer.color_at(x, y), color))
    expect(near, f"color shows {viewer.color_at(x, y)}, the photo is {color}")
    viewer.choose("image-mode", "depth")
    depth = viewer.page.evaluate("([x, y]) => plumblineViewer.depthColor(x, y)", [x, y])[:3]
    # A pixel of the screen may belong to the next one of the map.
    near = all(abs(a - b) <= 6 for a, b in zip(viewer.color_at(x, y), depth))
    expect(near, f"depth shows {viewer.color_at(x, y)}, the map says {depth}")
    viewer.page.locator("#blend").evaluate(
        "(input) => { input.value = 50; input.dispatchEvent(new Event('input')); }")
    expect(viewer.state("state")["mode"] == "blend", "the slider does not blend")
    half = [(a + b) / 2 for a, b in zip(color, depth)]
    near = all(abs(a - b) <= 8 for a, b in zip(viewer.color_at(x, y), half))
    expect(near, f"blend shows {viewer.color_at(x, y)}, expected {half}")


def check_maps(viewer, truth):
    """Each map's ends, and the range fixed, typed and automatic."""
    page = viewer.page
    left, top, _, _ = truth.box()
    page.locator("#near-value").fill("0.5")
    page.locator("#far-value").fill("1.0")
    page.locator("#far-value").press("Enter")
    expect(viewer.state("range") == [0.5, 1.0], f"typed range {viewer.state('range')}")
    expect(not viewer.state("state")["isAutomatic"], "a typed range is still automatic")
    near, far = [left + 5, top + 5], [truth.width - 1, 5]

    def colors():
        return [tuple(page.evaluate("([x, y]) => plumblineViewer.depthColor(x, y)", pixel)[:3])
                for pixel in (near, far)]

    viewer.choose("map", "jet")
    expect(colors() == [NEAR_RED, FAR_BLUE], f"jet from near to far: {colors()}")
    viewer.choose("map", "gray")
    expect(colors() == [(255, 255, 255), (0, 0, 0)], f"gray from near to far: {colors()}")
    page.locator("#map-reversed").check()
    expect(colors() == [(0, 0, 0), (255, 255, 255)], f"swapped gray: {colors()}")
    page.locator("#map-reversed").uncheck()
    viewer.choose("map", "viridis")
    expect(colors()[0][0] > 240 and colors()[1][0] < 80, f"viridis from near to far: {colors()}")
    viewer.choose("map", "turbo")
    handle = page.locator("#range-near")
    handle.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(viewer.state("range")[0] > 0.5, "the handle does not move the near end")
    expect(viewer.state("range")[1] == 1.0, "the far end moved too")
    viewer.choose("range-mode", "automatic")
    low, high = viewer.state("range")
    expect(low < 0.5 and high > 1.2, f"automatic range {low} to {high}")


def equalized_positions(depth):
    """Positions as `DepthColors.Span.equalized` in Swift gives them, by NumPy; 0 where nothing was measured."""
    depth = depth.astype(numpy.float32).ravel()
    known = (depth > 0) & numpy.isfinite(depth)
    bins = numpy.clip((depth.view(numpy.int32) >> 12) - (111 << 11), 0, 65535)
    counts = numpy.bincount(bins[known], minlength=65536).astype(numpy.int64)
    positions = 128 * (2 * (numpy.cumsum(counts) - counts) + counts) // counts.sum()
    return numpy.where(known, positions[bins], 0), known


def check_equalized(viewer, truth):
    """Each color covers as much of the image: the ranks of all pixels are spread evenly, and as Swift has them."""
    viewer.choose("map", "gray")
    spread = """() => {
      const pixels = plumblineViewer.viewer.imageView.colorPixels.data;
      const counts = new Uint32Array(8);
      let total = 0;
      for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3]) { counts[pixels[i] >> 5]++; total++; }
      return Math.max(...counts) / total;
    }"""
    plain = viewer.page.evaluate(spread)
    viewer.page.locator("#map-equalized").check()
    even = viewer.page.evaluate(spread)
    seen = numpy.array(viewer.page.evaluate(
        "Array.from(plumblineViewer.viewer.imageView.colorPixels.data.filter((value, index) => index % 4 === 0))"))
    positions, known = equalized_positions(truth.depth())
    # Gray is white for near: 255 less the position.
    off = numpy.flatnonzero(known & (seen != 255 - positions))
    expect(off.size == 0, f"{off.size} pixels have another color than by Swift's rule, first {off[:3]}")
    viewer.page.locator("#map-equalized").uncheck()
    viewer.choose("map", "turbo")
    # Eight equal shares would be 0.125; rounding of ranks moves a few.
    expect(even < 0.14 < plain, f"the fullest eighth holds {even:.3f}, {plain:.3f} before")


def check_layers(viewer, truth):
    page = viewer.page
    viewer.choose("image-mode", "color")
    page.locator("#layers summary").click()
    left, top, right, bottom = truth.box()
    inside = (left + 20, top + 20)
    before = viewer.color_at(*inside)
    page.locator("input[data-matte=portrait]").check()
    expect(viewer.color_at(*inside) != before, "the matte is not drawn")
    page.locator("input[data-matte=portrait]").uncheck()
    expect(viewer.color_at(*inside) == before, "the matte does not go")
    page.locator("#show-edges").check()
    red, green, blue = viewer.color_at(left, (top + bottom) // 2)
    expect(red < 120 and green > 150 and blue > 150, f"no edge at the box: {red, green, blue}")
    border = 2 * (right - left + 1) + 2 * (bottom - top - 1)
    expect(viewer.state("edgeCount") == border, f"{viewer.state('edgeCount')} edge pixels, the box has {border}")
    page.locator("#show-edges").uncheck()
    viewer.choose("image-mode", "depth")
    page.locator("#layers summary").click()
    low = viewer.color_at(20, truth.height - 20)
    page.locator("#show-confidence").uncheck()
    expect(sum(viewer.color_at(20, truth.height - 20)) > sum(low), "low confidence is not dimmed")
    page.locator("#show-confidence").check()
    page.keyboard.press("Escape")
    page.mouse.click(5, 5)
    expect(not viewer.sees(".menu-box"), "the menu stays open")


def choose_tool(viewer, tool):
    """Its modules come when it is chosen first."""
    viewer.choose("tool", tool)
    viewer.until("(tool) => plumblineViewer.state.tool === tool", tool, tool)


def check_profiles(viewer, truth):
    depth = truth.depth()
    left, top, right, bottom = truth.box()
    choose_tool(viewer, "line")
    viewer.drag((left - 40, top + 30), (right + 40, top + 30))
    profile = viewer.state("profile")
    expect(len(profile["samples"]) > right - left, f"{len(profile['samples'])} samples on the line")
    for sample in profile["samples"]:
        expect_close(sample["depth"], float(depth[sample["y"], sample["x"]]), 1e-6, f"line at {sample['x']}")
    expect(viewer.sees("#profile-plot .curve"), "no curve is drawn")
    expect("px" in viewer.text("profile-numbers"), viewer.text("profile-numbers"))
    titles = viewer.page.locator("#profile-plot .title").all_text_contents()
    expect(len(titles) == 2 and all("," in title for title in titles), f"axes without units: {titles}")
    choose_tool(viewer, "area")
    viewer.drag((4, 4), (truth.hole[0] * 2 + 59, truth.hole[1] * 2 + 29))
    area = viewer.state("profile")
    part = depth[area["top"]:area["bottom"] + 1, area["left"]:area["right"] + 1]
    known = part[part > 0]
    median = float(numpy.median(known.astype(float)))
    spread = 1.4826 * float(numpy.median(numpy.abs(known.astype(float) - median)))
    expect(0 < area["fill"] < 1, f"filled {area['fill']}")
    expect_close(area["fill"], known.size / part.size, 1e-9, "share that is filled")
    expect_close(area["median"], median, 1e-9, "median of the area")
    expect_close(area["spread"], spread, 1e-9, "spread of the area")
    sigma = float(numpy.median(truth.sigma(part)[part > 0].astype(float)))
    expect_close(area["sigma"], sigma, 1e-6, "sigma of the area")
    for word in ("Median", "±", "Spread", "Filled", "%"):
        expect(word in viewer.text("profile-numbers"), f"{word} is missing")
    expect(viewer.page.locator("#profile-plot .bin").count() >= 8, "no histogram is drawn")
    viewer.page.keyboard.press("Escape")
    expect(viewer.state("profile") is None, "Escape leaves the area")
    viewer.choose("tool", "point")


def check_keyboard(viewer):
    page = viewer.page
    page.locator("#overlay").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.evaluate("document.activeElement.id") == "overlay", "Tab does not lead to the image")
    start = viewer.state("cursor")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    expect(viewer.state("cursor") == [start[0] + 1, start[1] + 10], f"{start} to {viewer.state('cursor')}")
    page.keyboard.press("Enter")
    expect(len(viewer.state("points")) == 1, "Enter reads nothing")
    page.keyboard.press("t")
    viewer.until("plumblineViewer.state.tool === 'line'", "the tool of T")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    expect(len(viewer.state("profile")["samples"]) == 11, "keys do not draw a line")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    viewer.until("plumblineViewer.state.tool === 'area'", "the next tool of T")
    page.keyboard.press("t")
    viewer.until("plumblineViewer.state.tool === 'point'", "points again by T")
    page.keyboard.press("Escape")
    before = viewer.state("state")["mode"]
    page.keyboard.press("b")
    expect(viewer.state("state")["mode"] != before, "B does not change the image")
    page.keyboard.press("Shift+?")
    expect(viewer.sees("#help"), "? does not open the keys")
    page.keyboard.press("Escape")
    expect(not viewer.sees("#help"), "Escape does not close the keys")


def check_weight(viewer):
    """All that is fetched before the capture, as `ViewerFile` gives it out: scripts without their comment lines."""
    names = {r.rsplit("/", 1)[-1] or "viewer.html" for r in viewer.requests if "/api/" not in r and "://" in r}

    def size_of(name):
        lines = (VIEWER / name).read_bytes().splitlines(keepends=True)
        return sum(len(line) for line in lines if not (name.endswith(".js") and line.lstrip(b" ").startswith(b"//")))

    size = sum(map(size_of, names))
    print(f"      the page without data: {size} bytes in {len(names)} files")
    expect(size < PAGE_BYTES, f"the page weighs {size} bytes")
