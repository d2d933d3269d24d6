"""Measures the viewer's page in Chromium: first paint, and how many live frames are drawn a second.

    python page.py PATH/OF/plumbline [--loads 9] [--seconds 15] [-- ARGUMENTS OF SERVE]

First paint is the browser's own `first-contentful-paint`, from the start of the navigation, of a page with
a live simulated camera; each load has a fresh profile. Drawn frames are counted by the page as it shows
them. Without a GPU, Chromium draws with SwiftShader, which is what limits the 3D view.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

from playwright.sync_api import sync_playwright

DRAWN = """async (milliseconds) => {
  const seen = new Set(), end = performance.now() + milliseconds;
  while (performance.now() < end) {
    seen.add(plumblineViewer.sequence);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return seen.size;
}"""
PAINT = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"""


def transferred(page):
    """Bytes of the page's own files, as they came."""
    return page.evaluate(
        "() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".filter((entry) => !entry.name.includes('/api/')).reduce((sum, entry) => sum + entry.transferSize, 0)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plumbline")
    parser.add_argument("--loads", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=15)
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    serve = sys.argv[end + 1 :] or ["--source", "simulated", "--size", "640x480", "--fps", "30"]
    server = subprocess.Popen(
        [options.plumbline, "serve", *serve, "--no-open"], stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip()
        paints, drawn = [], {}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
                args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
            for _ in range(options.loads):
                page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
                page.goto(url)
                page.wait_for_function(PAINT)
                paints.append(page.evaluate(PAINT))
                size = transferred(page)
                page.context.close()
            for width, height in ((1440, 900), (390, 844)):
                context = browser.new_context(viewport={"width": width, "height": height})
                page = context.new_page()
                page.goto(url)
                page.wait_for_function("() => plumblineViewer.hasFrame", timeout=60_000)
                page.wait_for_timeout(2000)
                count = page.evaluate(DRAWN, options.seconds * 1000)
                status = page.evaluate("() => plumblineViewer.status")
                drawn[f"{width}x{height}"] = {
                    "framesPerSecond": round(count / options.seconds, 2),
                    "sourceFramesPerSecond": status["framesPerSecond"],
                    "latencyMilliseconds": status["latencyMilliseconds"],
                }
                context.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()
    print(json.dumps({
        "load": os.getloadavg()[0],
        "firstPaintMilliseconds": {
            "median": round(statistics.median(paints)), "most": round(max(paints))},
        "pageBytes": size,
        "drawn": drawn,
    }, indent=1))


if __name__ == "__main__":
    main()
