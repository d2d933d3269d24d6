"""Checks of the viewer with depth that no sensor measured: an estimate with its residual, filled holes, stereo."""
import numpy as np

from report_page import expect, expect_close
from viewer_mock import Item, MockServer
from viewer_page import PHONE, ViewerPage
from viewer_truth import Truth, part

# The ends of the diverging colors, and 0 in their middle.
BLUE, WHITE, RED = (18, 58, 140), (245, 245, 245), (142, 22, 22)


class EstimateTruth(Truth):
    """An estimate whose residual grows from left to right, from -0.2 m to 0.2 m; nothing was measured above."""

    def __init__(self, fitted_to="sensor depth", **options):
        super().__init__(240, 180, has_maps=False, **options)
        self.fitted_to = fitted_to

    def residual(self):
        """A quarter of the map's columns and rows, as a sensor's are."""
        width, height = self.width // 4, self.height // 4
        residual = np.tile(np.linspace(-0.2, 0.2, width, dtype=np.float32), (height, 1))
        residual[:height // 3] = np.nan
        return residual

    def scene(self):
        return {**super().scene(), "estimate": {"model": "net-a", "fittedTo": self.fitted_to}}

    def parts(self, frame):
        parts = super().parts(frame) + [part("sigma", self.sigma(self.depth(frame)))]
        if self.fitted_to:
            residual = self.residual()
            sigma = np.where(np.isnan(residual), np.nan, 0.01).astype(np.float32)
            parts += [part("residual", residual), part("residualSigma", sigma)]
        return parts


class StereoTruth(Truth):
    """Two images matched without a scale."""

    def __init__(self):
        super().__init__(240, 180, metric=False, has_maps=False)

    def header(self, frame, name):
        return {**super().header(frame, name), "source": {"camera": "stereo"}}

    def depth(self, frame=0):
        """A hundredth of the matches is wrong and far."""
        depth = super().depth(frame)
        depth[-1:, ::2] = 500
        return depth


def is_near(color, expected, tolerance=10):
    return all(abs(a - b) <= tolerance for a, b in zip(color, expected))


def check_residual(viewer, truth):
    """The layer is chosen, its colors and its legend mean meters, and a reading tells both."""
    page = viewer.page
    page.locator("#quantity").select_option("residual")
    viewer.choose("image-mode", "depth")
    low = truth.height * 2 // 3
    for x, color in ((2, BLUE), (truth.width // 2, WHITE), (truth.width - 3, RED)):
        expect(is_near(viewer.color_at(x, low), color), f"the residual at {x} is {viewer.color_at(x, low)}")
    legend = viewer.text("map-legend")
    known = truth.residual()
    known = known[np.isfinite(known)]
    for word in ("Estimate − measured", "too near", "too far", "mm", f"{known.size:,} measured pixels", "68.3"):
        expect(word in legend, f"{word} is not in the legend: {legend}")
    most = np.sort(np.abs(known))[round(0.98 * (known.size - 1))] * 1000
    expect(f"+{most:.0f}\u00a0mm too far" in legend, f"the end is not {most:.0f} mm: {legend}")
    for x, y in ((8, low), (truth.width - 9, low)):
        found, expected = viewer.probe(x, y), float(truth.residual()[y // 4, x // 4])
        expect_close(found["residual"], expected, 1e-6, f"residual at ({x}, {y})")
        expect_close(found["residualSigma"], 0.01, 1e-6, "its ±")
    expect("residual" not in viewer.probe(truth.width // 2, 50), "a residual where nothing was measured")


def check_words(viewer, truth):
    """An estimate is called one wherever its depth is read."""
    page, y = viewer.page, truth.height * 2 // 3
    origin = viewer.text("stage-origin")
    expect("Estimate of net-a" in origin and "fitted to sensor depth" in origin, f"the frame is: {origin}")
    page.mouse.click(*viewer.position(9, y))
    text = viewer.text("readout-points")
    for word in ("estimated by net-a, not measured", "fitted to sensor depth", "residual −", "± 10\u00a0mm"):
        expect(word in text, f"{word} is not in: {text}")
    hover = page.evaluate("""([x, y]) => {
      const { probe } = plumblineViewer.viewer;
      return probe.hoverText(plumblineViewer.probe(x, y));
    }""", [9, y])
    expect("estimated" in hover and "residual −" in hover, f"hovering says: {hover}")


def check_sigma(viewer, truth):
    page = viewer.page
    page.locator("#quantity").select_option("sigma")
    sigma = truth.sigma(truth.depth())
    known = np.sort(sigma[np.isfinite(sigma)].ravel())
    legend = viewer.text("map-legend")
    expect("± of depth" in legend and "mm" in legend, legend)
    median = page.evaluate("plumblineViewer.viewer.imageView.quantity.median")
    expect_close(median, float(known[known.size // 2]), 1e-6, "median ±")
    left, top, _, _ = truth.box()
    near, far = viewer.color_at(left + 20, top + 20), viewer.color_at(truth.width - 3, truth.height - 3)
    expect(sum(far) > sum(near) + 100, f"a small ± is {near}, a large one {far}")


def check_link(viewer):
    """M goes round, and a link keeps what was chosen."""
    page = viewer.page
    page.locator("#quantity").select_option("residual")
    # Without the right to copy a dialog shows the link, and takes the keys; browsers differ in who has it.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = page.evaluate("plumblineViewer.viewer.copyLink()")
    expect("of=residual" in link, link)
    page.locator("#overlay").focus()
    page.keyboard.press("m")
    viewer.until("plumblineViewer.viewer.imageView.quantity == null", "depth again after M")
    expect(not viewer.sees("#map-legend"), "a legend of depth's own colors lies over the image")
    page.goto("about:blank")
    page.goto(link)
    page.evaluate("plumblineViewer.ready")
    viewer.until("plumblineViewer.viewer.imageView.quantity?.name === 'residual'", "the layer of the link")


def check_others(browser, url):
    """An unfitted estimate, filled holes, matched images, and a sensor's own depth."""
    expected = [
        ("fitted to nothing: no meters", "estimated", ["depth", "sigma"]),
        ("Measured, with holes filled in", "measured", ["depth", "sigma"]),
        ("Matched in two images, relative", None, ["depth"]),
        ("", None, ["depth"]),
    ]
    for index, (words, origin, quantities) in enumerate(expected, start=1):
        viewer = ViewerPage(browser, f"{url}#item={index}")
        found = viewer.text("stage-origin")
        expect(words in found and bool(words) == bool(found), f"item {index} is called: {found}")
        expect(viewer.probe(230, 170).get("origin") == origin, f"item {index}: {viewer.probe(230, 170)}")
        shown = viewer.page.locator("#quantity option").evaluate_all("all => all.map(({ value }) => value)")
        expect(shown == quantities, f"item {index} has {shown}")
        expect(viewer.sees("#quantity") == (len(quantities) > 1), "a choice of one")
        if index == 2:
            row = viewer.probe(320 // 2, 240 * 5 // 6 + 4)
            expect(row["origin"] == "filled in", f"a filled pixel is {row}")
        if index == 3:
            expect(viewer.state("range")[1] < 5, f"wrong matches take all colors: {viewer.state('range')}")
        viewer.expect_quiet()
        viewer.close()


def check_estimate(checks, browser, folder):
    items = [Item("fitted", EstimateTruth()), Item("unfitted", EstimateTruth(fitted_to=None)),
             Item("filled", Truth()), Item("pair", StereoTruth()),
             Item("bare", Truth(240, 180, has_maps=False))]
    server = MockServer(items=items)
    truth = items[0].truth
    viewer = ViewerPage(browser, server.url + "#item=0", color_scheme="light")
    checks.run("estimate: the fit's residual as a layer", lambda: check_residual(viewer, truth))
    viewer.screenshot(folder, "estimate-residual")
    checks.run("estimate: it is called one", lambda: check_words(viewer, truth))
    checks.run("estimate: its ± as a layer", lambda: check_sigma(viewer, truth))
    checks.run("estimate: keys and links", lambda: check_link(viewer))
    checks.run("estimate: names for screen readers", viewer.expect_names)
    checks.run("estimate: no complaint", viewer.expect_quiet)
    viewer.close()
    checks.run("estimate: unfitted, filled, matched, measured", lambda: check_others(browser, server.url))
    phone = ViewerPage(browser, server.url + "#item=0&of=residual&mode=depth", PHONE, has_touch=True, is_mobile=True)
    checks.run("estimate on a phone: fits the width", phone.expect_width)
    phone.screenshot(folder, "estimate-phone")
    phone.close()
    server.close()
