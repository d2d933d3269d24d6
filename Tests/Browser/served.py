"""`plumbline` as the tests of the page run it: servers that live as long as a `with`."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading

import chromium

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A debug build on a loaded machine reads a photo in seconds.
PATIENCE_SECONDS = 60
# Certificates of tests are kept here, and not among the user's own.
STATE = tempfile.TemporaryDirectory()


def binary():
    """The program that is tested, or None."""
    stated = os.environ.get("PLUMBLINE_BINARY")
    built = [ROOT / ".build-check/release/plumbline", ROOT / ".build/debug/plumbline"]
    paths = [pathlib.Path(stated)] if stated else built
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def missing(*packages):
    """Why no served page can be tested here; None where all is there."""
    if reason := chromium.missing(*packages):
        return reason
    return None if binary() else "no program to test: swift build, or set PLUMBLINE_BINARY"


def plumbline(*arguments, codes=(0,)):
    """What it prints; an exit code that was not expected raises."""
    result = subprocess.run(
        [binary(), *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    if result.returncode not in codes:
        raise AssertionError(f"plumbline {arguments[0]} ended with {result.returncode}: {result.stderr[-400:]}")
    return result.stdout


def check(photo):
    """The document of `check --json`; 1 says that it cannot be measured in meters."""
    return json.loads(plumbline("check", photo, "--json", codes=(0, 1)))


class Served:
    """A running `view` or `serve`; `url` is the first line that it prints, `lines` are all."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [binary(), *map(str, arguments), "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env={**os.environ, "XDG_STATE_HOME": STATE.name})
        self.lines = []
        self.began = threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        if not self.began.wait(PATIENCE_SECONDS) or not self.lines:
            self.process.kill()
            raise AssertionError(f"plumbline {arguments[0]} prints no address")
        self.url = self.lines[0]

    def read(self):
        """Its pipe is emptied, or it would stop at a full one."""
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if "://" in line:
                self.began.set()
        self.began.set()

    @property
    def is_alive(self):
        return self.process.poll() is None

    def end(self):
        """As Control-C does; its exit code."""
        if self.is_alive:
            self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("it goes on after SIGINT") from None
        self.reader.join(5)
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_alive:
            self.process.kill()
            self.process.wait()
