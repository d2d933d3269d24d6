#!/usr/bin/env python3
"""Opens the page of a face in Chromium and checks what a reader would see and do.

    test_face.py FACE.html EXPECTED.json [SCREENSHOT-FOLDER]

EXPECTED.json: {"title", "badge", "headline", "isMeasured", "weights": [...], "missing": [names],
  "hasPhoto", "vertices": [{"index", "position": [x, y, z]}], "distance": {"a", "b", "value", "sigma"},
  "area": {"whole", "measured"}, "jawOpen": {"target", "vertex", "way": [x, y, z]},
  "added": {"triangles", "faceTriangles", "words"} where parts were added to the face,
  "seen": [two vertices that face the camera]} in meters of the camera's frame; null for "vertices" and what
  follows means a page without a head.

Needs Playwright for Python; the browser is CHROMIUM or /usr/bin/chromium. Prints one line for each
check and "N passed, N failed"; exits 0 if none failed, 1 if one did, 75 if there is no browser.
"""
import json
import pathlib
import sys

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

import chromium
from face_hands import check_keyboard, check_measuring, check_mouse, check_touch
from face_looks import check_missing_webgl, check_paints, check_tables, check_width, check_words
from face_page import DESKTOP, PHONE, FacePage
from face_parts import check_parts
from face_shapes import check_mesh, check_sliders
from report_page import Checks, expect
NO_WEBGL = """
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
  };
"""


def check_desktop(checks, browser, url, expected, folder):
    page = FacePage(browser, url, DESKTOP, color_scheme="light")
    page.screenshot(folder, "light")
    checks.run("headline and title", lambda: check_words(page, expected))
    checks.run("tables", lambda: check_tables(page, expected))
    if expected["vertices"]:
        checks.run("the mesh is where it should be", lambda: check_mesh(page, expected))
        checks.run("the head and the face are shown", lambda: check_parts(page, expected))
        checks.run("paints differ and have their scale", lambda: check_paints(page, expected, folder))
        checks.run("mouse turns, moves, zooms, comes home", lambda: check_mouse(page))
        checks.run("two clicks measure", lambda: check_measuring(page, expected))
        checks.run("keyboard", lambda: check_keyboard(page))
        checks.run("sliders move the head", lambda: check_sliders(page, expected))
        page.screenshot(folder, "moved")
    checks.run("desktop: nothing is wider than the page", lambda: check_width(page))
    checks.run("desktop: no complaint, no request", lambda: page.expect_quiet(url))
    page.close()
    page = FacePage(browser, url, DESKTOP, color_scheme="dark")
    page.screenshot(folder, "dark")
    checks.run("dark: no complaint, no request", lambda: page.expect_quiet(url))
    page.close()


def check_phone(checks, browser, url, expected, folder):
    page = FacePage(browser, url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page.screenshot(folder, "phone")
    checks.run("phone: nothing is wider than the page", lambda: check_width(page))
    checks.run("phone: tables", lambda: check_tables(page, expected))
    if expected["vertices"]:
        checks.run("phone: touch turns, zooms, measures", lambda: check_touch(page, expected))
        checks.run("phone: paints", lambda: check_paints(page, expected, None))
    checks.run("phone: no complaint, no request", lambda: page.expect_quiet(url))
    page.close()


def main():
    if reason := chromium.missing():
        print(reason)
        return chromium.CANNOT_RUN
    url = pathlib.Path(sys.argv[1]).resolve().as_uri()
    expected = json.loads(pathlib.Path(sys.argv[2]).read_text())
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    checks = Checks()
    with chromium.opened() as browser:
        check_desktop(checks, browser, url, expected, folder)
        check_phone(checks, browser, url, expected, folder)
        if expected["vertices"]:
            page = FacePage(browser, url, DESKTOP, init=NO_WEBGL)
            checks.run("without WebGL 2: a message and the tables", lambda: check_missing_webgl(page, expected))
            page.close()
        page = FacePage(browser, url, DESKTOP)
        checks.run("nothing of the document is run", lambda: expect(
            page.do("window.pwned") is None, "text of the document was run"))
        page.close()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
