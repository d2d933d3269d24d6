#!/usr/bin/env python3
"""Runs Examples/stream_client.py against `plumbline serve --source phone --record`.

Every frame that was sent must be in the recording, to the bit, as `mcap` reads it. The program is PLUMBLINE_BINARY or
.build/debug/plumbline. Exits 0 if nothing failed, 1 if something did, 75 where something that it needs is missing.
"""
import pathlib
import subprocess
import sys
import tempfile

# The repository stays as it was: no compiled copy beside the script.
sys.dont_write_bytecode = True

from report_page import Checks, expect
from served import PATIENCE_SECONDS, ROOT, Served, binary, plumbline

FRAMES = 40


def main():
    try:
        import mcap_ros2 as _
        import numpy
        import websockets as _
    except ImportError as error:
        print(f"skipped: {error}: pip install numpy websockets mcap mcap-ros2-support")
        return 75
    if not binary():
        print("skipped: no program to test: swift build, or set PLUMBLINE_BINARY")
        return 75
    from served_truth import Recording

    sys.path.insert(0, str(ROOT / "Examples"))
    import stream_client

    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "python.mcap"
        with Served("serve", "--source", "phone", "--record", path) as served:
            url = served.url.replace("http", "ws", 1) + "api/publish"
            client = subprocess.run(
                [sys.executable, ROOT / "Examples/stream_client.py", url, str(FRAMES)], capture_output=True, text=True,
                timeout=PATIENCE_SECONDS)
            checks.run("the example sends its frames", lambda: expect(
                client.returncode == 0 and f"sent {FRAMES}" in client.stdout, client.stdout + client.stderr))
            checks.run("the server ends well", lambda: expect(served.end() == 0, f"{served.lines}"))
        checks.run("the recording is finished", lambda: expect(path.exists(), f"{list(path.parent.iterdir())}"))

        def holds_all():
            recording = Recording(path)
            expect(len(recording) == FRAMES, f"{len(recording)} of {FRAMES} frames")
            for index, (seconds, depth) in enumerate(zip(recording.seconds, recording.depths)):
                sent = stream_client.depth_at(seconds)
                expect(numpy.array_equal(depth.view("<u4"), sent.view("<u4")), f"frame {index} differs")

        checks.run("every frame is in the recording, to the bit", holds_all)
        checks.run("plumbline info counts them", lambda: expect(
            f"{FRAMES} frames" in plumbline("info", path), plumbline("info", path)))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
