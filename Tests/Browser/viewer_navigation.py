"""Checks of the gallery, of links and tokens, and of a real server."""
from report_page import expect, expect_close
from viewer_mock import MockServer
from viewer_page import PHONE, ViewerPage
from viewer_readings import check_probes, check_weight, choose_tool


def check_gallery(checks, browser, folder):
    server = MockServer()
    viewer = ViewerPage(browser, server.url)
    page = viewer.page

    def cards():
        expect(page.locator("#gallery-list .item").count() == len(server.items), "items are missing")
        badges = [badge.replace("\u00a0", " ")
                  for badge in page.locator("#gallery-list .verdict-badge").all_inner_texts()]
        expect(badges == ["Measurable after correction, lengths to ± 6.5 %", "Measurable", "Relative only",
                          "Do not measure", "Not checked yet"], f"badges {badges}")
        tones = page.locator("#gallery-list .verdict-badge").evaluate_all(
            "(badges) => badges.map((badge) => badge.dataset.verdict)")
        expect(tones == ["corrected", "measurable", "relative", "untrusted", "pending"], f"tones {tones}")
        expect(page.locator("#gallery-list .verdict-badge svg").count() == len(server.items), "badges lack icons")
        lazy = page.locator("#gallery-list img[loading=lazy]").count()
        expect(lazy == len(server.items), f"{lazy} images load late")

    def ignored_files():
        text = viewer.text("gallery-count")
        expect(text == f"{len(server.items)} items · {server.findings[0]['message']}", text)

    checks.run("gallery: images, names, verdicts", cards)
    checks.run("gallery: what the folder holds besides is reported", ignored_files)
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
    checks.run("an item that is not there is reported", lambda: expect(
        "no such item" in broken.text("banners"), broken.text("banners")))
    broken.close()
    server.close()


def check_link(checks, browser, folder):
    server = MockServer()
    viewer = ViewerPage(browser, server.url + "#item=1&frame=7", permissions=["clipboard-read", "clipboard-write"])
    page = viewer.page

    def copies():
        viewer.choose("map", "jet")
        viewer.choose("image-mode", "depth")
        page.locator("#near-value").fill("0.45")
        page.locator("#far-value").fill("1.15")
        page.locator("#far-value").press("Enter")
        choose_tool(viewer, "area")
        viewer.drag((100, 60), (140, 90))
        page.locator("#cloud").focus()
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
        page.locator("#copy-link").click()
        viewer.until("location.hash.includes('range=')", "the link in the address bar")
        link = page.evaluate("navigator.clipboard.readText()")
        expect(link == page.url, f"copied {link}, the page is at {page.url}")
        other = ViewerPage(browser, link)
        found, here = other.state("state"), viewer.state("state")
        for name in ("item", "mode", "blend", "panes", "map", "isAutomatic", "tool"):
            expect(found[name] == here[name], f"{name}: {found[name]}, copied {here[name]}")
        for name in ("yaw", "pitch", "distance"):
            expect_close(found["space"]["orbit"][name], here["space"]["orbit"][name], 1e-5, f"{name} in space")
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

    checks.run("link: nonsense is ignored", hostile)
    viewer.close()
    server.close()


def check_token(checks, browser, folder):
    server = MockServer(items=MockServer.photo(), token="s3cret")
    viewer = ViewerPage(browser, server.url + "#token=s3cret&map=jet")

    def enters():
        expect(viewer.state("frameName") == "bust-0", "the token does not open")
        expect("s3cret" not in viewer.page.evaluate("location.href"), "the token stays in the address bar")
        expect(viewer.state("state")["map"] == "jet", "the rest of the link is lost")
        expect(("POST", "/api/session") in server.requests, "no session was requested")

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
    if expected.get("headline"):
        def verdict():
            viewer.until("document.getElementById('check').hidden === false", "the verdict")
            badge = viewer.text("verdict-badge").replace("\u00a0", " ")
            expect(badge == expected["headline"], badge)
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
