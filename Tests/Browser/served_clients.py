"""Who is connected, in the viewer's dialog: what it lists, and whom it ends."""
from report_page import expect
from served import Served
from served_remote import KNOWN, LIVE
from viewer_page import PHONE, ViewerPage

ROWS = "#clients-list tr"


def check_clients(checks, browser, folder):
    with Served("serve", *LIVE) as served:
        own = ViewerPage(browser, served.url)
        other = ViewerPage(browser, served.url)
        for viewer in (own, other):
            viewer.until("plumblineViewer.hasFrame", "a frame")

        def lists():
            own.page.click("#clients-open")
            own.until(f"document.querySelectorAll('{ROWS}').length === 2", "two rows")
            rows = own.page.locator(ROWS).all_inner_texts()
            expect(sum("(you)" in row for row in rows) == 1, f"{rows}")
            expect(all("watches the live stream" in row for row in rows), f"{rows}")
            own.expect_names()
            own.page.set_viewport_size(PHONE)
            own.expect_width()
            heights = own.page.eval_on_selector_all(f"{ROWS} button", "(all) => all.map((one) => one.offsetHeight)")
            expect(max(heights) < 60, f"a button is broken into lines: {heights}")
            own.screenshot(folder, "served-clients", full=False)

        def ends():
            own.page.locator(ROWS, has_not_text="(you)").locator("button").click()
            other.until("document.body.innerText.includes('has ended your view')", "the word of the end")
            own.until(f"document.querySelectorAll('{ROWS}').length === 1", "one row")
            status = other.page.evaluate("fetch('/api/view').then((response) => response.status)")
            expect(status == 401, f"who was ended gets {status}")
            # It does not come back by itself, and the other one goes on.
            before = own.state("sequence")
            own.until("(before) => plumblineViewer.sequence > before + 10", "the next frames", before)
            expect(own.page.locator(ROWS).count() == 1, "who was ended came back")
            for viewer in (own, other):
                viewer.expect_quiet(allowed=KNOWN)

        checks.run("clients: the dialog lists who is connected", lists)
        checks.run("clients: who is ended sees that, and stays out", ends)
        own.close()
        other.close()
        checks.run("clients: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))
