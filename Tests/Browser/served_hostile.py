"""Pages of other sites in the reader's own browser, which try to get at a running server."""
import http.server
import threading
from urllib.parse import urlsplit

from report_page import expect
from served import Served
from served_views import PHOTOS
from viewer_page import ViewerPage

STRANGER = "evil.example"
# A name that its owner points at this machine; and no help from the browser's own guard of local
# networks, which other browsers lack: the server alone has to refuse.
HOSTILE_FLAGS = [f"--host-resolver-rules=MAP {STRANGER} 127.0.0.1",
                 "--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccessRespectPreflightResults,"
                 "BlockInsecurePrivateNetworkRequests"]
LIVE = ("--source", "simulated", "--scene", "wall", "--size", "64x48", "--fps", "10")

# What each attempt reads; null where it reads nothing.
ATTEMPTS = """async (base) => {
  const socketBase = base.replace('http', 'ws');
  const within = (promise) => Promise.race([promise, new Promise((done) => setTimeout(() => done(null), 5000))]);
  const text = async (path, options) => {
    const response = await fetch(base + path, options);
    const body = await response.text();
    return body && response.ok ? body.slice(0, 60) : null;
  };
  const loaded = (tag, members) => new Promise((done) => {
    const node = Object.assign(document.createElement(tag), members);
    node.onload = () => done(`${tag} loaded ${node.naturalWidth ?? ''}`);
    node.onerror = () => done(null);
    document.body.append(node);
  });
  const socket = (path, protocols) => new Promise((done) => {
    const connection = new WebSocket(socketBase + path, protocols);
    connection.onopen = () => done('open');
    connection.onmessage = () => done('message');
    connection.onerror = connection.onclose = () => done(null);
  });
  const attempts = {
    fetch: () => text('/api/view'),
    frame: () => text('/api/items/0/frames/0'),
    page: () => text('/'),
    cookies: () => text('/api/view', { credentials: 'include' }),
    opaque: () => text('/api/view', { mode: 'no-cors', credentials: 'include' }),
    post: () => text('/api/session', { method: 'POST', mode: 'no-cors', body: 'x' }),
    image: () => loaded('img', { src: base + '/api/items/0/thumbnail' }),
    script: () => loaded('script', { src: base + '/viewer/viewer.js' }),
    module: () => loaded('script', { src: base + '/viewer/viewer.js', type: 'module' }),
    style: () => loaded('link', { href: base + '/viewer/theme.css', rel: 'stylesheet' }),
    live: () => socket('/api/live'),
    publish: () => socket('/api/publish'),
    foxglove: () => socket('/foxglove', ['foxglove.sdk.v1', 'foxglove.websocket.v1']),
  };
  const found = {};
  await Promise.all(Object.entries(attempts).map(async ([name, attempt]) => {
    found[name] = await within(attempt().catch(() => null));
  }));
  return found;
}"""
# Frames and forms are shown by the browser; their contents are read by Playwright, as no page can.
EMBED = """async (base) => {
  document.body.insertAdjacentHTML('beforeend', `
    <iframe name="inside" src="${base}/"></iframe><iframe name="response"></iframe>
    <form id="form" method="post" target="response" action="${base}/api/session"><input name="a" value="b"></form>`);
  document.getElementById('form').submit();
  await new Promise((done) => setTimeout(done, 1500));
  return [...document.querySelectorAll('iframe')].map((node) => {
    try { return node.contentDocument.body.innerText || null; } catch { return null; }
  });
}"""


