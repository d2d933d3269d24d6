"""The browser in which the tests open pages: Chromium, driven by Playwright for Python."""
import contextlib
import importlib.util
import os

# The exit code of a test that cannot run here (EX_TEMPFAIL of sysexits.h).
CANNOT_RUN = 75
# WebGL is drawn by the processor, so that every machine shows the same pixels.
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-gpu-compositing"]


def path():
    """The path of the browser; CHROMIUM names another one."""
    return os.environ.get("CHROMIUM", "/usr/bin/chromium")


def missing(*packages):
    """Why no page can be opened here, or which of the test's own Python packages is not there; None where all is."""
    absent = [name for name in ("playwright", *packages) if importlib.util.find_spec(name) is None]
    if absent:
        return f"no Python package {', '.join(absent)}: pip install -r Scripts/requirements-test.txt"
    if not os.access(path(), os.X_OK):
        return f"no browser at {path()}: set CHROMIUM"
    return None


@contextlib.contextmanager
def opened(flags=FLAGS):
    """The browser, until the `with` ends."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path(), args=flags)
        yield browser
        browser.close()
