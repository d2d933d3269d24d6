"""Checks of the viewer with a photo."""
from report_page import expect
from viewer_mock import MockServer
from viewer_page import PHONE, ViewerPage
from viewer_readings import (
    check_equalized, check_keyboard, check_layers, check_maps, check_modes, check_probes, check_profiles,
    check_reading, check_weight)

NO_WEBGL = """
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
  };
"""


def check_words(viewer):
    viewer.until("document.getElementById('check').hidden === false", "the verdict")
    for badge in ("verdict-badge", "stage-verdict"):
        words = viewer.text(badge).replace("\u00a0", " ")
        expect(words == "Measurable after correction, lengths to ± 6.5 %", f"{badge}: {words}")
    expect("float between" in viewer.text("findings-list"), "no findings")
    expect("iPhone 14" in viewer.text("verdict-source"), viewer.text("verdict-source"))


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
    checks.run("photo: equalized colors", lambda: check_equalized(viewer, truth))
    checks.run("photo: mattes, edges, confidence", lambda: check_layers(viewer, truth))
    checks.run("photo: line and area", lambda: check_profiles(viewer, truth))
    checks.run("photo: keyboard alone", lambda: check_keyboard(viewer))
    checks.run("photo: names for screen readers", viewer.expect_names)
    checks.run("photo: the page is light enough", lambda: check_weight(viewer))
    checks.run("photo: the theme can be chosen", lambda: choose_theme(viewer))
    checks.run("photo: no other host, no complaint", viewer.expect_quiet)
    viewer.close()
    check_phone(checks, browser, server, folder)
    check_without_webgl(checks, browser, server)
    server.close()


def check_without_webgl(checks, browser, server):
    """The image is drawn without WebGL; where the cloud would be, a sentence says why it is not."""
    viewer = ViewerPage(browser, server.url, init=NO_WEBGL)
    truth = server.items[0].truth

    def goes_on():
        check_probes(viewer, truth)
        check_reading(viewer, truth)
        check_modes(viewer, truth)
        expect("WebGL 2" in viewer.page.locator(".space-message").inner_text(), "no word in place of the cloud")
        expect(not viewer.sees("#space-tools"), "tools without a cloud")
        viewer.expect_quiet()

    checks.run("without WebGL 2: the image goes on", goes_on)
    viewer.close()


def check_phone(checks, browser, server, folder):
    phone = ViewerPage(browser, server.url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2,
                       color_scheme="dark", reduced_motion="reduce")
    checks.run("phone: fits the width", phone.expect_width)
    phone.screenshot(folder, "photo-phone-dark")
    truth = server.items[0].truth
    left, top, _, _ = truth.box()

    def tap():
        phone.page.touchscreen.tap(*phone.position(left + 30, top + 30))
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
