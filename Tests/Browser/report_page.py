"""A report opened in a browser, how the browser is started, and a counter of checks."""
import traceback

# WebGL is drawn by the processor. Pages themselves are not put together by WebGL too: that alone took a third of
# the tests' processor time.
COLORS_ON_CANVAS = """
  (id) => {
    const canvas = document.getElementById(id);
    const copy = document.createElement('canvas');
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const colors = new Set();
    for (let i = 0; i < data.length; i += 4 * 37) {
      colors.add(data[i] >> 3 << 10 | data[i + 1] >> 3 << 5 | data[i + 2] >> 3);
    }
    return colors.size;
  }
"""


class Checks:
    """Counts and prints; a check that raises has failed."""

    def __init__(self):
        self.passed = self.failed = 0

    def run(self, name, check):
        try:
            check()
        except Exception as error:  # the reason is printed; the next check still runs
            self.failed += 1
            last = traceback.extract_tb(error.__traceback__)[-1]
            print(f"FAIL  {name}: {error} (line {last.lineno})")
        else:
            self.passed += 1
            print(f"ok    {name}")


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def expect_close(found, expected, tolerance, what):
    allowed = tolerance * max(abs(expected), 1e-9)
    expect(
        found is not None and abs(found - expected) <= allowed,
        f"{what}: expected {expected}, found {found}")


class ReportPage:
    """A report opened in one browser context; remembers every request and complaint."""

    def __init__(self, browser, url, viewport, init=None, **options):
        self.context = browser.new_context(viewport=viewport, **options)
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on(
            "console",
            lambda message: self.complaints.append(message.text)
            if message.type in ("error", "warning") and "GPU stall" not in message.text
            else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if init:
            self.page.add_init_script(init)
        self.page.goto(url)
        self.page.evaluate("plumblineReport.ready")
        self.wait_until_drawn()

    def wait_until_drawn(self):
        """Waits until no view is in flight and two more frames are drawn.

        The page's own policy forbids `wait_for_function`, which evaluates text.
        """
        self.page.evaluate("""async () => {
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          while (plumblineReport.isMoving) await frame();
          await frame();
          await frame();
        }""")

    def state(self, name):
        return self.page.evaluate(f"plumblineReport.{name}")

    def box(self, identifier):
        self.page.locator(f"#{identifier}").scroll_into_view_if_needed()
        return self.page.locator(f"#{identifier}").bounding_box()

    def position(self, kind, x, y):
        box = self.box("overlay" if kind == "overlayPoint" else "cloud")
        px, py = self.page.evaluate(f"([x, y]) => plumblineReport.{kind}(x, y)", [x, y])
        return box["x"] + px, box["y"] + py

    def text(self, identifier):
        return self.page.locator(f"#{identifier}").inner_text()

    def screenshot(self, folder, name, full=True):
        if not folder:
            return
        self.page.evaluate("scrollTo(0, 0)")
        self.page.screenshot(path=str(folder / f"{name}.png"), full_page=full)

    def close(self):
        self.context.close()
