#!/usr/bin/env python3
"""Opens the page of a batch in Chromium and compares it with the table beside it.

    test_results.py RESULTS.html EXPECTED.json [SCREENSHOT-FOLDER]

EXPECTED.json: {"headline"}. `results.csv` beside the page tells, read by Python's csv module, what it must show.

Needs Playwright for Python; the browser is CHROMIUM or /usr/bin/chromium. Prints one line for each
check and "N passed, N failed"; exits 0 if none failed, 1 if one did, 75 if there is no browser.
"""
import collections
import csv
import json
import pathlib
import shutil
import sys
import tempfile

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

import chromium
from report_page import Checks, expect
from results_page import Page, Row, expect_shown

# Rows of a window and its margins, whatever the number of captures.
MOST_DRAWN = 40
MOST_ELEMENTS = 4000
TOO_WIDE = """
  () => [...document.querySelectorAll('body *:not(svg *):not(script):not(.sprite)')]
    .filter((element) => !element.closest('.unseen, [hidden]') && getComputedStyle(element).visibility !== 'hidden'
      && element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.tagName + '.' + element.className + ': ' + element.textContent.slice(0, 40))
"""
DRAWN = """
  () => [...document.querySelectorAll('#rows > .row')].map((row) => [
    Number(row.getAttribute('aria-rowindex')) - 2, row.querySelector('.name').textContent])
"""


def check_answers(page, rows, expected):
    expect(page.page.locator("h1").inner_text() == expected["headline"], page.page.locator("h1").inner_text())
    counts = collections.Counter(row.verdict for row in rows)
    found = {button.get_attribute("data-verdict"): int(button.locator(".value").inner_text().replace(",", ""))
             for button in page.page.locator("#counts button").all()}
    expect(found == dict(counts), f"{found}, not {dict(counts)}")
    figures = page.page.locator("#accuracy figure")
    expect(figures.count() in (0, 2), f"{figures.count()} figures")
    if figures.count():
        shown = sum(int(text.replace(",", "")) for text in figures.first.locator(".strip .soft").all_text_contents())
        known = sum(row.depth is not None for row in rows)
        expect(shown == known, f"{shown} captures in the figure, {known} have a ± of depth")


def check_findings(page, rows):
    counts = collections.Counter(code for row in rows for code in set(row.findings))
    listed = {item.locator("code").text_content(): int(item.locator(".count-of").text_content().replace(",", ""))
              for item in page.page.locator("#findings-list > li").all()}
    expect(listed == dict(counts), f"{listed}, not {dict(counts)}")
    if not counts:
        return
    first = page.page.locator("#findings-list > li").first
    first.locator("summary").click()
    code = first.locator("code").inner_text()
    expect("Means" in first.inner_text(), "a finding without its meaning")
    first.locator("button").click()
    expect_shown(page, [row for row in rows if code in row.findings], code)
    expect(page.page.evaluate("document.activeElement.id") == "grid", "the table has not the focus")


def check_few_elements(page, rows):
    for place in (0, 0.5, 1):
        page.page.evaluate("(p) => { const s = document.getElementById('scroller'); s.scrollTop = p * s.scrollHeight; }",
                           place)
        page.frame()
        drawn = page.page.evaluate(DRAWN)
        expect(0 < len(drawn) <= MOST_DRAWN, f"{len(drawn)} rows are elements")
        for index, name in drawn:
            expect(name == rows[index].name, f"row {index}: {name}, not {rows[index].name}")
        elements = page.page.evaluate("document.querySelectorAll('*').length")
        expect(elements < MOST_ELEMENTS, f"{elements} elements")
    expect(drawn[-1][0] == len(rows) - 1, f"the end is row {drawn[-1][0]}")


def check_sorting(page, rows):
    page.filter()
    known = [row for row in rows if row.depth is not None]
    unknown = [row for row in rows if row.depth is None]
    for direction, sign in (("up", 1), ("down", -1)):
        page.sort("depth", direction)
        # The page has the numbers in single precision.
        ordered = sorted(known, key=lambda row: sign * row.depth)
        found = page.names()
        expect(found == [row.name for row in ordered + unknown][:len(found)], f"{direction}: {found[:3]}")
        expect(page.page.locator("[data-key=depth]").get_attribute("aria-sort")
               == {"up": "ascending", "down": "descending"}[direction], "aria-sort")
    page.page.evaluate("(s => s.scrollTop = s.scrollHeight)(document.getElementById('scroller'))")
    page.frame()
    if unknown:
        expect(page.page.evaluate(DRAWN)[-1][1] == unknown[-1].name, "unknown is not last")
    page.sort("path", "up")


