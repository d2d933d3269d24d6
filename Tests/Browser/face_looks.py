"""What the page of a face says and how it is painted."""
from report_page import expect


def check_words(page, expected):
    expect(page.text("verdict-badge") == expected["badge"], page.text("verdict-badge"))
    headline = page.text("verdict-reason").replace("\u00a0", " ")
    expect(headline == expected["headline"], headline)
    expect(expected["title"] in page.page.title(), page.page.title())


def check_tables(page, expected):
    rows = page.page.locator("#lengths tr")
    expect(rows.count() == expected["lengths"], f"{rows.count()} lengths")
    for row in rows.all_inner_texts():
        expect("±" in row and "mm" in row, f"no ± in: {row}")
    expect(("usual size" in page.text("lengths-title")) == (not expected["isMeasured"]), page.text("lengths-title"))
    shown = page.page.locator("#regions tr").count()
    expect(shown == expected["regions"], f"{shown} regions")
    expect(page.page.locator("#regions-table").is_visible() == (shown > 0), "an empty table is shown")
    hidden = page.do("(() => { const { scrollWidth, clientWidth } = document.getElementById('regions-table');"
                     " return scrollWidth - clientWidth; })()")
    expect(hidden <= 1, f"{hidden} px of the table of regions are hidden")
    words = page.text("regions-words")
    expect(("Nothing was measured" in words) == (not expected["isMeasured"]), words)
    for name, there in (("landmarks", expected["hasPhoto"]), ("residual", expected["hasPhoto"] and expected["isMeasured"])):
        expect(page.page.locator(f"#figure-{name}").is_visible() == there, f"image of {name}")
        if there:
            width = page.do("(id) => document.getElementById(id).naturalWidth", f"image-{name}")
            expect(width > 0, f"the image of {name} is broken")


def check_paints(page, expected, folder):
    page.front()
    allowed = ["sigma", "plain"] + (["residual", "measured"] if expected["isMeasured"] else [])
    allowed += ["photo"] if expected["hasPhoto"] else []
    for paint in ("photo", "residual", "sigma", "measured", "plain"):
        enabled = page.page.locator(f"input[name=paint][value={paint}]").is_enabled()
        expect(enabled == (paint in allowed), f"{paint} is {'offered' if enabled else 'not offered'}")
    seen = {}
    for paint in allowed:
        page.choose(paint)
        expect(page.state("paint") == paint, f"{paint} was not chosen")
        seen[paint] = page.colors()
        legend = page.page.locator("#head-legend")
        # Parts that were added to the face have a legend in every paint.
        has_legend = paint in ("residual", "sigma", "measured") or "added" in expected
        expect(legend.is_visible() == has_legend, f"legend of {paint}")
        if paint in ("residual", "sigma"):
            expect("mm" in legend.inner_text(), f"no unit in: {legend.inner_text()}")
        if folder:
            page.page.locator("#stage").screenshot(path=str(folder / f"face-{paint}.png"))
    for paint, colors in seen.items():
        expect(len(set(colors)) > 12, f"{paint} has few colors")
        expect(sum(colors == other for other in seen.values()) == 1, f"{paint} looks like another")
    if expected["isMeasured"]:
        check_residual_colors(page, expected)


def check_residual_colors(page, expected):
    """Blue before what was measured, red behind it, gray where nothing was."""
    page.choose("residual")
    for vertex in expected["before"]:
        red, _, blue = page.color_at(vertex)
        expect(blue > red + 12, f"vertex {vertex} lies before its depth and is {(red, blue)}")
    for vertex in expected["behind"]:
        red, _, blue = page.color_at(vertex)
        expect(red > blue + 12, f"vertex {vertex} lies behind its depth and is {(red, blue)}")
    page.choose("measured")
    red, green, blue = page.color_at(expected["before"][0])
    expect(green > red + 40, f"a measured vertex is {(red, green, blue)}")


def check_width(page):
    width = page.do("document.documentElement.scrollWidth")
    expect(width <= page.page.viewport_size["width"], f"the page is {width} px wide")
    spilled = page.do("""() => [...document.querySelectorAll('button, .segments label, .expression, h1, h2')]
      .filter((node) => node.offsetParent && node.getBoundingClientRect().right > innerWidth + 1)
      .map((node) => node.textContent.trim().slice(0, 30))""")
    expect(not spilled, f"beyond the window: {spilled}")
    # Of a group of segments, none may be cut.
    cut = page.do("""() => [...document.querySelectorAll('.segments label')]
      .filter((node) => node.offsetParent && node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)""")
    expect(not cut, f"cut: {cut}")


def check_missing_webgl(page, expected):
    expect(page.page.locator("#head-missing").is_visible(), "no word about WebGL 2")
    expect(not page.page.locator("#expressions-panel").is_visible(), "sliders of nothing")
    expect(page.page.locator("#lengths tr").count() == expected["lengths"], "no lengths")
    expect(not page.complaints, f"console: {page.complaints[:3]}")
