"""The 3D view's mock page opened in a browser."""
import math

from report_page import expect

# Software draws each pixel.
DESKTOP = {"width": 1000, "height": 640}
PHONE = {"width": 390, "height": 844}


class SpacePage:
    """The mock page opened in one browser context; remembers every complaint and outside request."""

    def __init__(self, browser, url, query, viewport=DESKTOP, init=None, **options):
        self.has_touch = options.get("has_touch", False)
        self.context = browser.new_context(
            viewport=viewport, reduced_motion=options.pop("reduced_motion", "reduce"), **options)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("request", lambda request: self.complaints.append(request.url)
                     if not request.url.startswith((url, "blob:", "data:")) else None)
        self.page.on("console", lambda message: self.complaints.append(message.text)
                     if message.type in ("error", "warning") and "GPU stall" not in message.text
                     else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if init:
            self.page.add_init_script(init)
        self.page.goto(f"{url}?{query}")
        self.page.evaluate("mockSpace.ready")
        self.wait_until_drawn()

    def wait_until_drawn(self):
        self.page.evaluate("mockSpace.waitUntilDrawn()")

    def do(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def state(self, name):
        return self.page.evaluate(f"mockSpace.space.{name}")

    @property
    def results(self):
        return {r["label"]: r for r in self.do("mockSpace.results")}

    def position(self, x, y):
        box = self.page.locator("#cloud").bounding_box()
        px, py = self.do("([x, y]) => mockSpace.canvasPoint(x, y)", [x, y])
        return box["x"] + px, box["y"] + py

    def choose(self, group, value):
        choice = self.page.locator(f"input[name=space-{group}][value={value}] + span")
        choice.tap() if self.has_touch else choice.click()
        self.wait_until_drawn()

    def click(self, x, y):
        """On a pixel of the map; the points of a double click are apart in time or position."""
        # Two clicks in a row must not be a double click.
        self.page.wait_for_timeout(350)
        if self.has_touch:
            self.page.evaluate("scrollTo(0, 0)")
            self.page.touchscreen.tap(*self.position(x, y))
        else:
            self.page.mouse.click(*self.position(x, y))
        self.wait_until_drawn()

    def look(self, state):
        self.do("(state) => mockSpace.space.restore(state)", state)
        self.wait_until_drawn()

    def front(self):
        self.page.locator("#cloud").focus()
        self.page.keyboard.press("1")
        self.wait_until_drawn()

    def screenshot(self, folder, name):
        if folder:
            self.page.screenshot(path=str(folder / f"space-{name}.png"), full_page=True)

    def close(self):
        self.context.close()


def expect_within(result, truth, what, sigmas=3.5):
    expect(result["sigma"] and result["sigma"] > 0, f"{what}: no ±")
    off = abs(result["value"] - truth) / result["sigma"]
    expect(off <= sigmas, f"{what}: {result['text']} is {off:.1f} σ off {truth}")
    expect("±" in result["text"], f"{what}: {result['text']} lacks ±")


def position(page, x, y):
    """The true position of a pixel."""
    depth = page.do("([x, y]) => mockSpace.truth(x, y)", [x, y])
    ray = page.do("([x, y]) => mockSpace.ray(x, y)", [x, y])
    return [ray[0] * depth, ray[1] * depth, depth]