class HostilePage:
    """An empty page without a policy on a port of its own."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><link rel=icon href=data:,><title>win a prize</title><body></body>")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def expect_nothing_read(page, base):
    found = page.evaluate(ATTEMPTS, base)
    read = {name: value for name, value in found.items() if value is not None}
    expect(not read, f"a page of {page.url} reads {read}")
    expect(page.evaluate(EMBED, base) == [None, None], "a frame can be read")
    inside, response = page.frames[1:]
    for frame in (inside, response):
        expect(not frame.evaluate("Boolean(globalThis.plumblineViewer)"), "the viewer runs in a frame")
        expect("viewer.js" not in frame.content(), "the page is given to a frame")


def check_rebinding(context, port):
    """A name of the attacker that leads here: for the browser the same origin, for the server another one."""
    page = context.new_page()
    response = page.goto(f"http://{STRANGER}:{port}/")
    expect(400 <= response.status < 500, f"a page for {STRANGER}: {response.status}")
    expect("viewer.js" not in response.text(), "the page is given")
    found = page.evaluate(ATTEMPTS, f"http://{STRANGER}:{port}")
    read = {name: value for name, value in found.items() if value is not None}
    expect(not read, f"by rebinding it reads {read}")
    page.close()


def expect_camera_goes_on(viewer, served):
    before = viewer.state("sequence")
    viewer.until("(before) => plumblineViewer.sequence > before + 3", "the next frames", before)
    expect(served.is_alive, "the server has ended")
    expect(not viewer.sees("#banners .banner:not([hidden])") or "nearer" in viewer.text("banners"),
           viewer.text("banners"))
    viewer.expect_quiet()


def check_hostile_pages(checks, browser):
    hostile = HostilePage()
    with Served("serve", *LIVE, PHOTOS / "healthy-truedepth.jpg") as served:
        base, port = served.url.rstrip("/"), urlsplit(served.url).port
        viewer = ViewerPage(browser, served.url + "#live")
        viewer.until("plumblineViewer.hasFrame", "a frame")
        own = ViewerPage(browser, served.url + "#live")
        reads = own.page.evaluate(ATTEMPTS, base)
        own.close()

        def control():
            """From the viewer's own page the same attempts do read, else the others prove nothing."""
            unread = [name for name, value in reads.items() if value is None]
            # /api/session has nothing to give without a token; publishing is refused beside another source.
            expect(set(unread) <= {"post", "opaque", "publish"}, f"its own page does not read {unread}")

        checks.run("hostile: what is tried works for the page itself", control)
        context = browser.new_context()
        for host in ("127.0.0.1", "localhost", STRANGER):
            def tries():
                page = context.new_page()
                page.goto(f"http://{host}:{hostile.port}/")
                expect_nothing_read(page, base)
                page.close()

            checks.run(f"hostile: a page of {host} on another port reads nothing", tries)
        checks.run("hostile: a name pointed at this machine reads nothing", lambda: check_rebinding(context, port))
        checks.run("hostile: the camera goes on", lambda: expect_camera_goes_on(viewer, served))
        context.close()
        viewer.close()
        checks.run("hostile: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))
    hostile.close()


def check_hostile_with_session(checks, browser):
    """The browser sends the reader's cookie to every port of the host: it must not be enough."""
    hostile = HostilePage()
    with Served("serve", *LIVE, "--host", "0.0.0.0", PHOTOS / "healthy-truedepth.jpg") as served:
        link = urlsplit(served.url)
        base = f"{link.scheme}://{link.netloc}"
        viewer = ViewerPage(browser, f"{base}/#live&{link.fragment}")
        viewer.until("plumblineViewer.hasFrame", "a frame")

        def tries():
            expect(viewer.context.cookies(base), "no session to abuse")
            # The reader's own host, to which the browser gives the cookie, and another one.
            for host in (link.hostname, "127.0.0.1"):
                page = viewer.context.new_page()
                page.goto(f"http://{host}:{hostile.port}/")
                expect_nothing_read(page, base)
                page.close()

        checks.run("hostile: a reader's session is not lent to another port", tries)
        checks.run("hostile: the camera with a token goes on", lambda: expect_camera_goes_on(viewer, served))
        stranger = browser.new_context().new_page()

        def tokenless():
            stranger.goto(base + "/")
            responses = [stranger.request.get(base + path).status for path in ("/api/view", "/api/items/0/frames/0")]
            expect(responses == [401, 401], f"without the token: {responses}")

        checks.run("hostile: without the token nothing is given", tokenless)
        stranger.context.close()
        viewer.close()
    hostile.close()
