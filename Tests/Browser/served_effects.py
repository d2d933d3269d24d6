"""Checks of the effects in the page of `plumbline view`: every effect, a slider, a point, and back to the photo."""
from report_page import expect
from served import ROOT, Served
from viewer_page import DESKTOP, PHONE, ViewerPage

PHOTO = ROOT / "Fixtures/demo/healthy-truedepth.jpg"
PIXELS = """() => {
  const canvas = document.getElementById('overlay');
  const { data } = canvas.getContext('2d').getImageData(canvas.width / 4, canvas.height / 4, canvas.width / 2, 200);
  return data.join();
}"""


def drawn_pixels(viewer, what):
    """The image once the latest response is on the screen; what was there before is taken away first."""
    viewer.until("Boolean(plumblineViewer.viewer.imageView.effect)", what)
    viewer.wait_until_drawn()
    return viewer.page.evaluate(PIXELS)


def clear(viewer):
    viewer.page.evaluate("plumblineViewer.viewer.effects.show([])")


def check_effects(checks, browser, folder):
    with Served("view", PHOTO) as served:
        viewer = ViewerPage(browser, served.url, DESKTOP)
        viewer.until("plumblineViewer.hasFrame", "the photo")

        def every_effect():
            viewer.page.locator("#effects-open").click()
            seen = {drawn_pixels(viewer, "the first effect")}
            options = viewer.page.locator("#effect-name option")
            names = options.evaluate_all("list => list.map((option) => option.value)")
            expect(len(names) >= 8, f"effects {names}")
            for name in names[1:]:
                clear(viewer)
                viewer.page.locator("#effect-name").select_option(name)
                seen.add(drawn_pixels(viewer, name))
            expect(len(seen) == len(names), f"{len(seen)} images of {len(names)} effects")

        def slider():
            clear(viewer)
            viewer.page.locator("#effect-name").select_option("fog")
            before = drawn_pixels(viewer, "fog")
            clear(viewer)
            viewer.page.locator("[data-parameter=density]").fill("0.2")
            expect(drawn_pixels(viewer, "thinner fog") != before, "the slider changed nothing")
            expect("0.20 1/m" in viewer.page.locator("#effects").inner_text(), "no number at the slider")
            viewer.screenshot(folder, "served-effects-fog")

        def focus():
            clear(viewer)
            viewer.page.locator("#effect-name").select_option("blur")
            viewer.page.locator("[data-parameter=aperture]").fill("1.4")
            before = drawn_pixels(viewer, "blur")
            clear(viewer)
            box = viewer.page.locator("#overlay").bounding_box()
            viewer.page.mouse.click(box["x"] + 0.45 * box["width"], box["y"] + 0.06 * box["height"])
            expect(drawn_pixels(viewer, "another focus") != before, "the focus did not move")
            viewer.screenshot(folder, "served-effects-blur")

        def wiggle():
            clear(viewer)
            viewer.page.locator("#effect-name").select_option("wiggle")
            drawn_pixels(viewer, "a wiggle")
            viewer.until("plumblineViewer.viewer.effects.bitmaps.length > 1", "the images of the loop")
            before = viewer.page.evaluate(PIXELS)
            viewer.page.wait_for_timeout(350)
            expect(viewer.page.evaluate(PIXELS) != before, "the loop does not move")
            expect("video" in viewer.page.locator("#effects").inner_text(), "no word of the video")

        def closed():
            viewer.expect_names()
            viewer.page.locator("#effects-open").click()
            viewer.until("!document.querySelector('#effects *')", "the panel to go")
            expect(viewer.state("viewer.imageView.effect") is None, "the effect stayed")
            viewer.expect_quiet()

        checks.run("effects: every one shows another image", every_effect)
        checks.run("effects: a slider changes it", slider)
        checks.run("effects: a click chooses the focus", focus)
        checks.run("effects: a wiggle moves", wiggle)
        checks.run("effects: named, quiet, and gone when closed", closed)
        viewer.close()
        phone = ViewerPage(browser, served.url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
        phone.until("plumblineViewer.hasFrame", "the photo")

        def fits():
            phone.page.locator("#effects-open").click()
            drawn_pixels(phone, "an effect on a phone")
            phone.expect_width()
            phone.screenshot(folder, "served-effects-phone")

        checks.run("effects on a phone: fit the width", fits)
        phone.close()
    check_live(checks, browser, folder)


def check_live(checks, browser, folder):
    with Served("serve", "--source", "simulated", "--scene", "still-life", "--size", "96x72", "--fps", "5") as served:
        viewer = ViewerPage(browser, served.url, DESKTOP)
        viewer.until("plumblineViewer.hasFrame", "a frame")

        def goes_on():
            viewer.page.locator("#effects-open").click()
            names = []
            viewer.until("Boolean(plumblineViewer.viewer.imageView.effect)", "the first live effect")
            options = viewer.page.locator("#effect-name option")
            names = options.evaluate_all("list => list.map((option) => option.value)")
            for name in ("smooth-filter", "live-background", "fog"):
                expect(name in names, f"{name} is not among {names}")
                clear(viewer)
                viewer.page.locator("#effect-name").select_option(name)
                drawn_pixels(viewer, name)
                shown = "plumblineViewer.viewer.effects.bitmaps[0]"
                viewer.page.evaluate(f"window.shownBefore = {shown}")
                viewer.until(f"{shown} && {shown} !== window.shownBefore", f"the next image of {name}")
            viewer.screenshot(folder, "served-effects-live")

        def ends():
            viewer.page.locator("#effects-open").click()
            viewer.until("!document.querySelector('#effects *')", "the panel to go")
            viewer.until("!plumblineViewer.viewer.imageView.effect", "the camera's own image")
            viewer.expect_quiet()

        checks.run("live effects: follow the camera", goes_on)
        checks.run("live effects: gone when closed", ends)
        viewer.close()
