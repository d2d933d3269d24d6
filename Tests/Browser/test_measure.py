#!/usr/bin/env python3
"""Holds what the viewer measures against `plumbline measure --json`, on a bundled photo and a simulated wall.

    test_measure.py

Points, distances, angles and planes at the same pixels must be the same numbers with the same ± and the same parts,
in the page of `plumbline view`. The program is PLUMBLINE_BINARY or .build/debug/plumbline. Exits 0 if nothing
failed, 1 if something did, 75 where something that it needs is missing.
"""
import json
import sys

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

import chromium
from report_page import Checks, expect
from served import ROOT, Served, missing, plumbline

PHOTO = ROOT / "Fixtures/demo/healthy-truedepth.jpg"
# Pixels of its depth map as stored: wall, face, shoulder.
PIXELS = [(60, 70), (240, 300), (400, 560)]
# Corners of a part of the wall, and of the forehead.
RECTANGLES = [(20, 60, 60, 50), (210, 150, 40, 30)]

# What the page's own modules find; `import` gives those that the page has.
SCRIPT = """async ([pixels, rectangles]) => {
  const { Measurement } = await import('/viewer/measurement.js');
  const { Ruler } = await import('/viewer/ruler.js');
  const scene = window.plumblineViewer.viewer.scene;
  const points = pixels.map(([x, y]) => scene.probe(x, y));
  const shared = scene.sharedErrors;
  const [a, b, c] = points;
  const planes = rectangles.map(([x, y, width, height]) => {
    const ruler = new Ruler(() => true);
    ruler.setScene(scene);
    const plane = ruler.fitted([[x, y], [x + width - 1, y + height - 1]], 'rectangle', 4);
    const { normal, normalSigmas, distance, tilt, rms, count } = plane;
    return { normal, normalSigmas, distance, tilt, rms, count,
      height: Measurement.distanceFromPlane(b, plane, shared) };
  });
  return {
    positions: points.map((point) => Measurement.position(point, shared)),
    distance: Measurement.distance(a, b, shared), probed: scene.distance(a, b),
    angle: Measurement.angle(a, b, c, shared), planes,
  };
}"""


def name(pixel):
    return f"depth:{pixel[0]},{pixel[1]}"


def box(rectangle):
    x, y, width, height = rectangle
    return f"depth:{x},{y},{width}x{height}"


def measured():
    arguments = ["measure", PHOTO, "--json"]
    for pixel in PIXELS:
        arguments += ["--point", name(pixel)]
    a, b, c = map(name, PIXELS)
    arguments += ["--distance", f"{a}:{b}", "--angle", f"{a}:{b}:{c}"]
    for rectangle in RECTANGLES:
        arguments += ["--plane", box(rectangle), "--height", f"{b}:{box(rectangle)}"]
    found = json.loads(plumbline(*arguments, codes=(0, 1)))["measurements"]
    for entry in found:
        # The page has radians.
        entry["factor"] = 3.141592653589793 / 180 if entry["unit"] == "deg" else 1
    return found


def expect_same(page, entry, what, parts=True):
    """Rays come through a grid of 32-bit floats, 33 by 25, which is good to a hundredth of a pixel."""
    factor = entry["factor"]

    def close(found, told, size, label):
        expect(found is not None and abs(found - told * factor) <= 2e-3 * size * factor + 1e-9,
               f"{what}: {label} {found} in the page, {told * factor} by the command")

    close(page["value"], entry["value"], max(abs(entry["value"]), entry["sigma"]), "value")
    close(page["sigma"], entry["sigma"], entry["sigma"], "±")
    if parts:
        for part, told in entry["parts"].items():
            close(page["parts"][part], told, entry["sigma"], part)


def check_law(checks, page):
    page = page.evaluate(SCRIPT, [PIXELS, RECTANGLES])
    found = measured()

    def of(kind):
        return [entry for entry in found if entry["kind"] == kind]

    def positions():
        for index, entry in enumerate(of("point")):
            expect_same(page["positions"][index // 3][index % 3], entry, f"point {index // 3} {entry['name']}")

    def distance():
        expect_same(page["distance"], of("distance")[0], "distance")
        probed = {"value": page["probed"]["distance"], "sigma": page["probed"]["sigma"]}
        expect_same(probed, of("distance")[0], "distance in the image", parts=False)

    def planes():
        entries = of("plane")
        # The numbers of one plane follow each other, however many they are.
        rectangles = [entry["rectangle"] for entry in entries if entry["name"] == "distance"]
        for index, plane in enumerate(page["planes"]):
            mine = {entry["name"]: entry for entry in entries if entry["rectangle"] == rectangles[index]}
            width, height = RECTANGLES[index][2:]
            expect(plane["count"] == width * height, f"{plane['count']} points of {width * height}")
            for label, key in (("distance", "distance"), ("tilt", "tilt"), ("flatness", "rms")):
                expect_same(plane[key], mine[label], f"plane {index} {label}")
            for axis, letter in enumerate("XYZ"):
                told = mine["normal" + letter]
                expect_same({"value": plane["normal"][axis], "sigma": plane["normalSigmas"][axis]}, told,
                            f"plane {index} normal {letter}", parts=False)

    checks.run("positions are those of the command, with their parts", positions)
    checks.run("a distance is that of the command", distance)
    checks.run("an angle is that of the command", lambda: expect_same(page["angle"], of("angle")[0], "angle"))
    checks.run("planes are those of the command", planes)

    def heights():
        for plane, entry in zip(page["planes"], of("height")):
            expect_same(plane["height"], entry, "height")

    checks.run("heights above planes are those of the command", heights)


def main():
    if reason := missing():
        print(f"skipped: {reason}")
        return chromium.CANNOT_RUN
    checks = Checks()
    with Served("view", PHOTO) as served, chromium.opened() as browser:
        page = browser.new_page()
        page.goto(served.url)
        page.evaluate("plumblineViewer.ready")
        page.wait_for_function("plumblineViewer.hasFrame")
        check_law(checks, page)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
