#!/usr/bin/env python3
"""Opens the viewer in Chromium and checks what a reader would see and do.

    test_viewer.py [SCREENSHOT-FOLDER]                    against scenes whose every value is known
    test_viewer.py URL EXPECTED.json [SCREENSHOT-FOLDER]  against a running server

EXPECTED.json, of the first item of the server: {"title", "headline" or null, "unit": "m" or "relative",
  "probes": [{"x", "y", "depth", "sigma"}], "hole": [x, y] or null}.

Needs Playwright for Python and NumPy; the browser is CHROMIUM or /usr/bin/chromium. Prints one line for
each check and "N passed, N failed"; exits 0 if none failed, 1 if one did, 75 if there is no browser.
"""
import json
import pathlib
import sys

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

import chromium
from report_page import Checks
from viewer_estimate import check_estimate
from viewer_faces import check_faces
from viewer_live import check_live
from viewer_photo import check_photo
from viewer_navigation import check_gallery, check_link, check_served, check_token
from viewer_recording import check_recording


def main():
    if reason := chromium.missing("numpy"):
        print(reason)
        return chromium.CANNOT_RUN
    arguments = sys.argv[1:]
    url = arguments.pop(0) if arguments and "://" in arguments[0] else None
    if url and not arguments:
        print(__doc__)
        return 64
    expected = json.loads(pathlib.Path(arguments.pop(0)).read_text()) if url else None
    folder = pathlib.Path(arguments[0]) if arguments else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    with chromium.opened() as browser:
        if url:
            check_served(checks, browser, url, expected, folder)
        else:
            for check in (check_photo, check_faces, check_estimate, check_recording, check_gallery, check_link, check_token, check_live):
                check(checks, browser, folder)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
