"""Checks of the viewer with a recording."""
from report_page import expect, expect_close
from viewer_mock import FRAMES, LOST, LOST_AFTER, MockServer
from viewer_page import ViewerPage
from viewer_readings import check_probes, check_weight


def check_turned(viewer, truth):
    """A portrait's map is stored lying: EXIF 6 turns it clockwise, so the hole comes to the upper right."""
    found = viewer.probe(truth.width - 1, 3)
    expect(found["unit"] == "relative", f"unit {found['unit']}")
    x, y = viewer.page.evaluate("([x, y]) => plumblineViewer.overlayPoint(x, y)", list(truth.hole))
    box = viewer.page.locator("#overlay").bounding_box()
    expect(x > box["width"] / 2 and y < box["height"] / 2, f"the hole is at {x}, {y}")


def check_completing(checks, browser):
    """While the server still reads, the page requests it again each second, and shows what came without moving the view."""
    server = MockServer()
    item = server.items[1]
    item.is_incomplete = True
    viewer = ViewerPage(browser, server.url + "#item=1")

    def requested():
        return [path for _, path in server.requests if path == "/api/items/1"]

    def completes():
        page = viewer.page
        expect(not viewer.sees("#recording-findings button") and page.locator("#gaps .gap").count() == 0,
               "findings before they are known")
        expect(not viewer.sees("text=Hold the world still"), "cameras before their poses are known")
        page.locator("#frame-next").click()
        viewer.until("plumblineViewer.frameName === 'tour-1'", "the next frame, meanwhile")
        orbit = viewer.state("state")["space"]["orbit"]
        before = len(requested())
        viewer.page.wait_for_timeout(2500)
        tries = len(requested()) - before
        expect(tries <= 3, f"requested {tries} times in 2.5 s")
        item.is_incomplete = False
        viewer.until("plumblineViewer.viewer.item.isComplete", "the whole recording")
        viewer.until("document.querySelectorAll('#gaps .gap').length === 1", "the gap")
        expect(viewer.sees("#recording-findings button[data-frame='30']"), "the findings did not come")
        expect(viewer.sees("text=Hold the world still"), "the cameras did not come")
        poses = page.evaluate("plumblineViewer.viewer.space.cameras.poses.length")
        expect(poses == FRAMES, f"{poses} cameras")
        expect(viewer.state("frameName") == "tour-1", "another frame is shown")
        expect(viewer.state("state")["space"]["orbit"] == orbit, "the view moved")
        count = len(requested())
        expect(count > 1, "requested once")
        page.wait_for_timeout(2200)
        expect(len(requested()) == count, "it goes on requesting")

    checks.run("recording: requested again until all of it is known", completes)
    checks.run("recording: no complaint meanwhile", viewer.expect_quiet)
    viewer.close()
    server.close()


def check_recording(checks, browser, folder):
    server = MockServer()
    truth, url = server.items[1].truth, server.url + "#item=1"
    viewer = ViewerPage(browser, url, color_scheme="dark")
    page = viewer.page

    def steps():
        page.locator("#frame-next").click()
        viewer.until("plumblineViewer.frameName === 'tour-1'", "the next frame")
        check_probes(viewer, truth, 1)
        page.locator("#frame-back").click()
        viewer.until("plumblineViewer.frameName === 'tour-0'", "the frame before")

    checks.run("recording: frame steps", steps)

    def scrubs():
        seconds = server.items[1].time(25)
        page.locator("#scrub").evaluate(
            "(input, time) => { input.value = time; input.dispatchEvent(new Event('input')); }",
            str(round(1000 * seconds)))
        viewer.until("plumblineViewer.frameName === 'tour-25'", "the scrubbed frame")
        check_probes(viewer, truth, 25)
        page.locator("#scrub").focus()
        page.keyboard.press("ArrowRight")
        viewer.until("plumblineViewer.frameName === 'tour-26'", "the frame of an arrow key")
        page.keyboard.press("Home")
        viewer.until("plumblineViewer.frameName === 'tour-0'", "the first frame")

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
        viewer.until("plumblineViewer.frameName === 'tour-30'", "the frame of a finding")

    checks.run("recording: a finding leads to its frame", jumps)

    def follows():
        page.mouse.click(*viewer.position(truth.width - 10, truth.height - 10))
        expect(len(viewer.state("points")) == 1, "no mark")
        page.locator("#frame-next").click()
        viewer.until("plumblineViewer.frameName === 'tour-31'", "the next frame")
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
    checks.run("recording: the page is light enough", lambda: check_weight(viewer))
    checks.run("recording: names for screen readers", viewer.expect_names)
    checks.run("recording: no complaint", viewer.expect_quiet)
    viewer.close()
    check_completing(checks, browser)
    turned = ViewerPage(browser, server.url + "#item=2")
    checks.run("turned and relative: upright, without a unit", lambda: check_turned(turned, server.items[2].truth))
    turned.close()
    server.close()
