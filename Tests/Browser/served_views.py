"""Checks of the page with what `plumbline view` and `plumbline serve` really send."""
import json

import numpy as np

from report_page import COLORS_ON_CANVAS, expect, expect_close
from served import ROOT, Served, check, plumbline
from served_truth import Recording, wall_depth
from viewer_page import DESKTOP, PHONE, ViewerPage

PHOTOS = ROOT / "Fixtures/demo"
SIZES = {"desktop": (DESKTOP, {}),
         "phone": (PHONE, {"has_touch": True, "is_mobile": True, "device_scale_factor": 2})}
# The simulated sensor's noise against the page's ±: more is a fault, not chance, among 3072 pixels.
LARGEST_SIGMAS = 6
# Of the mean of a map: disparity steps of 0.18 mm at 0.3 m and the sensor's smooth noise.
MEAN_MILLIMETERS = 0.3
# The simulated live camera shows its six views to and fro.
PERIOD = 10

# As text: of a third of a million numbers by themselves, Playwright makes an object each, in ten seconds.
ALL_DEPTHS = """(withRays) => {
  const { scene, frame } = plumblineViewer.viewer;
  const pixels = [...Array(scene.width * scene.height).keys()].map((i) => [i % scene.width, Math.floor(i / scene.width)]);
  const probes = pixels.map(([x, y]) => scene.probe(x, y));
  return JSON.stringify({
    sequence: frame.header.sequence, width: scene.width, height: scene.height, pose: frame.header.worldFromCamera,
    depths: probes.map(({ depth }) => depth), sigmas: probes.map(({ sigma }) => sigma),
    rays: withRays ? probes.map(({ position, depth }) => [position[0] / depth, position[1] / depth]) : [],
  });
}"""


def all_depths(viewer, with_rays=True):
    """What the page holds of every pixel; None where there is no depth."""
    return json.loads(viewer.page.evaluate(ALL_DEPTHS, with_rays))


def expect_accessible(viewer):
    """By the browser's own accessibility tree: every control has a role and a name."""
    viewer.expect_names()
    roles = ("button", "slider", "radio", "checkbox", "combobox", "link", "spinbutton", "textbox", "application")
    lines = [line.strip(" -") for line in viewer.page.locator("body").aria_snapshot().splitlines()]
    controls = [line for line in lines if line.split(" ")[0].rstrip(":") in roles]
    expect(len(controls) > 3, f"only {controls} in the accessibility tree")
    nameless = [line for line in controls if '"' not in line and "/" not in line.split(" ", 1)[-1]]
    expect(not nameless, f"without a name in the accessibility tree: {nameless}")


def expect_in_sight(viewer, *selectors):
    """Within the window without scrolling."""
    viewer.page.evaluate("scrollTo(0, 0)")
    height = viewer.page.viewport_size["height"]
    for selector in selectors:
        box = viewer.page.locator(selector).bounding_box()
        expect(box and box["y"] + box["height"] <= height, f"{selector} lies below the window: {box}")


def expect_drawn(viewer, identifier, colors=8):
    viewer.wait_until_drawn()
    found = viewer.page.evaluate(COLORS_ON_CANVAS, identifier)
    expect(found >= colors, f"{identifier} shows {found} colors")


def look(checks, browser, url, folder, name, prepare):
    """Both sizes, and images in both themes: fits, is named, is quiet."""
    for size, (viewport, options) in SIZES.items():
        viewer = ViewerPage(browser, url, viewport, color_scheme="light", **options)

        def looks():
            prepare(viewer)
            viewer.expect_width()
            expect_accessible(viewer)
            paper = []
            for theme in ("light", "dark"):
                viewer.page.emulate_media(color_scheme=theme)
                paper.append(viewer.page.evaluate("getComputedStyle(document.body).backgroundColor"))
                viewer.screenshot(folder, f"served-{name}-{size}-{theme}", full=False)
            expect(paper[0] != paper[1], f"dark is as light: {paper}")
            viewer.expect_quiet()

        checks.run(f"{name}, {size}, light and dark: fits, named, quiet", looks)
        viewer.close()


