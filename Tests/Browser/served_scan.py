"""The page of a surface: a mesh whose every value is known, and a scan while it grows."""
import math
import struct

from report_page import expect, expect_close
from served import Served
from viewer_page import PHONE, ViewerPage

# A click has whole CSS pixels; of the square's two meters in some 500 pixels one is 4 mm.
CLICK_METERS = 0.006
SIDE, CELLS, SIGMA = 2.0, 20, 0.004


class SurfacePage(ViewerPage):
    def begin(self):
        self.until("window.plumblineScan", "the page")

    def state(self, name):
        return self.page.evaluate(f"plumblineScan.{name}")

    def click(self, point):
        """A place of the surface; two clicks in a row must not be a double click."""
        self.page.wait_for_timeout(350)
        box = self.page.locator("#scan").bounding_box()
        x, y = self.page.evaluate("(point) => plumblineScan.canvasPoint(point)", point)
        self.page.mouse.click(box["x"] + x, box["y"] + y)
        self.wait_until_drawn()

    def color(self, point):
        """What the canvas shows at a place of the surface."""
        return self.page.evaluate("""(point) => {
          const canvas = document.getElementById('scan');
          const copy = document.createElement('canvas');
          Object.assign(copy, { width: canvas.width, height: canvas.height });
          const context = copy.getContext('2d');
          context.drawImage(canvas, 0, 0);
          const ratio = canvas.width / canvas.clientWidth;
          const [x, y] = plumblineScan.canvasPoint(point).map((value) => Math.round(value * ratio));
          return [...context.getImageData(x, y, 1, 1).data].slice(0, 3);
        }""", point)


