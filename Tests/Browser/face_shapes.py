"""The mesh of a face's page and how its expressions move it, against the truth of the sample."""
import math

from report_page import expect, expect_close

# Deltas are rounded to the 32767th part of the largest one, positions to single precision.
MICROMETER = 1e-6


def check_mesh(page, expected):
    expect(page.state("hasHead"), "no head is drawn")
    weights = page.state("weights")
    expect(all(abs(a - b) < 1e-6 for a, b in zip(weights, expected["weights"])), f"weights {weights}")
    for vertex in expected["vertices"]:
        found = page.do("(index) => plumblineFace.vertex(index)", vertex["index"])
        off = math.dist(found, vertex["position"])
        expect(off < MICROMETER, f"vertex {vertex['index']} is {off} m off")
    area = page.state("area")
    for name in ("whole", "measured"):
        # Areas of single-precision positions; 0 where nothing was measured.
        expect(abs(area[name] - expected["area"][name]) <= 1e-5 * expected["area"]["whole"],
               f"{name} area {area[name]}, expected {expected['area'][name]}")
    truth = expected["distance"]
    found = page.do("([a, b]) => plumblineFace.distance(a, b)", [truth["a"], truth["b"]])
    expect_close(found["value"], truth["value"], 1e-5, "distance")
    expect_close(found["sigma"], truth["sigma"], 1e-4, "± of the distance")


def slider(page, name):
    return page.page.locator(f"input[data-name={name}]")


def check_sliders(page, expected):
    do = page.do
    do("document.querySelectorAll('details.expressions').forEach((group) => { group.open = true; })")
    expect(page.page.locator("input[data-name]").count() == len(expected["weights"]), "a slider for each shape")
    for name in expected["missing"]:
        expect(slider(page, name).is_disabled(), f"{name} can be moved")
        why = do("(name) => document.querySelector(`[data-name=${name}]`).getAttribute('aria-describedby')", name)
        expect("no such shape" in page.text(why), "no reason why a slider is off")
    page.page.locator("#at-rest").click()
    expect(all(weight == 0 for weight in page.state("weights")), "“At rest” leaves weights")
    expect(page.page.locator("#at-rest").get_attribute("aria-pressed") == "true", "“At rest” is not pressed")
    jaw = expected["jawOpen"]
    rest = do("(index) => plumblineFace.vertex(index)", jaw["vertex"])
    page.wait_until_drawn()
    before = page.colors()
    slider(page, "jawOpen").focus()
    for _ in range(30):
        page.page.keyboard.press("ArrowRight")
    page.wait_until_drawn()
    expect(abs(page.state("weights")[jaw["target"]] - 1) < 1e-9, "the keyboard does not reach 1")
    moved = do("(index) => plumblineFace.vertex(index)", jaw["vertex"])
    off = math.dist(moved, [a + b for a, b in zip(rest, jaw["way"])])
    expect(off < MICROMETER, f"the chin is {off} m off")
    expect(page.colors() != before, "the image does not follow the slider")
    page.page.locator("#as-photo").click()
    expect(all(abs(a - b) < 1e-6 for a, b in zip(page.state("weights"), expected["weights"])), "not as in the photo")
    expect(page.page.locator("#as-photo").get_attribute("aria-pressed") == "true", "“As in the photo” is not pressed")
    names = do("[...document.querySelectorAll('input[data-name]')].map((i) => i.getAttribute('aria-label'))")
    expect(len(set(names)) == len(names) and all(names), f"sliders have no names of their own: {names}")
    slider(page, "jawOpen").fill("0.8")
    page.wait_until_drawn()
