"""Serves the files of a folder on this machine, well or badly: FOLDER LOG [CERTIFICATE KEY].

Writes the port to standard output and ends with its standard input. The first part of a path says how the file of
the last part is served; LOG gets a line for each request: the path and the range that was asked for.
"""
import http.server
import pathlib
import signal
import ssl
import sys
import threading
import time

# The program that starts it may have blocked the signal that ends it.
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
FOLDER, LOG = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
late = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        way, name = self.path.split("/")[1], self.path.split("/")[-1]
        asked = self.headers.get("Range", "")
        with LOG.open("a") as log:
            log.write(f"{self.path} {asked}\n")
        self.close_connection = True
        file = FOLDER / name
        if way == "absent" or not file.is_file():
            return self.fail(404)
        data = file.read_bytes()
        if way == "insecure":
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/ranges/{name}")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if way == "wrong":
            data = bytes(255 - byte for byte in data)
        if way == "short":
            data = data[: len(data) // 2]
        first, last = 0, len(data) - 1
        if asked and way not in ("whole", "wholecut", "flood"):
            first, last = (int(number) for number in asked.removeprefix("bytes=").split("-"))
            last = min(last, len(data) - 1)
            if first >= len(data):
                return self.fail(416)
        if way == "late" and first >= 60_000:
            late[name] = late.get(name, 0) + 1
            if late[name] <= 3:
                return self.fail(503)
        is_part = bool(asked) and way not in ("whole", "wholecut", "flood")
        self.answer(way, data[first:last + 1], is_part, first, len(data))

    def answer(self, way, body, is_part, first, total):
        self.send_response(206 if is_part else 200)
        if is_part:
            self.send_header("Content-Range", f"bytes {first}-{first + len(body) - 1}/{total}")
        if way in ("endless", "flood"):
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                for _ in range(1000):
                    self.wfile.write(bytes(10_000))
            except OSError:
                pass
            return
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if way == "cut":
            body = body[: len(body) * 2 // 5]
        if way == "wholecut":
            body = body[: len(body) * 2 // 3]
        if way == "slow":
            self.wfile.write(body[:10])
            self.wfile.flush()
            return time.sleep(8)
        self.wfile.write(body)

    def fail(self, code):
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
