"""The switch between the completed head and the face alone."""
from report_page import expect


def check_parts(page, expected):
    added = expected.get("added")
    if added is None:
        expect(page.page.locator("#shown").is_hidden(), "a switch without anything to switch")
        expect(not page.state("showsParts"), "parts are shown that are not there")
        return
    expect(page.page.locator("#shown").is_visible(), "no switch between head and face")
    expect(page.state("showsParts"), "the head is not shown at first")
    expect(page.state("shownTriangles") == added["triangles"], f"{page.state('shownTriangles')} triangles")
    expect(added["words"] in page.text("head-legend"), f"the legend says {page.text('head-legend')}")
    page.wait_until_drawn()
    head = page.colors()
    page.page.locator("input[name=shown][value=face]").check(force=True)
    page.wait_until_drawn()
    expect(page.state("shownTriangles") == added["faceTriangles"], "the face has other triangles")
    expect("not measured" not in page.text("head-legend"), "the legend speaks of parts that are not shown")
    page.page.keyboard.press("2")
    page.page.wait_for_function("!plumblineFace.isMoving")
    page.wait_until_drawn()
    behind = page.colors()
    page.page.locator("input[name=shown][value=head]").check(force=True)
    page.wait_until_drawn()
    expect(page.colors() != behind, "from behind, head and face look alike")
    page.page.keyboard.press("r")
    page.page.wait_for_function("!plumblineFace.isMoving")
    page.wait_until_drawn()
    expect(page.colors() == head, "the view did not come back")
