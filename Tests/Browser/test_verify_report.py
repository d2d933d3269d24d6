#!/usr/bin/env python3
"""Opens the report of `verify` or `calibrate` in Chromium and checks what a reader would see.

    test_verify_report.py REPORT.html EXPECTED.json [SCREENSHOT-FOLDER]

EXPECTED.json: {"title", "badge", "figures": [headings], "numbers": how many key numbers}.

Needs Playwright for Python; the browser is CHROMIUM or /usr/bin/chromium. Prints one line for each
check and "N passed, N failed"; exits 0 if none failed, 1 if one did, 75 if there is no browser.
"""
import html.parser
import json
import pathlib
import sys

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

import chromium
from report_page import Checks, expect

VIEWS = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
VOID = {"meta", "link", "br", "img", "input", "hr"}
# Text of a figure that leaves its drawing, or touches another text of it.
MISPLACED_TEXT = """
  () => {
    const found = [];
    for (const figure of document.querySelectorAll('svg.figure')) {
      const frame = figure.getBoundingClientRect();
      const boxes = [...figure.querySelectorAll('text')].map((text) =>
        [text.textContent, text.getBoundingClientRect()]);
      boxes.forEach(([words, box], index) => {
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
            || box.bottom > frame.bottom + 1) found.push(`outside: ${words}`);
        for (const [others, other] of boxes.slice(index + 1)) {
          const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
          const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
          // A third of a line is the space above and below letters.
          if (across > 1 && down > box.height / 3) found.push(`${words} | ${others}`);
        }
      });
    }
    return found;
  }
"""
# Elements whose text is wider than they are, or that reach beyond the window.
TOO_WIDE = """
  () => [...document.querySelectorAll('body *:not(svg *):not(script):not(.sprite)')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1
      || (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
          && getComputedStyle(element).overflow !== 'hidden'
          && getComputedStyle(element).display !== 'inline'))
    .map((element) => element.tagName + '.' + element.className + ': ' + element.textContent.slice(0, 40))
"""


class Elements(html.parser.HTMLParser):
    """Notes each end without its start."""

    def __init__(self):
        super().__init__()
        self.open, self.complaints = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.complaints.append(f"</{tag}> at line {self.getpos()[0]}")


def check_form(text):
    elements = Elements()
    elements.feed(text)
    elements.close()
    expect(not elements.complaints and not elements.open,
           f"{elements.complaints[:3]} {elements.open}")


def check_content(page, expected):
    expect(expected["title"] in page.title(), page.title())
    expect(page.locator(".file").inner_text() == expected["title"], "another title is shown")
    expect(page.locator(".badge").inner_text().strip() == expected["badge"], "another verdict")
    headings = page.locator("figure h2").all_inner_texts()
    expect(headings == expected["figures"], f"figures: {headings}")
    expect(page.locator(".number").count() == expected["numbers"], "numbers are missing")
    expect(all(text.strip() for text in page.locator("figcaption").all_inner_texts()),
           "a figure without words")
    for figure in page.locator("svg.figure").all():
        box = figure.bounding_box()
        expect(box["width"] > 200 and box["height"] > 80, f"a figure of {box}")
        expect(figure.locator("*").count() > 2, "an empty figure")
    json.loads(page.locator("#plumbline-document").inner_text())


def check_harmless(page):
    expect(page.evaluate("window.pwned === undefined"), "a name ran as a script")
    expect(page.locator("main img, main iframe, main script").count() == 0, "a name became markup")


def check_theme(page):
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    expect(before != after, "the colors stay")
    page.locator("#theme").click()


def check_view(checks, browser, url, expected, name, scheme, folder):
    context = browser.new_context(viewport=VIEWS[name], color_scheme=scheme)
    page = context.new_page()
    requests, complaints = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    where = f"{name}, {scheme}"
    checks.run(f"{where}: verdict, numbers and figures are there",
               lambda: check_content(page, expected))
    checks.run(f"{where}: no text leaves its place",
               lambda: expect(not (found := page.evaluate(TOO_WIDE)), found[:3]))
    checks.run(f"{where}: no text of a figure meets another",
               lambda: expect(not (found := page.evaluate(MISPLACED_TEXT)), found[:3]))
    checks.run(f"{where}: names are text", lambda: check_harmless(page))
    checks.run(f"{where}: the button changes the colors", lambda: check_theme(page))
    outside = [r for r in requests if r != url and not r.startswith("data:")]
    checks.run(f"{where}: no request, no complaint",
               lambda: expect(not outside and not complaints, f"{outside[:3]} {complaints[:3]}"))
    if folder:
        page.screenshot(path=str(folder / f"{name}-{scheme}.png"), full_page=True)
    context.close()


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 64
    if reason := chromium.missing():
        print(reason)
        return chromium.CANNOT_RUN
    report = pathlib.Path(sys.argv[1]).resolve()
    expected = json.loads(pathlib.Path(sys.argv[2]).read_text())
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    checks.run("every element ends where it should", lambda: check_form(report.read_text()))
    with chromium.opened(["--no-sandbox"]) as browser:
        for name, scheme in (("desktop", "light"), ("phone", "dark")):
            check_view(checks, browser, report.as_uri(), expected, name, scheme, folder)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
