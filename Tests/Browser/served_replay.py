"""A recording that is played again: at its own speed, once, to its end."""
import time

from report_page import expect
from served import Served, plumbline
from viewer_page import ViewerPage

FRAMES_PER_SECOND = 5
SECONDS = 12


def check_replay(checks, browser, folder):
    path = folder / "replay.mcap"
    plumbline("record", "--source", "simulated", "--scene", "wall", "--size", "64x48", "--fps", FRAMES_PER_SECOND,
              "--seconds", SECONDS, "--pace", "fast", "-o", path)
    with Served("serve", "--source", "replay", path) as served:
        began = time.monotonic()
        viewer = ViewerPage(browser, served.url + "#live")

        def speed():
            viewer.until("plumblineViewer.hasFrame", "a frame")
            first, start = viewer.state("sequence"), time.monotonic()
            viewer.until("(end) => plumblineViewer.sequence >= end", "15 frames", first + 15)
            last, seconds = viewer.state("sequence"), time.monotonic() - start
            # A busy machine may show a frame late, but never one that is not due yet.
            expect(seconds > 0.8 * (last - first) / FRAMES_PER_SECOND, f"{last - first} frames in {seconds:.2f} s")
            expect(last <= FRAMES_PER_SECOND * (time.monotonic() - began) + 2, f"frame {last} came too early")
            rate = viewer.state("status")["framesPerSecond"]
            expect(0.5 * FRAMES_PER_SECOND < rate < 1.5 * FRAMES_PER_SECOND, f"{rate} frames/s")
            expect("replay.mcap" in viewer.text("title"), viewer.text("title"))

        def ends():
            """The last frame stays, and the page says why nothing comes any more."""
            viewer.until("document.getElementById('banners').innerText.includes('has ended')", "the end")
            count = FRAMES_PER_SECOND * SECONDS
            expect(viewer.state("sequence") >= count - 5, f"frame {viewer.state('sequence')} of {count} is the last")
            expect(viewer.state("hasFrame"), "no frame is left")
            late = ViewerPage(browser, served.url + "#live")
            late.until("plumblineViewer.hasFrame", "the last frame, for who comes later")
            late.close()
            viewer.expect_quiet()

        checks.run("replay: at the recorded speed", speed)
        checks.run("replay: says when it has ended", ends)
        viewer.close()
        checks.run("replay: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))
