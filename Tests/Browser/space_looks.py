"""What the 3D view shows: colors, surface, clip box, cameras, images, words."""
import base64
import math
import pathlib

from report_page import COLORS_ON_CANVAS, expect

# Elements of the tools that reach beyond them, or whose text does not fit.
TOO_WIDE = """
  () => [...document.querySelectorAll('#space-tools *, .space-legend, .space-legend *')]
    .filter((node) => node.checkVisibility() && !node.closest('.space-unseen') && node.tagName !== 'INPUT')
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
      || node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0
         && getComputedStyle(node).display !== 'inline')
    .map((node) => node.tagName + '.' + node.className + ': ' + node.textContent.slice(0, 40))
"""
# Controls without a name that a screen reader could say.
NAMELESS = """
  () => [...document.querySelectorAll('#space button, #space input, #space canvas:not([aria-hidden])')]
    .filter((node) => !(node.getAttribute('aria-label') || node.closest('label')?.textContent.trim()
      || node.textContent.trim()))
    .map((node) => node.outerHTML.slice(0, 80))
"""


def check_modes(page):
    seen = set()
    for mode in ("photo", "depth", "sigma", "confidence"):
        page.choose("mode", mode)
        expect(page.do(COLORS_ON_CANVAS, "cloud") > 3, f"{mode}: few colors")
        legend = page.page.locator(".space-legend")
        text = legend.inner_text()
        expect(({"photo": "filled", "depth": "Depth", "sigma": "σ", "confidence": "Conf"}[mode]) in text, text)
        expect("Depth" not in text or " m" in text.replace("\u00a0", " "), f"no unit: {text}")
        seen.add(str(page.do("mockSpace.colorAt(...mockSpace.canvasPoint(100, 60))")))
    expect(len(seen) == 4, f"colors of one point: {seen}")


def check_invented(page):
    page.choose("mode", "depth")
    where = "mockSpace.colorAt(...mockSpace.canvasPoint(160, 225))"
    marked = page.do(where)
    page.page.get_by_label("Mark what was filled in").click()
    page.wait_until_drawn()
    plain = page.do(where)
    expect(marked != plain, "invented pixels look like the others")
    expect(marked[0] > 150 and marked[2] > 90 and marked[1] < 120, f"not marked: {marked}")
    page.page.get_by_label("Mark what was filled in").click()


def check_depth_color(page):
    """The color of a point is that of its depth in the table."""
    page.front()
    page.choose("mode", "depth")
    for pixel in ((160, 40), (160, 120), (160, 200)):
        seen, expected = page.do("""([x, y]) => {
          const { range, table } = mockSpace.space.cloud.range;
          const { depth } = mockSpace.probe(x, y);
          const index = 3 * Math.round(255 * (depth - range[0]) / (range[1] - range[0]));
          return [mockSpace.colorAt(...mockSpace.canvasPoint(x, y)).slice(0, 3), [...table.slice(index, index + 3)]];
        }""", list(pixel))
        # Its neighbor may cover half of it.
        off = max(abs(p - q) for p, q in zip(seen, expected))
        expect(off <= 8, f"at {pixel}: color {seen}, in the table {expected}")


def check_equalized_color(page):
    """The shader takes the color of a depth's rank, as the image does."""
    page.front()
    page.choose("mode", "depth")
    for pixel in ((160, 40), (160, 120), (160, 200)):
        seen, expected, linear = page.do("""([x, y]) => {
          const { ranks, colors, range } = mockSpace.space.cloud.range;
          const { depth } = mockSpace.probe(x, y);
          const color = (at) => [...colors.slice(3 * at, 3 * at + 3)];
          return [mockSpace.colorAt(...mockSpace.canvasPoint(x, y)).slice(0, 3), color(ranks.positionOf(depth)),
            color(Math.round(255 * (depth - range[0]) / (range[1] - range[0])))];
        }""", list(pixel))
        off = max(abs(p - q) for p, q in zip(seen, expected))
        expect(off <= 8, f"at {pixel}: color {seen}, by its rank {expected}, linear {linear}")


def check_large_map(page):
    """Of a map that no texture takes every few pixels are shown, which is said; they measure as they are."""
    expect(not page.complaints, f"{page.complaints[:2]}")
    note = page.page.locator(".space-note").inner_text()
    expect("256 pixels a side" in note and "one of 9 pixels" in note, f"note: {note}")
    page.front()
    for shape in ("points", "surface"):
        page.choose("shape", shape)
        expect(page.do(COLORS_ON_CANVAS, "cloud") > 20, f"{shape}: a blank cloud")
        page.choose("tool", "point")
        page.click(300, 300)
        (found,) = page.do("mockSpace.points")
        expect(math.dist(found, (300, 300)) <= 3 and found[0] % 3 == found[1] % 3 == 0, f"{shape}: found {found}")
        truth = page.do("([x, y]) => mockSpace.truth(x, y)", found)
        expect(abs(page.results["Depth"]["value"] - truth) < 1e-6, f"{shape}: {page.results['Depth']}, true {truth}")
        page.page.keyboard.press("Escape")


