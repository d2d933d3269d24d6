#!/usr/bin/env python3
"""Opens the viewer's 3D view in Chromium on scenes with exact truth, and checks what it shows and measures.

    test_space.py [SCREENSHOT-FOLDER]

Needs Playwright for Python; the browser is CHROMIUM or /usr/bin/chromium; NODE or `node` for the
tests of measurement.js. Prints one line for each check and "N passed, N failed"; exits 0 if none
failed, 1 if one did, 75 if there is no browser. Without node it says so and goes on.
"""
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

import chromium
from report_page import Checks, expect
from space_hands import (
    check_far_handles, check_handles, check_mouse_and_keys, check_pace, check_state, check_touch)
from space_looks import (
    check_broken_shaders, check_cameras, check_clip, check_context_loss, check_depth_color, check_equalized_color,
    check_form, check_invented, check_large_map, check_missing, check_modes, check_snapshot, check_surface)
from space_measures import (
    check_angle, check_corner, check_distance, check_live, check_pick, check_plane, check_relative,
    check_uncalibrated)
from space_mock import VIEWER, MockServer
from space_page import PHONE, SpacePage

DEGREE = math.pi / 180
NO_WEBGL = """
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
  };
"""
BROKEN_SHADERS = """
  WebGL2RenderingContext.prototype.getProgramParameter = () => false;
"""
# A processor of textures of 256 x 256, which throws where WebGL would only set an error.
SMALL_TEXTURES = """
  const { getParameter, texImage2D } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    return name === this.MAX_TEXTURE_SIZE ? 256 : getParameter.call(this, name);
  };
  WebGL2RenderingContext.prototype.texImage2D = function (...values) {
    const [width, height] = values.length > 6 ? [values[3], values[4]] : [values[5].width, values[5].height];
    if (width > 256 || height > 256) throw new Error(`a texture of ${width} x ${height}`);
    texImage2D.apply(this, values);
  };
"""


def check_measurement(checks):
    node = os.environ.get("NODE") or shutil.which("node")
    if not node:
        print("skipped  tests of measurement.js: no node (set NODE)")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in ("measurement.js", "sharederrors.js", "symmetric3.js", "vectors.js"):
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
    checks.run("motion is thinned out, rest is whole", lambda: check_pace(page))
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
    checks.run("clip box by its handles", lambda: check_handles(page))
    checks.run("clip box: faces beyond the view are pulled in", lambda: check_far_handles(page))
    checks.run("an image is saved with its caption", lambda: check_snapshot(page, folder))
    checks.run("state survives a link, hostile state does nothing", lambda: check_state(page, browser, url))
    checks.run("a new frame is shown and measured", lambda: check_live(page))
    checks.run("the context is lost and comes back", lambda: check_context_loss(page))
    checks.run("names and widths, desktop", lambda: check_form(page, "desktop"))
    checks.run("sphere: no complaint", lambda: expect(not page.complaints, f"{page.complaints[:3]}"))
    page.close()
    page = SpacePage(browser, url, "scene=plane")
    checks.run("the color of a point is its depth's", lambda: check_depth_color(page))
    page.close()
    page = SpacePage(browser, url, "scene=plane&equalize")
    checks.run("equalized, the color of a point is that of its rank", lambda: check_equalized_color(page))
    page.close()
    # Software draws the six vertices of each cell by themselves: a small map.
    page = SpacePage(browser, url, "scene=sphere&width=160&height=120")
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


def check_touch_measures(checks, browser, url):
    options = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    page = SpacePage(browser, url, "scene=plane&tilt=30&noise=1", PHONE, **options)
    page.front()
    checks.run("phone, taps: points", lambda: check_pick(page, [(160, 120), (40, 200)]))
    checks.run("phone, taps: distance", lambda: check_distance(page))
    checks.run("phone, taps: angle", lambda: check_angle(page))
    checks.run("phone, taps: plane with RMS", lambda: check_plane(page, 30 * DEGREE))
    page.close()
    page = SpacePage(browser, url, "scene=corner&tilt=40&noise=1", PHONE, **options)
    page.front()
    checks.run("phone, taps: two walls at a right angle", lambda: check_corner(page, 40 * DEGREE))
    page.close()


def check_rest(checks, browser, url, folder):
    page = SpacePage(
        browser, url, "scene=sphere&maps&noise=1", PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page.screenshot(folder, "phone-light")
    checks.run("phone: touch turns, pinches, pans, twists, resets, taps", lambda: check_touch(page))
    checks.run("phone: clip box by its handles", lambda: check_handles(page))
    checks.run("phone: names and widths", lambda: check_form(page, "phone"))
    checks.run("phone: no complaint", lambda: expect(not page.complaints, f"{page.complaints[:3]}"))
    page.close()
    check_touch_measures(checks, browser, url)
    page = SpacePage(browser, url, "scene=sphere&width=640&height=480", init=SMALL_TEXTURES)
    checks.run("a map larger than any texture", lambda: check_large_map(page))
    page.close()
    page = SpacePage(browser, url, "scene=plane", init=BROKEN_SHADERS)
    checks.run("shaders that are refused: a message", lambda: check_broken_shaders(page))
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
    if reason := chromium.missing():
        print(reason)
        return chromium.CANNOT_RUN
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    check_measurement(checks)
    with MockServer() as url, chromium.opened() as browser:
        check_desktop(checks, browser, url, folder)
        check_rest(checks, browser, url, folder)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
