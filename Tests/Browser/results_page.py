"""The page of a batch opened in a browser, and a row of its table as it must be shown."""
import re

from report_page import expect

VIEWS = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 375, "height": 812}}
UNSAFE = re.compile("[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
CAMERAS = {"trueDepth": "TrueDepth", "dual": "dual camera", "dualWide": "dual wide camera", "lidar": "LiDAR",
           "stereo": "stereo camera"}
# What is shown in sight of the scroller, from the first row on.
IN_SIGHT = """
  () => {
    const frame = document.getElementById('scroller').getBoundingClientRect();
    return [...document.querySelectorAll('#rows > .row')]
      .filter((row) => row.getBoundingClientRect().top >= frame.top - 1)
      .map((row) => row.querySelector('.name').textContent);
  }
"""


class Row:
    """A row of the table, as the page is to show it."""

    def __init__(self, index, fields):
        self.index = index
        self.path = fields["path"]
        self.name = UNSAFE.sub("\ufffd", self.path.rsplit("/", 1)[-1])
        self.verdict = "failed" if fields["state"] == "failed" else fields["verdict"] or "done"
        measurable = self.verdict in ("measurable", "corrected")
        self.depth = float(fields["depth_sigma_mm"]) if measurable and fields["depth_sigma_mm"] else None
        camera = CAMERAS.get(fields["camera"], fields["camera"])
        self.device = ", ".join(filter(None, [fields["model"], camera])) if fields["model"] else (
            f"{camera}, model not named" if camera else "")
        self.findings = [word.split(":")[0] for word in fields["findings"].split()]


class Page:
    """The page in one window; remembers every request and complaint."""

    def __init__(self, browser, url, view, scheme):
        self.context = browser.new_context(viewport=VIEWS[view], color_scheme=scheme, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(url)
        self.page.evaluate("plumblineResults.ready")

    def names(self):
        """The names in sight, once what was scrolled to is drawn."""
        self.frame()
        return self.page.evaluate(IN_SIGHT)

    def frame(self):
        self.page.evaluate("async () => { for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); }")

    def shown(self):
        return int(self.page.locator("#shown").inner_text().split(" ")[0].replace(",", ""))

    def filter(self, **choices):
        """Chooses as a reader does, after clearing the other filters."""
        if self.page.locator("#clear").is_enabled():
            self.page.locator("#clear").click()
        for key, value in choices.items():
            if key == "text":
                self.page.locator("#filter-text").fill(value)
                self.page.wait_for_timeout(250)
            else:
                self.page.locator(f"#filter-{key}").select_option(value)

    def sort(self, key, direction):
        self.page.evaluate("([key, down]) => plumblineResults.page.table.sortBy(key, down)", [key, direction == "down"])


def expect_shown(page, rows, what):
    expect(page.shown() == len(rows), f"{what}: {page.shown()} shown, {len(rows)} expected")
    expected = [row.name for row in rows]
    found = page.names()
    expect(found == expected[:len(found)] and (found or not expected), f"{what}: {found[:3]}, not {expected[:3]}")