def check_broken_shaders(page):
    """Shaders that the processor refuses leave a sentence, not a blank canvas."""
    expect(page.page.locator(".space-message").is_visible(), "no message")
    expect("cannot draw" in page.page.locator(".space-message").inner_text(), "another message")
    expect(not page.complaints, f"{page.complaints[:2]}")


def check_surface(page):
    """Between ball and wall the surface is cut; on the wall it is closed. The map has 160 x 120 pixels."""
    page.front()
    page.choose("shape", "surface")
    note = page.page.locator(".space-note").inner_text()
    expect("from the depth map" in note, f"the surface is called {note}")
    page.choose("mode", "depth")
    background = page.do("mockSpace.colorAt(2, 2)")
    page.look({"orbit": {"yaw": 0.9, "pitch": 0, "roll": 0, "distance": 2.4, "target": [0, 0, -1]}})
    expect(page.do("mockSpace.colorAt(...mockSpace.canvasPoint(10, 50))") != background, "holes in the wall")
    # Halfway from the ball's edge to the wall behind it nothing was seen.
    seen = page.do("""() => {
      const { space } = mockSpace;
      const edge = [...Array(50).keys()].map((x) => 80 - x).find((x) => mockSpace.truth(x - 1, 60) > 1.5);
      const [a, b] = [edge, edge - 1].map((x) => {
        const [rayX, rayY] = mockSpace.ray(x, 60);
        return [rayX * mockSpace.truth(x, 60), rayY * mockSpace.truth(x, 60), mockSpace.truth(x, 60)];
      });
      return mockSpace.colorAt(...space.cloud.canvasPoint(a.map((part, axis) => (part + b[axis]) / 2)));
    }""")
    expect(seen == background, f"a surface over the jump: {seen}")
    page.choose("tool", "point")
    page.front()
    page.click(30, 30)
    (found,) = page.do("mockSpace.points")
    expect(math.dist(found, (30, 30)) <= 1, f"picked {found} on the surface")
    page.choose("shape", "points")


def check_clip(page):
    page.front()
    page.page.locator(".space-clip summary").click()
    background = page.do("mockSpace.colorAt(2, 2)")
    wall = "mockSpace.colorAt(...mockSpace.canvasPoint(30, 120))"
    ball = "mockSpace.colorAt(...mockSpace.canvasPoint(160, 120))"
    expect(page.do(wall) != background, "no wall before clipping")
    field = page.page.get_by_label("Z to, meters")
    field.fill("1.3")
    field.press("Enter")
    page.wait_until_drawn()
    expect(page.do(wall) == background, "the wall is not hidden")
    expect(page.do(ball) != background, "the ball is hidden")
    before = page.state("box.limits")
    slider = page.page.get_by_label("Z to", exact=True)
    slider.focus()
    for _ in range(3):
        page.page.keyboard.press("ArrowLeft")
    after = page.state("box.limits")
    expect(after[2][1] < before[2][1], f"the slider moved {before[2]} to {after[2]}")
    lost = page.do("(() => { const s = mockSpace.space; return s.cloud.pixelAt(...mockSpace.canvasPoint(30, 120), 8); })()")
    expect(lost is None, f"picked {lost}, which is hidden")
    page.page.get_by_role("button", name="Whole scene").click()
    page.wait_until_drawn()
    expect(page.do(wall) != background, "the wall did not come back")
    page.page.get_by_label("Hide what is outside the box").uncheck()
    page.page.locator(".space-clip summary").click()


def check_frusta(page):
    """Eyes and corners stand where the poses say, and are drawn there."""
    found = page.do("""() => {
      const { cameras, cloud, marks } = mockSpace.space;
      const { canvas } = marks;
      const ratio = canvas.width / canvas.clientWidth;
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext('2d', { willReadFrequently: true });
      context.drawImage(canvas, 0, 0);
      // Something of the marks within two pixels.
      const isDrawn = ([x, y]) => context
        .getImageData(Math.round(x * ratio) - 2, Math.round(y * ratio) - 2, 5, 5).data.some((value) => value > 0);
      // Camera i stands 0.06 i to the right of the first one, which is shown, and looks in the same direction.
      return [0, 5, 9, 11].map((index) => {
        const eye = [0.06 * index, 0, 0];
        const [x, y] = mockSpace.ray(0, 0);
        const corner = [eye[0] + x * cameras.size, y * cameras.size, cameras.size];
        const [a, b] = [cloud.canvasPoint(eye), cloud.canvasPoint(corner)];
        return { index, a, b, point: cameras.canvasPoint(index), eye: isDrawn(a),
          edge: isDrawn([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]) };
      });
    }""")
    for camera in found:
        expect(math.dist(camera["a"], camera["point"]) < 1e-3, f"camera {camera['index']} has its mark elsewhere: {camera}")
        expect(camera["eye"], f"camera {camera['index']} is not drawn: {camera}")
    expect(found[0]["edge"], f"the shown camera has no pyramid: {found[0]}")


