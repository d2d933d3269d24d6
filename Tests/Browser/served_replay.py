"""A recording that is played again: at its own speed, once, to its end."""
import time

from report_page import expect
from served import Served, plumbline
from viewer_page import ViewerPage

FRAMES_PER_SECOND = 5
SECONDS = 12
ENDED = "document.getElementById('banners').innerText.includes('has ended')"


def check_replay(checks, browser, folder):
    path = folder / "replay.mcap"
    plumbline("record", "--source", "simulated", "--scene", "wall", "--size", "64x48", "--fps", FRAMES_PER_SECOND,
              "--seconds", SECONDS, "--pace", "fast", "-o", path)
    with Served("serve", "--source", "replay", path) as served:
        began = time.monotonic()
        viewer = ViewerPage(browser, served.url + "#live")

        def speed():
            """A busy machine may show a frame late or leave it out, but never one that is not due yet."""
            viewer.until("plumblineViewer.hasFrame", "a frame")
            expect("replay.mcap" in viewer.text("title"), viewer.text("title"))
            seen = set()
            while len(seen) < 20 and not viewer.page.evaluate(ENDED):
                viewer.until(f"(before) => plumblineViewer.sequence > before || {ENDED}", "the next frame",
                             max(seen, default=-1))
                seen.add(viewer.state("sequence"))
                due = FRAMES_PER_SECOND * (time.monotonic() - began) + 1
                expect(max(seen) <= due, f"frame {max(seen)} where {due:.1f} are due")
            expect(len(seen) > 3, f"only {seen}")

        def ends():
            """The last frame stays, and the page says why nothing comes any more."""
            viewer.until(ENDED, "the end")
            expect(time.monotonic() - began > SECONDS - 1, "it was played too fast")
            expect(viewer.state("hasFrame"), "no frame is left")
            viewer.expect_quiet()

        checks.run("replay: at the recorded speed", speed)
        checks.run("replay: says when it has ended", ends)
        viewer.close()
        checks.run("replay: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))