def check_head_buttons(page, rows):
    """Each column sorts by its head, without a mouse."""
    for button in page.page.locator("#head button").all():
        button.focus()
        page.page.keyboard.press("Enter")
        head = button.locator("xpath=..")
        expect(head.get_attribute("aria-sort") in ("ascending", "descending"), head.inner_text())
    expect(page.page.locator("#head [aria-sort=ascending], #head [aria-sort=descending]").count() == 1, "two columns")
    page.sort("path", "up")
    expect_shown(page, rows, "sorted by name again")


def check_filters(page, rows):
    for verdict in sorted({row.verdict for row in rows}):
        page.filter(verdict=verdict)
        expect_shown(page, [row for row in rows if row.verdict == verdict], verdict)
    for device in sorted({row.device for row in rows if row.device})[:4]:
        page.filter(device=device)
        expect_shown(page, [row for row in rows if row.device == device], device)
    page.filter(text="img_0000 SESSION-0")
    expect_shown(page, [row for row in rows if "img_0000" in row.path.lower() and "session-0" in row.path.lower()],
                 "text")
    page.filter(text="no such text")
    expect(page.shown() == 0 and page.page.locator("#none").is_visible(), "what was not found is not said")
    page.page.locator("#clear").click()
    expect(page.shown() == len(rows), "the filters are not cleared")
    failures = page.page.locator("#filter-failure option").all()[1:]
    if failures:
        page.filter(failure=failures[0].get_attribute("value"))
        expect(str(page.shown()) in failures[0].inner_text().replace(",", ""), failures[0].inner_text())
    page.filter()


def check_keyboard(page, rows):
    page.filter()
    page.page.locator("#clear").focus()
    for _ in range(20):
        page.page.keyboard.press("Tab")
        if page.page.evaluate("document.activeElement.id") == "grid":
            break
    expect(page.page.evaluate("document.activeElement.id") == "grid", "Tab does not lead to the table")

    def active():
        page.frame()
        return page.page.evaluate(
            "document.getElementById(document.getElementById('grid').getAttribute('aria-activedescendant'))"
            "?.querySelector('.name').textContent")
    for key, index in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", len(rows) - 1), ("Home", 0)):
        page.page.keyboard.press(key)
        index = max(0, min(len(rows) - 1, index))
        expect(active() == rows[index].name, f"{key}: {active()}, not {rows[index].name}")
    page.page.keyboard.press("PageDown")
    expect(len(rows) < 3 or active() != rows[0].name, "Page down does not move")
    name = active()
    page.page.keyboard.press("Enter")
    dialog = page.page.locator("#details")
    expect(dialog.is_visible(), "Enter does not open the details")
    expect(page.page.locator("#details-title").text_content() == name, "of another capture")
    page.page.keyboard.press("Escape")
    expect(not dialog.is_visible(), "Escape does not close the details")
    expect(page.page.evaluate("document.activeElement.id") == "grid", "the focus is lost")


def check_names_for_readers(page, rows):
    grid = page.page.get_by_role("grid", name="Captures")
    expect(grid.count() == 1, "no grid with a name")
    expect(int(grid.get_attribute("aria-rowcount")) == len(rows) + 1, "aria-rowcount")
    for label in ("Text in name, device or reason", "Verdict", "Device", "Finding"):
        expect(page.page.get_by_label(label, exact=True).count() >= 1, f"no control is called {label}")
    expect(page.page.get_by_role("status").count() == 1, "no status")
    nameless = page.page.evaluate("""() => [...document.querySelectorAll('button, a, input, select')]
      .filter((node) => !(node.textContent.trim() || node.getAttribute('aria-label') || node.labels?.length))
      .map((node) => node.outerHTML.slice(0, 80))""")
    expect(not nameless, nameless[:3])


