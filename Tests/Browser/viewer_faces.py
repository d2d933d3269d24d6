"""Checks of the heads in the viewer: a page of its own in a frame, which reaches nothing outside of it."""
from report_page import expect
from viewer_mock import Item, MockServer
from viewer_page import PHONE, ViewerPage
from viewer_truth import Truth

# As HTTPResponse.swift sends pages that are complete in themselves.
POLICY = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
          "frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-scripts")
# It tries what a page with hostile words in it could try.
PAGE = """<!doctype html><meta charset="utf-8"><title>head</title><h1 id="name">Head %d</h1><p id="reached">…</p>
<script>
  const tell = (text) => { document.getElementById('reached').textContent = text; };
  (async () => {
    const found = [];
    try { parent.document.title; found.push('parent'); } catch {}
    try { document.cookie; found.push('cookie'); } catch {}
    try { await fetch('/api/view', { credentials: 'include' }); found.push('server'); } catch {}
    tell(`origin ${self.origin}, reached ${found.join(' ') || 'nothing'}`);
  })();
</script>"""


class FaceServer(MockServer):
    """Fits two heads to the first item, none to the second and fails for the third."""

    def content(self, parts, json_answer, error):
        if parts[:1] == ["items"] and parts[4:5] == ["faces"]:
            if parts[1] == "2":
                return error(404, "ict-facekit: expected an installed model, found none: plumbline models import")
            if parts[5:]:
                page = (PAGE % int(parts[5])).encode()
                return 200, "text/html; charset=utf-8", page, (f"Content-Security-Policy: {POLICY}",)
            faces = [] if parts[1] == "1" else [
                {"badge": "MEASURED", "headline": "All lengths ± 1.2 %", "statement": "a"},
                {"badge": "SHAPE ONLY", "headline": "The size of a usual head, ± 4.3 %", "statement": "b"}]
            findings = [] if faces else [
                {"code": "face.none", "severity": "fault", "message": "no face was found", "evidence": "a wall"}]
            return json_answer(200, {"schema": "plumbline.faces/1", "faces": faces, "findings": findings})
        return super().content(parts, json_answer, error)


def check_faces(checks, browser, folder):
    items = [Item("bust", Truth()), Item("tour", Truth(320, 240), 6), Item("late", Truth(240, 180))]
    server = FaceServer(items=items)
    server.offers_faces = True
    viewer = ViewerPage(browser, server.url + "#item=0")
    page = viewer.page
    viewer.until("plumblineViewer.hasFrame", "the photo")

    def words():
        return page.locator("#faces").inner_text()

    def opens():
        page.locator("#faces-open").click()
        viewer.until("Boolean(document.querySelector('.faces-page'))", "the page of the head")
        frame = page.frame_locator(".faces-page")
        expect(frame.locator("#name").inner_text() == "Head 1", "not the first head")
        frame.locator("#reached", has_text="origin").wait_for()
        reached = frame.locator("#reached").inner_text()
        expect(reached == "origin null, reached nothing", reached)
        expect("All lengths ± 1.2 %" in words() and "MEASURED" in words(), words())
        viewer.screenshot(folder, "faces-desktop")

    def another():
        page.locator("#faces-choice").select_option("1")
        expect("SHAPE ONLY" in words(), words())
        heading = page.frame_locator(".faces-page").locator("#name", has_text="Head 2")
        heading.wait_for()
        href = page.locator("#faces a").get_attribute("href")
        expect(href == "/api/items/0/frames/0/faces/2", href)

    def closes():
        viewer.expect_names()
        # What the page of the test itself tries is refused aloud.
        viewer.complaints.clear()
        page.locator("#overlay").focus()
        page.keyboard.press("p")
        viewer.until("!document.querySelector('#faces *')", "the panel to go")
        expect(page.locator("#faces-open").get_attribute("aria-pressed") == "false", "still pressed")

    def tells_why():
        page.goto(server.url + "#item=1")
        viewer.until("plumblineViewer.hasFrame", "the recording")
        page.locator("#faces-open").click()
        viewer.until("document.getElementById('faces').innerText.includes('no face')", "why there is none")
        expect("a wall" in words(), words())
        requested = sum(path.endswith("/faces") for _, path in server.requests)
        page.keyboard.press(".")
        viewer.until("plumblineViewer.viewer.frameIndex === 1", "the next frame")
        viewer.until("document.getElementById('faces').innerText.includes('no face')", "those of the next frame")
        again = sum(path.endswith("/faces") for _, path in server.requests)
        expect(again == requested + 1, f"requested {again - requested} times for another frame")
        page.goto(server.url + "#item=2")
        viewer.until("plumblineViewer.hasFrame && plumblineViewer.viewer.item.index === 2", "the third item")
        expect(words() == "", "the panel of another item stayed")
        page.locator("#faces-open").click()
        viewer.until("document.getElementById('faces').innerText.includes('models import')", "what to install")

    checks.run("heads: a page in a frame that reaches nothing", opens)
    checks.run("heads: another face", another)
    checks.run("heads: named, and gone when closed", closes)
    checks.run("heads: why there is none, and what to install", tells_why)
    viewer.close()
    phone = ViewerPage(browser, server.url + "#item=0", PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)

    def fits():
        phone.until("plumblineViewer.hasFrame", "the photo")
        phone.page.locator("#faces-open").click()
        phone.until("Boolean(document.querySelector('.faces-page'))", "the page of the head")
        phone.expect_width()
        phone.screenshot(folder, "faces-phone")

    checks.run("heads on a phone: fit the width", fits)
    phone.close()
    server.close()