def write_square(path):
    """Two meters of a wall, three meters before the camera, red on the left and blue on the right; the ± grows from
    0 at the left edge to SIGMA at the right one, and one corner has none."""
    steps = range(CELLS + 1)
    points = [(-1 + SIDE * x / CELLS, -1 + SIDE * y / CELLS, 3.0) for y in steps for x in steps]
    faces = []
    for y in range(CELLS):
        for x in range(CELLS):
            a = y * (CELLS + 1) + x
            b, c, d = a + 1, a + CELLS + 1, a + CELLS + 2
            faces += [(a, c, b), (b, c, d)]
    head = ["ply", "format binary_little_endian 1.0", "comment unit meter", "comment frame camera: x right, y down, z forward",
            f"element vertex {len(points)}"]
    head += [f"property float {name}" for name in ("x", "y", "z", "sigma")]
    head += [f"property uchar {name}" for name in ("red", "green", "blue")]
    head += [f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header", ""]
    body = b"".join(
        struct.pack("<4f3B", *point, SIGMA * (point[0] + 1) / SIDE if index else math.nan,
                    *((220, 20, 20) if point[0] < 0 else (20, 20, 220)))
        for index, point in enumerate(points))
    body += b"".join(struct.pack("<B3i", 3, *face) for face in faces)
    path.write_bytes("\n".join(head).encode() + body)


def check_surface(checks, browser, folder, temporary):
    path = temporary / "square.ply"
    write_square(path)
    with Served("view", path) as served:
        page = SurfacePage(browser, served.url)

        def shows():
            page.until("plumblineScan.isComplete", "the surface")
            expect(page.state("triangleCount") == 2 * CELLS * CELLS, page.state("triangleCount"))
            bounds = page.state("bounds")
            # Of the camera y is down and z forward, of the page y up and z to the viewer.
            expect(bounds == {"low": [-1, -1, -3], "high": [1, 1, -3]}, bounds)
            expect("square.ply" in page.text("title") and "file" in page.text("stage-badge"), "title and stage")
            expect("800 triangles" in page.text("scan-status"), page.text("scan-status"))
            left, right = page.color([-0.5, 0.01, -3]), page.color([0.5, 0.01, -3])
            expect(left[0] > 2 * left[2] and right[2] > 2 * right[0], f"colors {left}, {right}")
            page.screenshot(folder, "surface-color")

        def plus_minus():
            page.choose("paint", "sigma")
            page.wait_until_drawn()
            expect_close(page.state("sigmaScale"), 0.005, 1e-6, "the end of the scale")
            expect("± 5 mm" in page.text("scan-legend").replace("\u00a0", " "), page.text("scan-legend"))
            # viridis from dark violet to yellow.
            low, high = page.color([-0.9, 0.01, -3]), page.color([0.9, 0.01, -3])
            expect(low[2] > low[1] and high[1] > 1.5 * high[2], f"± as {low}, {high}")
            page.screenshot(folder, "surface-sigma")
            page.choose("paint", "plain")

        def measures():
            page.page.keyboard.press("1")
            page.wait_until_drawn()
            page.page.wait_for_timeout(400)
            ends = [[-0.7, 0.2, -3], [0.6, -0.3, -3]]
            for end in ends:
                page.click(end)
            points = page.state("points")
            expect(len(points) == 2, f"{len(points)} points after two clicks")
            for point, end in zip(points, ends):
                expect(math.dist(point["position"], end) < CLICK_METERS, f"chosen {point['position']}")
                expect_close(point["sigma"], SIGMA * (point["position"][0] + 1) / SIDE, 1e-3, "±")
            expect_close(page.state("measured")["value"], math.dist(*ends), 2 * CLICK_METERS, "the distance")
            # Along the wall its ± along the normal has no part.
            expect(page.state("measured")["sigma"] < 1e-6, page.state("measured"))
            expect("m" in page.text("readout-distance") and "not in it" in page.text("readout-points"), "its words")
            page.screenshot(folder, "surface-measured")
            page.page.keyboard.press("Escape")
            expect(page.state("points") == [], "Escape leaves marks")

        def small():
            phone = SurfacePage(browser, served.url, PHONE)
            phone.until("plumblineScan.isComplete", "the surface on a phone")
            phone.expect_width()
            phone.expect_names()
            phone.screenshot(folder, "surface-phone")
            phone.close()

        checks.run("surface: a file is shown as it is", shows)
        checks.run("surface: its ± as colors with a legend", plus_minus)
        checks.run("surface: two clicks measure", measures)
        checks.run("surface: on a phone", small)
        checks.run("surface: the page is quiet", page.expect_quiet)
        page.close()
        checks.run("surface: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))


def check_growing_scan(checks, browser, folder, temporary):
    output = temporary / "growing.ply"
    arguments = ["fuse", "--source", "simulated", "--size", "160x120", "--fps", "30", "--voxel", "0.04", "-o", output, "--view"]
    with Served(*arguments) as served:
        page = SurfacePage(browser, served.url)

        def grows():
            page.until("plumblineScan.shownCount > 1", "a second surface")
            page.until("plumblineScan.path.length > 9", "the path")
            expect(page.state("triangleCount") > 100, page.state("triangleCount"))
            status = page.text("scan-status")
            expect("frames/s" in status and "tracked" in status, status)
            expect(page.text("stage-badge") == "Fusing", page.text("stage-badge"))
            page.screenshot(folder, "scan-growing")

        def ends():
            """The first Control-C ends the scan, and its result stays."""
            served.process.send_signal(2)
            page.until("plumblineScan.isComplete", "the result")
            expect(served.is_alive and output.exists(), "the result is not there")
            expect("Finished" in page.text("stage-badge"), page.text("stage-badge"))
            expect(str(output) in page.text("scan-notes"), page.text("scan-notes"))
            page.choose("paint", "sigma")
            page.wait_until_drawn()
            expect("mm" in page.text("scan-legend"), page.text("scan-legend"))
            page.screenshot(folder, "scan-finished")
            page.expect_quiet()

        checks.run("scan: grows while it runs", grows)
        checks.run("scan: the result with its ±", ends)
        page.close()
        checks.run("scan: the next Control-C ends it", lambda: expect(served.end() == 0, "exit code"))