def check_harmless(page):
    expect(page.page.evaluate("window.pwned === undefined"), "a name ran as a script")
    expect(page.page.locator("main b, main iframe, main script").count() == 0, "a name became markup")
    wrong = page.page.evaluate("""() => [...document.querySelectorAll('img')]
      .map((image) => image.getAttribute('src')).filter((src) => !src.startsWith('thumbnails/'))""")
    expect(not wrong, f"images of {wrong[:3]}")


def check_link(page, rows):
    done = next((row for row in rows if row.verdict == "measurable"), None)
    if done is None:
        return
    page.filter(verdict="measurable")
    page.page.locator("#rows .row").first.click()
    link = page.page.locator("#details .capture-links a")
    expect(link.get_attribute("href").startswith("captures/IMG_"), link.get_attribute("href"))
    page.page.locator("#details-close").click()
    page.filter()


def check_theme(page):
    def color():
        return page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    before = color()
    page.page.locator("#theme").click()
    expect(before != color(), "the colors stay")
    page.page.locator("#theme").click()


def check_view(checks, browser, path, rows, expected, view, scheme, folder):
    page = Page(browser, path.as_uri(), view, scheme)
    where = f"{view}, {scheme}"
    checks.run(f"{where}: answers, counts and figures", lambda: check_answers(page, rows, expected))
    if rows:
        checks.run(f"{where}: few rows are elements, from the first to the last", lambda: check_few_elements(page, rows))
        checks.run(f"{where}: sorting", lambda: check_sorting(page, rows))
        checks.run(f"{where}: filters", lambda: check_filters(page, rows))
        checks.run(f"{where}: findings lead to the table", lambda: check_findings(page, rows))
        checks.run(f"{where}: keyboard", lambda: check_keyboard(page, rows))
        checks.run(f"{where}: names for screen readers", lambda: check_names_for_readers(page, rows))
        checks.run(f"{where}: details link to the report", lambda: check_link(page, rows))
        if view == "desktop":
            checks.run(f"{where}: heads of columns", lambda: check_head_buttons(page, rows))
    checks.run(f"{where}: nothing is wider than the window",
               lambda: expect(not (found := page.page.evaluate(TOO_WIDE)), found[:3]))
    checks.run(f"{where}: names are text", lambda: check_harmless(page))
    checks.run(f"{where}: the button changes the colors", lambda: check_theme(page))
    allowed = (path.as_uri(), (path.parent / "results-data.js").as_uri())
    outside = [r for r in page.requests if r not in allowed and not r.startswith("data:") and "/thumbnails/" not in r]
    checks.run(f"{where}: no other request, no complaint",
               lambda: expect(not outside and not page.complaints, f"{outside[:3]} {page.complaints[:3]}"))
    if folder:
        page.page.evaluate("scrollTo(0, 0)")
        page.page.screenshot(path=str(folder / f"{view}-{scheme}.png"), full_page=True)
    page.context.close()


def check_without_rows(browser, path):
    """The page without its rows says what is missing, and still answers."""
    with tempfile.TemporaryDirectory() as folder:
        alone = pathlib.Path(shutil.copy(path, folder))
        page = browser.new_page()
        page.goto(alone.as_uri())
        page.locator("#problem").wait_for(state="visible")
        expect("results-data.js" in page.locator("#problem").inner_text(), page.locator("#problem").inner_text())
        expect(page.locator("h1").inner_text(), "no answer")
        page.close()


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 64
    if reason := chromium.missing():
        print(reason)
        return chromium.CANNOT_RUN
    path = pathlib.Path(sys.argv[1]).resolve()
    expected = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with open(path.parent / "results.csv", newline="", encoding="utf-8") as file:
        rows = [Row(index, fields) for index, fields in enumerate(csv.DictReader(file))]
    checks = Checks()
    with chromium.opened(["--no-sandbox"]) as browser:
        for view, scheme in (("desktop", "light"), ("phone", "dark")):
            check_view(checks, browser, path, rows, expected, view, scheme, folder)
        if (path.parent / "results-data.js").exists():
            checks.run("a page without its rows says so", lambda: check_without_rows(browser, path))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