def check_cameras(page):
    expect(page.page.get_by_label("Cameras").is_visible(), "no control of the cameras")
    page.page.locator("#cloud").focus()
    page.look({"orbit": {"yaw": 0.5, "pitch": 0.5, "roll": 0, "distance": 3, "target": [0, 0, -0.5]}})
    check_frusta(page)
    box = page.page.locator("#cloud").bounding_box()
    px, py = page.do("mockSpace.space.cameras.canvasPoint(9)")
    page.page.mouse.click(box["x"] + px, box["y"] + py)
    page.wait_until_drawn()
    expect(page.do("mockSpace.shownFrames") == [9], f"frames: {page.do('mockSpace.shownFrames')}")
    expect(page.do("mockSpace.space.cameras.current") == 9, "the camera is not the current one")
    # The world holds still: in the first camera's frame the ninth one stands 0.54 m to the right.
    anchor = page.do("Array.from(mockSpace.space.cloud.anchorFromCamera)")
    truth = [0.54, 0, 0]
    expect(math.dist(anchor[12:15], truth) < 1e-6, f"moved to {anchor[12:15]}")
    page.page.get_by_label("Hold the world still").uncheck()
    page.wait_until_drawn()
    expect(page.do("mockSpace.space.cloud.anchorFromCamera === null"), "the world still holds")
    page.page.get_by_label("Hold the world still").check()
    page.page.get_by_label("Cameras", exact=True).uncheck()
    expect(page.do("mockSpace.space.cameras.frameAt(mockSpace.space.cameras.canvasPoint(3))") is None,
           "a hidden camera can be chosen")
    page.page.get_by_label("Cameras", exact=True).check()


def check_snapshot(page, folder):
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name="Image").click()
    download = waiting.value
    expect(download.suggested_filename == "mock-sphere-3d.png", download.suggested_filename)
    data = pathlib.Path(download.path()).read_bytes()
    expect(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    height = int.from_bytes(data[20:24], "big")
    expect(height > page.page.locator("#cloud").bounding_box()["height"] + 40, "no caption")
    # What was saved, decoded again: the cloud as it is seen, and the caption's ink below.
    seen, saved, ink = page.do("""async (text) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      const [x, y] = mockSpace.canvasPoint(160, 120);
      const { cloud } = mockSpace.space;
      const pixel = context.getImageData(Math.round(x * cloud.ratio), Math.round(y * cloud.ratio), 1, 1).data;
      const foot = context.getImageData(0, cloud.canvas.height, image.width, image.height - cloud.canvas.height).data;
      return [mockSpace.colorAt(x, y).slice(0, 3), [...pixel].slice(0, 3),
        foot.filter((value, index) => index % 4 === 0 && value < 128).length];
    }""", base64.b64encode(data).decode())
    expect(max(abs(p - q) for p, q in zip(seen, saved)) <= 8, f"saved {saved}, seen {seen}")
    expect(ink > 50, f"a caption of {ink} pixels")
    if folder:
        (folder / "space-snapshot.png").write_bytes(data)


def check_context_loss(page):
    page.front()
    page.do("mockSpace.show(0)")
    before = page.do("mockSpace.colorAt(...mockSpace.canvasPoint(100, 60))")
    page.do("""async () => {
      const { cloud } = mockSpace.space;
      const extension = window.loss = cloud.gl.getExtension('WEBGL_lose_context');
      const lost = new Promise((done) => cloud.canvas.addEventListener('webglcontextlost', done));
      extension.loseContext();
      await lost;
    }""")
    expect(page.page.locator(".space-message").is_visible(), "no message while it is lost")
    expect(page.do("mockSpace.space.cloud.pixelAt(10, 10)") is None, "picked without a context")
    page.do("mockSpace.show(0)")
    page.do("""async () => {
      const { cloud } = mockSpace.space;
      const back = new Promise((done) => cloud.canvas.addEventListener('webglcontextrestored', done));
      window.loss.restoreContext();
      await back;
    }""")
    page.wait_until_drawn()
    expect(not page.page.locator(".space-message").is_visible(), "the message stays")
    expect(page.do("mockSpace.colorAt(...mockSpace.canvasPoint(100, 60))") == before, "the cloud did not come back")


def check_missing(page):
    expect(page.page.locator(".space-message").is_visible(), "no message without WebGL 2")
    expect("WebGL 2" in page.page.locator(".space-message").inner_text(), "another message")
    expect(not page.page.locator("#space-tools").is_visible(), "tools without a cloud")
    page.do("mockSpace.show(1)")
    page.do("mockSpace.space.restore({mode: 'depth'}); mockSpace.space.setRange({range: [0, 1]})")
    expect(not page.complaints, f"{page.complaints[:2]}")


def check_form(page, what):
    found = page.do(TOO_WIDE)
    expect(not found, f"{what}: {found[:3]}")
    width = page.do("document.documentElement.scrollWidth")
    expect(width <= page.page.viewport_size["width"], f"the page is {width} px wide")
    nameless = page.do(NAMELESS)
    expect(not nameless, f"without a name: {nameless[:3]}")
