"""Checks of the viewer with photos and recordings whose every value is known."""
import json
import math

from report_page import expect, expect_close
from viewer_mock import FRAMES, LOST, LOST_AFTER, VIEWER, MockServer
from viewer_page import PHONE, ViewerPage
from viewer_truth import FRAME_SECONDS

# What a page may weigh before any capture.
PAGE_BYTES = 300_000
# Jet from red to blue, as Apple's sample colors near and far.
NEAR_RED, FAR_BLUE = (128, 0, 0), (0, 0, 128)


def check_probes(viewer, truth, frame=0):
    depth = truth.depth(frame)
    sigma = truth.sigma(depth)
    left, top, right, bottom = truth.box(frame)
    for x, y in ((left + 5, top + 5), (right + 3, top), (truth.width - 1, truth.height - 1), (right, bottom)):
        found = viewer.probe(x, y)
        expect_close(found["depth"], float(depth[y, x]), 1e-6, f"depth at ({x}, {y})")
        if truth.has_maps:
            expect_close(found["sigma"], float(sigma[y, x]), 1e-6, f"sigma at ({x}, {y})")
            stored = float(found["stored"].split("\u00a0")[0])
            expect_close(stored, float(1 / depth[y, x]), 1e-4, f"stored value at ({x}, {y})")
            expect(found["stored"].endswith("1/m"), f"unit of {found['stored']}")
            expect(found["confidence"] == x * 3 // truth.width, f"confidence {found['confidence']}")
    expect(viewer.probe(*truth.hole)["depth"] is None, "a hole reads a depth")


def check_reading(viewer, truth):
    """A click, and a hover."""
    page = viewer.page
    left, top, _, _ = truth.box()
    x, y = left + 30, top + 20
    page.mouse.click(*viewer.place(x, y))
    points = viewer.state("points")
    expect(len(points) == 1, f"{len(points)} points after a click")
    expect(math.dist((points[0]["x"], points[0]["y"]), (x, y)) < 1.5, f"clicked {points[0]}")
    text = viewer.text("readout-points")
    for word in ("500.0", "±", "mm", "pixel", "stored 2\u00a01/m", "confidence"):
        expect(word in text, f"{word} is not in: {text}")
    expect("depth" in viewer.text("announcement"), "the reading is not announced")
    page.mouse.move(*viewer.place(truth.width - 20, 40))
    viewer.settle()
    expect(page.evaluate("plumblineViewer.viewer.probe.hover.depth") > 1, "hovering reads nothing")
    page.keyboard.press("Escape")
    expect(viewer.state("points") == [], "Escape leaves the marks")


def check_modes(viewer, truth):
    """Color, blend and depth read back from the canvas."""
    x, y = truth.width - 40, 60
    color = [int(value) for value in truth.color()[y, x]]
    viewer.choose("picture-mode", "color")
    near = all(abs(a - b) <= 12 for a, b in zip(viewer.color_at(x, y), color))
    expect(near, f"color shows {viewer.color_at(x, y)}, the photo is {color}")
    viewer.choose("picture-mode", "depth")
    depth = viewer.page.evaluate("([x, y]) => plumblineViewer.depthColor(x, y)", [x, y])[:3]
    # A pixel of the screen may belong to the next one of the map.
    near = all(abs(a - b) <= 6 for a, b in zip(viewer.color_at(x, y), depth))
    expect(near, f"depth shows {viewer.color_at(x, y)}, the map says {depth}")
    viewer.page.locator("#blend").evaluate(
        "(input) => { input.value = 50; input.dispatchEvent(new Event('input')); }")
    expect(viewer.state("state")["mode"] == "blend", "the slider does not blend")
    half = [(a + b) / 2 for a, b in zip(color, depth)]
    near = all(abs(a - b) <= 8 for a, b in zip(viewer.color_at(x, y), half))
    expect(near, f"blend shows {viewer.color_at(x, y)}, expected {half}")


def check_maps(viewer, truth):
    """Each map's ends, and the range fixed, typed and automatic."""
    page = viewer.page
    left, top, _, _ = truth.box()
    page.locator("#near-value").fill("0.5")
    page.locator("#far-value").fill("1.0")
    page.locator("#far-value").press("Enter")
    expect(viewer.state("range") == [0.5, 1.0], f"typed range {viewer.state('range')}")
    expect(not viewer.state("state")["isAutomatic"], "a typed range is still automatic")
    near, far = [left + 5, top + 5], [truth.width - 1, 5]

    def colors():
        return [tuple(page.evaluate("([x, y]) => plumblineViewer.depthColor(x, y)", place)[:3])
                for place in (near, far)]

    viewer.choose("map", "jet")
    expect(colors() == [NEAR_RED, FAR_BLUE], f"jet from near to far: {colors()}")
    viewer.choose("map", "gray")
    expect(colors() == [(255, 255, 255), (0, 0, 0)], f"gray from near to far: {colors()}")
    page.locator("#map-reversed").check()
    expect(colors() == [(0, 0, 0), (255, 255, 255)], f"swapped gray: {colors()}")
    page.locator("#map-reversed").uncheck()
    viewer.choose("map", "viridis")
    expect(colors()[0][0] > 240 and colors()[1][0] < 80, f"viridis from near to far: {colors()}")
    viewer.choose("map", "turbo")
    handle = page.locator("#range-near")
    handle.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(viewer.state("range")[0] > 0.5, "the handle does not move the near end")
    expect(viewer.state("range")[1] == 1.0, "the far end moved too")
    viewer.choose("range-mode", "automatic")
    low, high = viewer.state("range")
    expect(low < 0.5 and high > 1.2, f"automatic range {low} to {high}")


def check_equalized(viewer):
    """Each color covers as much of the picture: the ranks of all pixels are spread evenly."""
    viewer.choose("map", "gray")
    spread = """() => {
      const pixels = plumblineViewer.viewer.picture.colorPixels.data;
      const counts = new Uint32Array(8);
      let total = 0;
      for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3]) { counts[pixels[i] >> 5]++; total++; }
      return Math.max(...counts) / total;
    }"""
    plain = viewer.page.evaluate(spread)
    viewer.page.locator("#map-equalized").check()
    even = viewer.page.evaluate(spread)
    viewer.page.locator("#map-equalized").uncheck()
    viewer.choose("map", "turbo")
    # Eight equal shares would be 0.125; rounding of ranks moves a few.
    expect(even < 0.14 < plain, f"the fullest eighth holds {even:.3f}, {plain:.3f} before")


def check_layers(viewer, truth):
    page = viewer.page
    viewer.choose("picture-mode", "color")
    page.locator("#layers summary").click()
    left, top, right, bottom = truth.box()
    inside = (left + 20, top + 20)
    before = viewer.color_at(*inside)
    page.locator("input[data-matte=portrait]").check()
    expect(viewer.color_at(*inside) != before, "the matte is not drawn")
    page.locator("input[data-matte=portrait]").uncheck()
    expect(viewer.color_at(*inside) == before, "the matte does not go")
    page.locator("#show-edges").check()
    red, green, blue = viewer.color_at(left, (top + bottom) // 2)
    expect(red < 120 and green > 150 and blue > 150, f"no edge at the box: {red, green, blue}")
    border = 2 * (right - left + 1) + 2 * (bottom - top - 1)
    expect(viewer.state("edgeCount") == border, f"{viewer.state('edgeCount')} edge pixels, the box has {border}")
    page.locator("#show-edges").uncheck()
    viewer.choose("picture-mode", "depth")
    page.locator("#layers summary").click()
    low = viewer.color_at(20, truth.height - 20)
    page.locator("#show-confidence").uncheck()
    expect(sum(viewer.color_at(20, truth.height - 20)) > sum(low), "low confidence is not dimmed")
    page.locator("#show-confidence").check()
    page.keyboard.press("Escape")
    page.mouse.click(5, 5)
    expect(not viewer.sees(".menu-box"), "the menu stays open")


def check_profiles(viewer, truth):
    depth = truth.depth()
    left, top, right, bottom = truth.box()
    viewer.choose("tool", "line")
    viewer.drag((left - 40, top + 30), (right + 40, top + 30))
    profile = viewer.state("profile")
    expect(len(profile["samples"]) > right - left, f"{len(profile['samples'])} samples on the line")
    for sample in profile["samples"]:
        expect_close(sample["depth"], float(depth[sample["y"], sample["x"]]), 1e-6, f"line at {sample['x']}")
    expect(viewer.sees("#profile-plot .curve"), "no curve is drawn")
    expect("px" in viewer.text("profile-numbers"), viewer.text("profile-numbers"))
    titles = viewer.page.locator("#profile-plot .title").all_text_contents()
    expect(len(titles) == 2 and all("," in title for title in titles), f"axes without units: {titles}")
    viewer.choose("tool", "area")
    viewer.drag((4, 4), (truth.hole[0] * 2 + 59, truth.hole[1] * 2 + 29))
    area = viewer.state("profile")
    part = depth[area["top"]:area["bottom"] + 1, area["left"]:area["right"] + 1]
    known = part[part > 0]
    import numpy
    median = float(numpy.median(known.astype(float)))
    spread = 1.4826 * float(numpy.median(numpy.abs(known.astype(float) - median)))
    expect(0 < area["fill"] < 1, f"filled {area['fill']}")
    expect_close(area["fill"], known.size / part.size, 1e-9, "share that is filled")
    expect_close(area["median"], median, 1e-9, "median of the area")
    expect_close(area["spread"], spread, 1e-9, "spread of the area")
    sigma = float(numpy.median(truth.sigma(part)[part > 0].astype(float)))
    expect_close(area["sigma"], sigma, 1e-6, "sigma of the area")
    for word in ("Median", "±", "Spread", "Filled", "%"):
        expect(word in viewer.text("profile-numbers"), f"{word} is missing")
    expect(viewer.page.locator("#profile-plot .bin").count() >= 8, "no histogram is drawn")
    viewer.page.keyboard.press("Escape")
    expect(viewer.state("profile") is None, "Escape leaves the area")
    viewer.choose("tool", "point")


def check_keyboard(viewer):
    page = viewer.page
    page.locator("#overlay").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.evaluate("document.activeElement.id") == "overlay", "Tab does not lead to the picture")
    start = viewer.state("cursor")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    expect(viewer.state("cursor") == [start[0] + 1, start[1] + 10], f"{start} to {viewer.state('cursor')}")
    page.keyboard.press("Enter")
    expect(len(viewer.state("points")) == 1, "Enter reads nothing")
    page.keyboard.press("t")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    expect(len(viewer.state("profile")["samples"]) == 11, "keys do not draw a line")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.keyboard.press("t")
    expect(viewer.state("state")["tool"] == "point", "T does not come back to points")
    page.keyboard.press("Escape")
    before = viewer.state("state")["mode"]
    page.keyboard.press("b")
    expect(viewer.state("state")["mode"] != before, "B does not change the picture")
    page.keyboard.press("Shift+?")
    expect(viewer.sees("#help"), "? does not open the keys")
    page.keyboard.press("Escape")
    expect(not viewer.sees("#help"), "Escape does not close the keys")


def check_words(viewer):
    viewer.until("document.getElementById('check').hidden === false", "the verdict")
    expect(viewer.text("verdict-badge") == "Measurable after correction", viewer.text("verdict-badge"))
    expect("float between" in viewer.text("findings-list"), "no findings")
    expect("iPhone 14" in viewer.text("verdict-source"), viewer.text("verdict-source"))


def check_weight(viewer):
    """All that is fetched before the capture, as it lies in the binary."""
    names = {r.rsplit("/", 1)[-1] or "viewer.html" for r in viewer.requests if "/api/" not in r and "://" in r}
    size = sum((VIEWER / name).stat().st_size for name in names)
    print(f"      the page without data: {size} bytes in {len(names)} files")
    expect(size < PAGE_BYTES, f"the page weighs {size} bytes")


def choose_theme(viewer):
    color = "getComputedStyle(document.body).backgroundColor"
    before = viewer.page.evaluate(color)
    viewer.page.locator("#theme").click()
    expect(viewer.page.evaluate(color) != before, "the theme did not change")


def check_photo(checks, browser, folder):
    server = MockServer(items=MockServer.photo())
    truth = server.items[0].truth
    viewer = ViewerPage(browser, server.url, color_scheme="light")
    checks.run("photo: verdict, findings, source", lambda: check_words(viewer))
    viewer.screenshot(folder, "photo-desktop-light")
    checks.run("photo: depth, sigma, stored value, confidence", lambda: check_probes(viewer, truth))
    checks.run("photo: click and hover read", lambda: check_reading(viewer, truth))
    checks.run("photo: color, blend, depth", lambda: check_modes(viewer, truth))
    checks.run("photo: color maps and range", lambda: check_maps(viewer, truth))
    checks.run("photo: equalized colors", lambda: check_equalized(viewer))
    checks.run("photo: mattes, edges, confidence", lambda: check_layers(viewer, truth))
    checks.run("photo: line and area", lambda: check_profiles(viewer, truth))
    checks.run("photo: keyboard alone", lambda: check_keyboard(viewer))
    checks.run("photo: names for screen readers", viewer.expect_names)
    checks.run("photo: the page is light enough", lambda: check_weight(viewer))
    checks.run("photo: the theme can be chosen", lambda: choose_theme(viewer))
    checks.run("photo: no other host, no complaint", viewer.expect_quiet)
    viewer.close()
    check_phone(checks, browser, server, folder)
    server.close()


def check_phone(checks, browser, server, folder):
    phone = ViewerPage(browser, server.url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2,
                       color_scheme="dark", reduced_motion="reduce")
    checks.run("phone: fits the width", phone.expect_width)
    phone.screenshot(folder, "photo-phone-dark")
    truth = server.items[0].truth
    left, top, _, _ = truth.box()

    def tap():
        phone.page.touchscreen.tap(*phone.place(left + 30, top + 30))
        points = phone.state("points")
        expect(len(points) == 1 and abs(points[0]["depth"] - 0.5) < 1e-6, f"a tap reads {points}")

    checks.run("phone: a tap reads", tap)

    def panes():
        phone.choose("panes", "space")
        expect(phone.sees("#space") and not phone.sees("#plane"), "3D alone is not shown")
        phone.choose("panes", "plane")
        expect(phone.sees("#plane") and not phone.sees("#space"), "2D alone is not shown")

    checks.run("phone: 2D or 3D", panes)
    checks.run("phone: no complaint", phone.expect_quiet)
    phone.close()


def check_turned(viewer, truth):
    """A portrait's map is stored lying: EXIF 6 turns it clockwise, so the hole comes to the upper right."""
    found = viewer.probe(truth.width - 1, 3)
    expect(found["unit"] == "relative", f"unit {found['unit']}")
    x, y = viewer.page.evaluate("([x, y]) => plumblineViewer.overlayPlace(x, y)", list(truth.hole))
    box = viewer.page.locator("#overlay").bounding_box()
    expect(x > box["width"] / 2 and y < box["height"] / 2, f"the hole is at {x}, {y}")


def check_recording(checks, browser, folder):
    server = MockServer()
    truth, url = server.items[1].truth, server.url + "#item=1"
    viewer = ViewerPage(browser, url, color_scheme="dark")
    page = viewer.page

    def steps():
        page.locator("#frame-next").click()
        viewer.until("plumblineViewer.frameName === 'walk-1'", "the next frame")
        check_probes(viewer, truth, 1)
        page.locator("#frame-back").click()
        viewer.until("plumblineViewer.frameName === 'walk-0'", "the frame before")

    checks.run("recording: frame steps", steps)

    def scrubs():
        seconds = server.items[1].time(25)
        page.locator("#scrub").evaluate(
            "(input, time) => { input.value = time; input.dispatchEvent(new Event('input')); }",
            str(round(1000 * seconds)))
        viewer.until("plumblineViewer.frameName === 'walk-25'", "the scrubbed frame")
        check_probes(viewer, truth, 25)
        page.locator("#scrub").focus()
        page.keyboard.press("ArrowRight")
        viewer.until("plumblineViewer.frameName === 'walk-26'", "the frame of an arrow key")
        page.keyboard.press("Home")
        viewer.until("plumblineViewer.frameName === 'walk-0'", "the first frame")

    checks.run("recording: scrubbing", scrubs)

    def drops():
        gap = page.locator("#gaps .gap")
        expect(gap.count() == 1, f"{gap.count()} gaps")
        expect(f"{LOST} frames lost" in viewer.text("lost-text"), viewer.text("lost-text"))
        share = page.evaluate("parseFloat(document.querySelector('#gaps .gap').style.left)")
        expected = 100 * LOST_AFTER / (FRAMES - 1 + LOST)
        expect(abs(share - expected) < 0.1, f"the gap lies at {share} %, expected {expected}")

    checks.run("recording: drops are gaps", drops)

    def jumps():
        page.locator("#recording-findings button[data-frame='30']").click()
        viewer.until("plumblineViewer.frameName === 'walk-30'", "the frame of a finding")

    checks.run("recording: a finding leads to its frame", jumps)

    def follows():
        page.mouse.click(*viewer.place(truth.width - 10, truth.height - 10))
        expect(len(viewer.state("points")) == 1, "no mark")
        page.locator("#frame-next").click()
        viewer.until("plumblineViewer.frameName === 'walk-31'", "the next frame")
        x, y = viewer.state("points")[0]["x"], viewer.state("points")[0]["y"]
        expect_close(viewer.state("points")[0]["depth"], float(truth.depth(31)[y, x]), 1e-6, "the mark's depth")
        page.keyboard.press("Escape")

    checks.run("recording: marks read each frame", follows)

    def plays():
        page.locator("#scrub").focus()
        page.keyboard.press("Home")
        page.locator("#speed").select_option("4")
        page.locator("#play").click()
        expect(viewer.state("isPlaying"), "it does not play")
        viewer.until(f"plumblineViewer.frameIndex === {FRAMES - 1} && !plumblineViewer.isPlaying", "the end")
        page.locator("#speed").select_option("0.25")
        page.locator("#scrub").focus()
        page.keyboard.press("Home")
        viewer.until("plumblineViewer.frameIndex === 0", "the start")
        page.locator("#play").click()
        viewer.until("plumblineViewer.frameIndex > 0", "the second frame")
        page.locator("#play").click()
        expect(not viewer.state("isPlaying"), "it does not pause")

    checks.run("recording: plays to the end, slowly too, and pauses", plays)

    def cache():
        expect(len(viewer.state("cached")) > 10, "frames are not kept")
        before = viewer.state("cachedBytes")
        page.evaluate("plumblineViewer.viewer.cache.byteLimit = 5e6")
        page.keyboard.press("End")
        page.locator("#frame-back").click()
        page.evaluate("plumblineViewer.viewer.cache.trim()")
        after = viewer.state("cachedBytes")
        expect(after < before and after < 8e6, f"the cache holds {after} of {before} bytes")

    checks.run("recording: the cache keeps its limit", cache)
    viewer.screenshot(folder, "recording-desktop-dark")
    checks.run("recording: names for screen readers", viewer.expect_names)
    checks.run("recording: no complaint", viewer.expect_quiet)
    viewer.close()
    turned = ViewerPage(browser, server.url + "#item=2")
    checks.run("turned and relative: upright, without a unit", lambda: check_turned(turned, server.items[2].truth))
    turned.close()
    server.close()


def check_gallery(checks, browser, folder):
    server = MockServer()
    viewer = ViewerPage(browser, server.url)
    page = viewer.page

    def cards():
        expect(page.locator("#gallery-list .item").count() == len(server.items), "items are missing")
        badges = page.locator("#gallery-list .verdict-badge").all_inner_texts()
        expect(badges == ["Measurable after correction", "Measurable", "Relative only", "Not trustworthy",
                          "Not checked yet"], f"badges {badges}")
        expect(page.locator("#gallery-list .verdict-badge svg").count() == len(server.items), "badges lack icons")
        lazy = page.locator("#gallery-list img[loading=lazy]").count()
        expect(lazy == len(server.items), f"{lazy} pictures load late")

    checks.run("gallery: pictures, names, verdicts", cards)
    viewer.screenshot(folder, "gallery-desktop-light")

    def verdict_comes():
        server.verdicts[4] = "measurable"
        viewer.until("document.querySelectorAll('#gallery-list .verdict-badge')[4].textContent === 'Measurable'",
                     "the late verdict")

    checks.run("gallery: a late verdict comes", verdict_comes)

    def opens():
        page.locator("#gallery-list .item").nth(3).click()
        viewer.until("plumblineViewer.frameName === 'bare-0'", "the item")
        expect(viewer.sees("#stage") and not viewer.sees("#gallery"), "the gallery stays")
        check_probes(viewer, server.items[3].truth)
        expect(viewer.state("state")["share"] == 1, "without color, depth alone is shown")
        page.go_back()
        viewer.until("!document.getElementById('gallery').hidden", "the gallery")
        page.locator("#gallery-list .item").nth(0).click()
        viewer.until("plumblineViewer.frameName === 'bust-0'", "another item")
        page.keyboard.press("g")
        viewer.until("!document.getElementById('gallery').hidden", "the gallery by its key")

    checks.run("gallery: opens an item, and back", opens)
    checks.run("gallery: no complaint", viewer.expect_quiet)
    viewer.close()
    phone = ViewerPage(browser, server.url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2,
                       color_scheme="dark")
    checks.run("gallery on a phone: fits the width", phone.expect_width)
    phone.screenshot(folder, "gallery-phone-dark")
    phone.close()
    broken = ViewerPage(browser, server.url + "#item=77")
    checks.run("an item that is not there is told", lambda: expect(
        "no such item" in broken.text("banners"), broken.text("banners")))
    broken.close()
    server.close()


def check_link(checks, browser, folder):
    server = MockServer()
    viewer = ViewerPage(browser, server.url + "#item=1&frame=7", permissions=["clipboard-read", "clipboard-write"])
    page = viewer.page

    def copies():
        viewer.choose("map", "jet")
        viewer.choose("picture-mode", "depth")
        page.locator("#near-value").fill("0.45")
        page.locator("#far-value").fill("1.15")
        page.locator("#far-value").press("Enter")
        viewer.choose("tool", "area")
        viewer.drag((100, 60), (140, 90))
        page.locator("#copy-link").click()
        viewer.until("location.hash.includes('range=')", "the link in the address bar")
        link = page.evaluate("navigator.clipboard.readText()")
        expect(link == page.url, f"copied {link}, the page is at {page.url}")
        other = ViewerPage(browser, link)
        found, here = other.state("state"), viewer.state("state")
        for name in ("item", "mode", "blend", "panes", "map", "isAutomatic", "tool", "space"):
            expect(json.dumps(found[name]) == json.dumps(here[name]), f"{name}: {found[name]}, copied {here[name]}")
        expect(other.state("frameIndex") == 7, f"frame {other.state('frameIndex')}")
        expect(other.state("range") == [0.45, 1.15], f"range {other.state('range')}")
        expect(other.state("profile")["median"] == viewer.state("profile")["median"], "the area differs")
        other.expect_quiet()
        other.close()

    checks.run("link: another browser sees the same", copies)

    def hostile():
        for fragment in ("item=0&map=constructor&mode=%22%5D&tool=__proto__&range=5,1&space=%7B", "item=0&frame=999",
                         "item=0&range=NaN,Infinity&from=9,9&to=1e9,-1&tool=line&panes=x&blend=77777"):
            other = ViewerPage(browser, server.url + "#" + fragment)
            expect(other.state("frameName") == "bust-0", f"{fragment}: {other.state('frameName')}")
            other.expect_quiet()
            other.close()

    checks.run("link: nonsense is left aside", hostile)
    viewer.close()
    server.close()


def check_token(checks, browser, folder):
    server = MockServer(items=MockServer.photo(), token="s3cret")
    viewer = ViewerPage(browser, server.url + "#token=s3cret&map=jet")

    def enters():
        expect(viewer.state("frameName") == "bust-0", "the token does not open")
        expect("s3cret" not in viewer.page.evaluate("location.href"), "the token stays in the address bar")
        expect(viewer.state("state")["map"] == "jet", "the rest of the link is lost")
        expect(("POST", "/api/session") in server.requests, "no session was asked for")

    checks.run("token: opens and leaves the address bar", enters)
    viewer.close()
    outside = ViewerPage(browser, server.url)
    checks.run("token: without it the page says so", lambda: expect(
        "token" in outside.text("loading"), outside.text("loading")))
    outside.close()
    server.close()


def check_served(checks, browser, url, expected, folder):
    """A real server, of which only some values are known."""
    viewer = ViewerPage(browser, url)
    viewer.until("plumblineViewer.hasFrame || document.querySelector('#gallery-list .item')", "anything to see")
    if not viewer.state("hasFrame"):
        viewer.page.locator("#gallery-list .item").first.click()
        viewer.until("plumblineViewer.hasFrame", "the first item")

    def values():
        expect(expected["title"] in viewer.page.title(), viewer.page.title())
        for probe in expected["probes"]:
            found = viewer.probe(probe["x"], probe["y"])
            expect(found["unit"] == expected["unit"], f"unit {found['unit']}")
            expect_close(found["depth"], probe["depth"], 1e-6, f"depth at {probe['x']}, {probe['y']}")
            if probe.get("sigma") is not None:
                expect_close(found["sigma"], probe["sigma"], 1e-5, f"sigma at {probe['x']}, {probe['y']}")
        if expected.get("hole"):
            expect(viewer.probe(*expected["hole"])["depth"] is None, "a hole reads a depth")

    checks.run("served: depth and sigma", values)
    if expected.get("verdictWord"):
        def verdict():
            viewer.until("document.getElementById('check').hidden === false", "the verdict")
            expect(viewer.text("verdict-badge") == expected["verdictWord"], viewer.text("verdict-badge"))
        checks.run("served: verdict", verdict)
    checks.run("served: the page is light enough", lambda: check_weight(viewer))
    checks.run("served: names for screen readers", viewer.expect_names)
    checks.run("served: no other host, no complaint", viewer.expect_quiet)
    viewer.screenshot(folder, "served-desktop")
    viewer.close()
    phone = ViewerPage(browser, url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    checks.run("served on a phone: fits the width", phone.expect_width)
    phone.screenshot(folder, "served-phone")
    phone.close()
