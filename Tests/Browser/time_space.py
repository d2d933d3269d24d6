#!/usr/bin/env python3
"""Prints how long the 3D view takes for images of 0.3, 1 and 2 million points; a measurement, no test.

    time_space.py [FLAG …]    flags for Chromium in place of SwiftShader's
"""
import statistics
import sys

sys.dont_write_bytecode = True

import chromium
from space_mock import MockServer

SIZES = {"0.3 M": (640, 480), "1 M": (1152, 864), "2 M": (1632, 1224)}
PICK = """
  () => {
    const times = [];
    for (let index = 0; index < 5; index++) {
      const began = performance.now();
      mockSpace.space.cloud.pixelAt(400 + index, 300, 8);
      times.push(performance.now() - began);
    }
    return times;
  }
"""


def main():
    flags = ["--no-sandbox", *sys.argv[1:]] if sys.argv[1:] else chromium.FLAGS
    with MockServer() as url, chromium.opened(flags) as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        for name, (width, height) in SIZES.items():
            page.goto(f"{url}?scene=sphere&noise=1&width={width}&height={height}")
            page.evaluate("mockSpace.ready")
            page.evaluate("mockSpace.waitUntilDrawn()")
            if name == "0.3 M":
                print(page.evaluate("""() => {
                  const { gl } = mockSpace.space.cloud;
                  const info = gl.getExtension('WEBGL_debug_renderer_info');
                  return info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : 'renderer not known';
                }"""))
            row = []
            for shape in ("points", "surface"):
                page.evaluate(f"mockSpace.space.cloud.shape = '{shape}'")
                page.evaluate("mockSpace.time(2)")
                times = page.evaluate("mockSpace.time(7)")
                row.append(f"{shape} {min(times):.0f} ms at best, {statistics.median(times):.0f} in the middle")
            page.evaluate("mockSpace.space.cloud.shape = 'points'")
            page.evaluate(PICK)
            row.append(f"pick {statistics.median(page.evaluate(PICK)):.0f} ms")
            uploads = page.evaluate("mockSpace.timeUpload(5)")
            row.append(f"new frame {statistics.median(u[0] for u in uploads):.0f} ms in the page's thread")
            print(f"{name} ({width} x {height}): " + ", ".join(row))


if __name__ == "__main__":
    main()
