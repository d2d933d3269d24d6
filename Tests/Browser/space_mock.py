"""Serves the viewer's files and the mock page of the 3D view on loopback, under the viewer's policy."""
import http.server
import pathlib
import threading

HERE = pathlib.Path(__file__).resolve().parent
VIEWER = HERE.parent.parent / "Sources" / "C" / "CEmbeddedData" / "viewer"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
          "connect-src 'self'")
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


class Files(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.split("?")[0].lstrip("/") or "space_mock.html"
        folder, _, leaf = name.rpartition("/")
        file = (VIEWER if folder == "viewer" else HERE) / leaf
        if folder not in ("", "viewer") or file.suffix not in KINDS or not file.is_file():
            self.send_error(404)
            return
        body = file.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", KINDS[file.suffix] + "; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class MockServer:
    """`with MockServer() as url:`"""

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    with MockServer() as url:
        print(url)
        threading.Event().wait()
