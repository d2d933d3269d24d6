"""A server that others may reach: its link, its cookie, tokens that are wrong, and encryption."""
import shutil
import subprocess
from urllib.parse import urlsplit

from report_page import expect
from served import Served
from served_views import PHOTOS
from viewer_page import ViewerPage

LIVE = ("--source", "simulated", "--scene", "wall", "--size", "64x48", "--fps", "10", "--host", "0.0.0.0")
# Without TLS browsers do not heed this header beyond loopback, and say so; a refusal is an entry too.
KNOWN = ("Cross-Origin-Opener-Policy header has been ignored", "401 (Unauthorized)")


def check_remote(checks, browser, temporary):
    """By plain HTTP, with a certificate that was given, and with one self-signed."""
    check_link(checks, browser, "token", "http", ())
    if not shutil.which("openssl"):
        return print("skipped: no openssl here: nothing about TLS was tried")
    certificate, key = temporary / "cert.pem", temporary / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=host.local", "-addext", "subjectAltName=IP:127.0.0.1,DNS:host.local", "-keyout", key, "-out",
         certificate], check=True, capture_output=True)
    check_link(checks, browser, "certificate", "https", ("--certificate", certificate, "--key", key))
    check_link(checks, browser, "tls", "https", ("--tls",))


def check_link(checks, browser, name, scheme, arguments):
    with Served("serve", *LIVE, *arguments, PHOTOS / "healthy-truedepth.jpg") as served:
        link = urlsplit(served.url)
        base = f"{link.scheme}://{link.netloc}/"
        viewer = ViewerPage(browser, served.url, ignore_https_errors=True)

        def opens():
            expect(link.scheme == scheme and link.fragment.startswith("token="), served.url)
            # The source is live: that is what is shown, unless something else is requested.
            viewer.page.goto(base + "#live")
            viewer.until("plumblineViewer.hasFrame", "a frame")
            before = viewer.state("sequence")
            viewer.until("(before) => plumblineViewer.sequence > before + 2", "the next frames", before)
            viewer.expect_quiet(allowed=KNOWN)

        def keeps_the_secret():
            secret = link.fragment.removeprefix("token=")
            expect(secret not in viewer.page.url, "the token stays in the address")
            expect(all(secret not in request for request in viewer.requests[1:]), "the token is in a request's line")
            expect(viewer.page.evaluate("document.cookie") == "", "a script can read the cookie")
            cookies = viewer.context.cookies()
            expect(len(cookies) == 1 and secret not in cookies[0]["value"], f"{len(cookies)} cookies, or the token")
            expect(cookies[0]["httpOnly"] and cookies[0]["sameSite"] == "Strict", f"{cookies[0]}")
            expect(cookies[0]["secure"] == (scheme == "https"), "the cookie's secure")

        def goes_on_without():
            """A page that is loaded again, or opened from a bookmark, has the cookie; with an old link too."""
            for url in (base, base + "#token=" + "0" * 32):
                page = viewer.context.new_page()
                page.goto(url)
                page.evaluate("plumblineViewer.ready")
                kind = page.evaluate("fetch('/api/view').then((response) => response.status)")
                expect(kind == 200, f"{url}: {kind}")
                page.close()

        def refuses(fragment, words):
            stranger = ViewerPage(browser, base + fragment, ignore_https_errors=True)
            stranger.until("(words) => document.body.innerText.includes(words)", words, words)
            expect(not stranger.state("hasFrame"), "a frame is shown")
            statuses = stranger.page.evaluate("""() => Promise.all(
              ['/api/view', '/api/items/0', '/api/items/0/frames/0', '/api/items/0/frames/0/check',
               '/api/items/0/thumbnail'].map((path) => fetch(path).then((response) => response.status)))""")
            expect(statuses == [401] * 5, f"without a token: {statuses}")
            stranger.expect_width()
            stranger.close()

        checks.run(f"{name}: the link shows frames", opens)
        checks.run(f"{name}: the token is in no address, request or script", keeps_the_secret)
        checks.run(f"{name}: the cookie is enough afterwards", goes_on_without)
        checks.run(f"{name}: without a token the page says so", lambda: refuses("", "requires a token"))
        checks.run(f"{name}: a wrong token is said to be one",
                   lambda: refuses("#token=" + "0" * 32, "no longer valid"))
        if scheme == "https":
            checks.run(f"{name}: only who accepts the certificate", lambda: expect_distrust(browser, base))
        viewer.close()
        checks.run(f"{name}: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))


def expect_distrust(browser, base):
    context = browser.new_context()
    page = context.new_page()
    try:
        page.goto(base)
        raise AssertionError("a certificate that signs itself is trusted")
    except Exception as error:
        expect("ERR_CERT" in str(error), str(error))
    context.close()