def check_gallery_of_photos(checks, browser, folder):
    photos = sorted(PHOTOS.glob("*.jpg"))
    documents = [check(photo) for photo in photos]
    with Served("view", PHOTOS) as served:
        viewer = ViewerPage(browser, served.url)
        page = viewer.page

        def badges():
            words = [document["headline"]["words"] for document in documents]
            viewer.until(
                "(words) => JSON.stringify([...document.querySelectorAll('#gallery-list .verdict-badge')]"
                ".map((badge) => badge.textContent.replaceAll('\\u00a0', ' '))) === JSON.stringify(words)",
                f"badges {words}", words)
            names = page.locator("#gallery-list .item-name").all_inner_texts()
            expect(names == [photo.name for photo in photos], f"names {names}")

        checks.run("view, folder: badges are the headlines of check", badges)
        for index, document in enumerate(documents):
            checks.run(f"view, {photos[index].name}: numbers are those of check",
                       lambda: check_photo_numbers(browser, served.url + f"#item={index}", document))
        checks.run("view, folder: no other host, no complaint", viewer.expect_quiet)
        viewer.close()
        look(checks, browser, served.url, folder, "gallery",
             lambda viewer: viewer.until("document.querySelectorAll('.item').length === 2", "the photos"))

        def prepare(viewer):
            viewer.until("!document.getElementById('check').hidden", "the verdict")
            expect_in_sight(viewer, "#overlay")
            if viewer.page.viewport_size == DESKTOP:
                expect_in_sight(viewer, "#readout", "#cloud")

        look(checks, browser, served.url + "#item=0", folder, "photo", prepare)
        checks.run("view: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))


def check_photo_numbers(browser, url, document):
    viewer = ViewerPage(browser, url)
    found = all_depths(viewer, with_rays=False)
    depths = np.array([np.nan if depth is None else depth for depth in found["depths"]])
    depth = document["depth"]
    expect((found["width"], found["height"]) == (depth["width"], depth["height"]), "another size")
    measured = np.isfinite(depths)
    expect_close(measured.mean(), depth["validFraction"], 1e-6, "measured share")
    for name, value in (("minMeters", depths[measured].min()), ("medianMeters", np.median(depths[measured])),
                        ("maxMeters", depths[measured].max())):
        expect_close(float(value), depth[name], 1e-6, name)
    sigma = np.array(found["sigmas"])[measured][np.argmin(abs(depths[measured] - depth["medianMeters"]))]
    expect_close(1000 * sigma, depth["sigmaMillimetersAtMedian"], 1e-3, "sigma at the median")
    # Both photos hold 8-bit codes of disparity.
    probe = viewer.probe(found["width"] // 2, found["height"] // 2)
    value, unit = probe["stored"].split(" = ")[1].split("\u00a0")
    expect(unit == "1/m", f"unit of the stored value {probe['stored']}")
    expect_close(1 / float(value), probe["depth"], 1e-5, "depth of the stored value")
    viewer.until("!document.getElementById('check').hidden", "the verdict")
    badge = viewer.text("verdict-badge").replace("\u00a0", " ")
    expect(badge == document["headline"]["words"], badge)
    viewer.until("plumblineViewer.viewer.space?.cloud.scene", "the cloud")
    expect_drawn(viewer, "cloud")
    viewer.expect_quiet()
    viewer.close()


def expect_frame(found, recording, index):
    """To the bit what other programs read in the recording, and within its ± of what is true."""
    depths = np.array(found["depths"])
    expected = recording.depths[index].reshape(-1)
    expect(np.allclose(depths, expected, rtol=2e-7, atol=0), f"frame {index} is another one")
    truth = wall_depth(found["pose"], np.array(found["rays"]))
    errors = depths - truth
    worst = float(np.max(abs(errors) / np.array(found["sigmas"])))
    expect(worst < LARGEST_SIGMAS, f"{worst:.1f} sigma off the wall")
    mean = 1000 * abs(float(errors.mean()))
    expect(mean < MEAN_MILLIMETERS, f"{mean:.2f} mm off the wall on average")


def check_wall_recording(checks, browser, folder, path):
    recording = Recording(path)
    with Served("view", path) as served:
        viewer = ViewerPage(browser, served.url)

        def timeline():
            expect(viewer.page.evaluate("plumblineViewer.viewer.item.frames.length") == len(recording), "frames")
            expect(f"of {len(recording)}" in viewer.text("frame-text"), viewer.text("frame-text"))
            expect(viewer.text("lost-text") == "", viewer.text("lost-text"))
            expect_in_sight(viewer, "#scrub")

        def scrubs():
            for index in (3, 5, len(recording) - 1, 0):
                time = viewer.page.evaluate("(index) => plumblineViewer.viewer.item.times[index]", index)
                viewer.page.locator("#scrub").evaluate(
                    "(input, time) => { input.value = time; input.dispatchEvent(new Event('input')); }",
                    str(round(1000 * time)))
                viewer.until("(index) => plumblineViewer.viewer.frame.header.sequence === index", f"frame {index}",
                             index)
                expect_frame(all_depths(viewer), recording, index)

        def space():
            viewer.until("plumblineViewer.viewer.space?.cloud.scene", "the cloud")
            expect_drawn(viewer, "cloud")

        def completes():
            """A recording is read in the background; what is found then comes without a reload."""
            viewer.until("plumblineViewer.viewer.item.isComplete", "the whole recording")
            poses = viewer.page.evaluate("plumblineViewer.viewer.item.frames.filter(({ pose }) => pose).length")
            expect(poses == len(recording), f"{poses} poses")

        checks.run("view, recording: its frames on the timeline, in sight", timeline)
        checks.run("view, recording: scrubbing shows that frame, true and to the bit", scrubs)
        checks.run("view, recording: the cloud is drawn", space)
        checks.run("view, recording: what is found later comes", completes)
        checks.run("view, recording: no other host, no complaint", viewer.expect_quiet)
        viewer.close()
        look(checks, browser, served.url, folder, "recording", lambda viewer: viewer.wait_until_drawn())


def check_live_wall(checks, browser, folder, recording):
    """The simulated camera shows the views of the recording again, from the first one on."""
    arguments = ("--source", "simulated", "--scene", "wall", "--size", "64x48", "--fps", "10")
    with Served("serve", *arguments) as served:
        viewer = ViewerPage(browser, served.url)

        def frames():
            viewer.until("plumblineViewer.hasFrame", "a frame")
            seen = set()
            for _ in range(3):
                found = all_depths(viewer)
                expect_frame(found, recording, found["sequence"] % PERIOD)
                seen.add(found["sequence"])
                viewer.until("(before) => plumblineViewer.sequence > before", "the next frame", found["sequence"])
            expect(len(seen) == 3, f"frames {seen}")

        def status():
            viewer.until("plumblineViewer.status?.received > 20", "some frames")
            found = viewer.state("status")
            expect(5 < found["framesPerSecond"] < 15, f"{found['framesPerSecond']} fps of 10")
            expect(found["latencyMilliseconds"] is not None, "no latency")
            text = viewer.text("live-status")
            expect("fps" in text and "ms" in text, text)
            print(f"      {found['framesPerSecond']:.1f} fps, {found['latencyMilliseconds']:.1f} ms to the socket")

        def freezes():
            viewer.page.locator("#freeze").click()
            viewer.page.wait_for_timeout(300)
            held = viewer.state("sequence")
            viewer.page.wait_for_timeout(500)
            expect(viewer.state("sequence") == held, "the image goes on")
            viewer.page.locator("#freeze").click()
            viewer.until("(held) => plumblineViewer.sequence > held", "the image", held)

        def space():
            viewer.until("plumblineViewer.viewer.space?.cloud.scene", "the cloud")
            expect_drawn(viewer, "cloud")

        checks.run("serve: live frames, true and to the bit", frames)
        checks.run("serve: rate and latency", status)
        checks.run("serve: freeze", freezes)
        checks.run("serve: the cloud is drawn", space)
        checks.run("serve: no other host, no complaint", viewer.expect_quiet)
        viewer.close()
        look(checks, browser, served.url, folder, "live",
             lambda viewer: viewer.until("plumblineViewer.hasFrame", "a frame"))
        checks.run("serve: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))


def record_wall(folder):
    """A second of the simulated camera that `serve` shows; the views go to and fro."""
    path = folder / "wall.mcap"
    plumbline("record", "--source", "simulated", "--scene", "wall", "--size", "64x48", "--fps", "10", "--seconds", "1",
              "--pace", "fast", "-o", path)
    return path
