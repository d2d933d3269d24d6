"""The page of a face opened in a browser."""
from report_page import expect

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


class FacePage:
    """The page opened in one browser context; remembers every request and complaint."""

    def __init__(self, browser, url, viewport, init=None, **options):
        self.context = browser.new_context(viewport=viewport, reduced_motion="reduce", **options)
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text)
                     if message.type in ("error", "warning") and "GPU stall" not in message.text
                     else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if init:
            self.page.add_init_script(init)
        self.page.goto(url)
        self.page.evaluate("plumblineFace.ready")
        self.wait_until_drawn()

    def wait_until_drawn(self):
        """Waits until no view is in flight and two more frames are drawn."""
        self.page.evaluate("""async () => {
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          while (plumblineFace.isMoving) await frame();
          await frame();
          await frame();
        }""")

    def do(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def state(self, name):
        return self.page.evaluate(f"plumblineFace.{name}")

    def text(self, identifier):
        return self.page.locator(f"#{identifier}").inner_text()

    def box(self):
        self.page.locator("#head").scroll_into_view_if_needed()
        return self.page.locator("#head").bounding_box()

    def position(self, vertex):
        """Where a vertex is seen, in CSS pixels of the window."""
        box = self.box()
        x, y = self.do("(vertex) => plumblineFace.canvasPoint(vertex)", vertex)
        return box["x"] + x, box["y"] + y

    def front(self):
        self.page.locator("#head").focus()
        self.page.keyboard.press("1")
        self.wait_until_drawn()

    def choose(self, paint):
        choice = self.page.locator(f"input[name=paint][value={paint}]")
        choice.focus()
        self.page.locator(f"label:has(input[value={paint}])").click()
        self.wait_until_drawn()

    def colors(self):
        """The canvas in steps of 37 pixels; as one text from the page, since Playwright makes an object of each number."""
        return self.do("""() => {
          const canvas = document.getElementById('head');
          const copy = document.createElement('canvas');
          Object.assign(copy, { width: canvas.width, height: canvas.height });
          const context = copy.getContext('2d');
          context.drawImage(canvas, 0, 0);
          const { data } = context.getImageData(0, 0, copy.width, copy.height);
          const colors = [];
          for (let i = 0; i < data.length; i += 4 * 37) colors.push(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
          return colors.join();
        }""").split(",")

    def color_at(self, vertex):
        """The color drawn at a vertex."""
        return self.do("""(vertex) => {
          const canvas = document.getElementById('head');
          const copy = document.createElement('canvas');
          Object.assign(copy, { width: canvas.width, height: canvas.height });
          const context = copy.getContext('2d');
          context.drawImage(canvas, 0, 0);
          const [x, y] = plumblineFace.canvasPoint(vertex).map((side) => side * canvas.width / canvas.clientWidth);
          return [...context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data].slice(0, 3);
        }""", vertex)

    def expect_quiet(self, url):
        outside = [r for r in self.requests if r != url and not r.startswith(("data:", "blob:"))]
        expect(not outside, f"requests were made: {outside[:3]}")
        expect(not self.complaints, f"console: {self.complaints[:3]}")

    def screenshot(self, folder, name):
        if folder:
            self.page.evaluate("scrollTo(0, 0)")
            self.page.screenshot(path=str(folder / f"face-{name}.png"), full_page=True)

    def close(self):
        self.context.close()
