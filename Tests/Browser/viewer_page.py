"""The viewer opened in a browser; remembers every request and complaint."""
import time
from urllib.parse import urlsplit

from report_page import expect

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
# A loaded machine may draw an image only every second.
PATIENCE_SECONDS = 30


class ViewerPage:
    def __init__(self, browser, url, viewport=None, init=None, **options):
        self.url = url
        self.context = browser.new_context(viewport=viewport or DESKTOP, **options)
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on(
            "console",
            lambda message: self.complaints.append(message.text)
            if message.type in ("error", "warning") and "GPU stall" not in message.text
            and "willReadFrequently" not in message.text
            else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if init:
            self.page.add_init_script(init)
        self.page.goto(url)
        self.begin()
        self.wait_until_drawn()

    def begin(self):
        """Waits until the page can be used."""
        self.page.evaluate("plumblineViewer.ready")
        self.page.evaluate("plumblineViewer.spaceReady")

    def wait_until_drawn(self):
        """Two more frames are drawn."""
        self.page.evaluate("""async () => {
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          await frame();
          await frame();
        }""")

    def until(self, expression, what, argument=None):
        """The page's own policy forbids `wait_for_function`, which evaluates text."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            found = self.page.evaluate(expression, argument)
            if found:
                return found
            self.page.wait_for_timeout(50)
        raise AssertionError(f"waited {PATIENCE_SECONDS} s in vain: {what}; the console says {self.complaints[-3:]}")

    def state(self, name):
        return self.page.evaluate(f"plumblineViewer.{name}")

    def probe(self, x, y):
        return self.page.evaluate("([x, y]) => plumblineViewer.probe(x, y)", [x, y])

    def position(self, x, y):
        """Where a pixel of the map lies in the window."""
        self.page.locator("#overlay").scroll_into_view_if_needed()
        box = self.page.locator("#overlay").bounding_box()
        px, py = self.page.evaluate("([x, y]) => plumblineViewer.overlayPoint(x, y)", [x, y])
        return box["x"] + px, box["y"] + py

    def drag(self, start, end):
        self.page.mouse.move(*self.position(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.position(*end), steps=5)
        self.page.mouse.up()

    def choose(self, name, value):
        """A button of a row of them; clicked again, as a reader would, where the page moved under the click."""
        button = self.page.locator(f"input[name={name}][value={value}]")
        for _ in range(3):
            self.page.locator(f"input[name={name}][value={value}] + span").click()
            if button.is_checked():
                return
        raise AssertionError(f"{name} cannot be set to {value}; the console says {self.complaints[-3:]}")

    def color_at(self, x, y):
        """What the image shows at a pixel of the map, drawn anew."""
        self.wait_until_drawn()
        return self.page.evaluate("""([x, y]) => {
          const canvas = document.getElementById('overlay');
          const [px, py] = plumblineViewer.overlayPoint(x, y);
          const ratio = canvas.width / canvas.clientWidth;
          return [...canvas.getContext('2d').getImageData(
            Math.round(px * ratio), Math.round(py * ratio), 1, 1).data].slice(0, 3);
        }""", [x, y])

    def text(self, identifier):
        return self.page.locator(f"#{identifier}").inner_text()

    def sees(self, selector):
        return self.page.locator(selector).first.is_visible()

    def expect_quiet(self, allowed=()):
        host = urlsplit(self.url).netloc
        outside = [r for r in self.requests
                   if not r.startswith(("data:", "blob:")) and urlsplit(r).netloc != host]
        expect(not outside, f"requests to other hosts: {outside[:3]}")
        found = [c for c in self.complaints if not any(word in c for word in allowed)]
        expect(not found, f"console: {found[:3]}")

    def expect_width(self):
        width = self.page.evaluate("document.documentElement.scrollWidth")
        expect(width <= self.page.viewport_size["width"], f"the page is {width} px wide")

    def expect_names(self):
        """Everything that can be used has a name for those who do not see it."""
        nameless = self.page.evaluate("""() => {
          const named = (node) => node.getAttribute('aria-label') || node.textContent.trim() || node.title ||
            node.labels?.length || node.getAttribute('aria-labelledby');
          return [...document.querySelectorAll('button, a[href], input, select, summary, canvas[tabindex], [role=img]')]
            .filter((node) => node.checkVisibility() && !node.closest('[aria-hidden=true]') && !named(node))
            .map((node) => node.outerHTML.slice(0, 80));
        }""")
        expect(not nameless, f"without a name: {nameless}")

    def screenshot(self, folder, name, full=True):
        if folder:
            self.page.evaluate("scrollTo(0, 0)")
            self.wait_until_drawn()
            self.page.screenshot(path=str(folder / f"{name}.png"), full_page=full)

    def close(self):
        self.context.close()
