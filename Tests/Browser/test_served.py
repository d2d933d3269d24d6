#!/usr/bin/env python3
"""Opens the pages of the real `plumbline view` and `plumbline serve` in Chromium.

    test_served.py [SCREENSHOT-FOLDER]

What is shown is held against `plumbline check --json`, against the recording as `mcap` reads it, and against the
simulated wall's exact depth; a recording is played again, links with tokens and certificates are tried, and files
with hostile names; then pages of other sites try to get at it. The program is PLUMBLINE_BINARY or
.build/debug/plumbline. Exits 0 if nothing failed, 1 if something did, 75 where something that it needs is missing.
"""
import pathlib
import sys
import tempfile
from importlib.util import find_spec

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

import chromium
from report_page import Checks
from served import missing


def main():
    if reason := missing("numpy", "mcap", "mcap_ros2"):
        print(f"skipped: {reason}")
        return chromium.CANNOT_RUN
    from served_clients import check_clients
    from served_effects import check_effects
    from served_hostile import HOSTILE_FLAGS, check_hostile_pages, check_hostile_with_session
    from served_publish import check_published_color
    from served_names import check_hostile_names
    from served_remote import check_remote
    from served_replay import check_replay
    from served_scan import check_growing_scan, check_surface
    from served_truth import Recording
    from served_views import check_gallery_of_photos, check_live_wall, check_wall_recording, record_wall

    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary, chromium.opened() as browser:
        path = record_wall(pathlib.Path(temporary))
        check_gallery_of_photos(checks, browser, folder)
        check_effects(checks, browser, folder)
        check_wall_recording(checks, browser, folder, path)
        check_live_wall(checks, browser, folder, Recording(path))
        if find_spec("websockets"):
            check_published_color(checks, browser)
        else:
            print("skipped  published color: pip install websockets")
        check_replay(checks, browser, pathlib.Path(temporary))
        check_surface(checks, browser, folder, pathlib.Path(temporary))
        check_growing_scan(checks, browser, folder, pathlib.Path(temporary))
        check_remote(checks, browser, pathlib.Path(temporary))
        check_clients(checks, browser, folder)
        check_hostile_names(checks, browser, pathlib.Path(temporary))
    with chromium.opened(chromium.FLAGS + HOSTILE_FLAGS) as browser:
        check_hostile_pages(checks, browser)
        check_hostile_with_session(checks, browser)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
