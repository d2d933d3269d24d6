"""Asks `plumbline serve` for a frame many times and takes no answer; prints what that costs it.

    python stalled.py PATH/OF/plumbline CAPTURE [--clients 200] [--others 0] [--tls]

A part of each answer lies in the system's buffers, which do not count here. Resident memory before, at its highest and after the clients were dropped. With --others, so many clients
read the same frame meanwhile; the slowest of them is printed.
"""

import argparse
import socket
import ssl
import subprocess
import time


def resident_mib(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ValueError("no VmRSS")


def ask(port, path, tls, receive_bytes=8192):
    """A client that has asked; with the smallest window that the system gives."""
    client = socket.socket()
    if receive_bytes:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    client.connect(("127.0.0.1", port))
    if tls:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        client.settimeout(20)
        client = context.wrap_socket(client)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    return client


def take(port, path, tls):
    """The size of an answer and the seconds that it took."""
    start = time.monotonic()
    client = ask(port, path, tls, receive_bytes=None)
    count = 0
    while piece := client.recv(1 << 16):
        count += len(piece)
    client.close()
    return count, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("capture")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--others", type=int, default=0)
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    tls = options.tls
    path = "/api/items/0/frames/0"
    server = subprocess.Popen(
        [options.program, "serve", options.capture, "--no-open"] + ["--tls"] * tls, stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().split(":")[2].split("/")[0])
        count, seconds = take(port, path, tls)
        print(f"one answer: {count / 1000:.0f} kB, {seconds:.2f} s for the first one")
        time.sleep(1)
        before = resident_mib(server.pid)
        clients = [ask(port, path, tls) for _ in range(options.clients)]
        highest, slowest = before, 0.0
        end = time.monotonic() + 8
        left = options.others
        while time.monotonic() < end:
            highest = max(highest, resident_mib(server.pid))
            if left > 0:
                slowest = max(slowest, take(port, path, tls)[1])
                left -= 1
            time.sleep(0.05)
        time.sleep(6)
        print(f"resident: {before:.0f} MiB before, {highest:.0f} MiB with {len(clients)} clients that take "
              f"nothing, {resident_mib(server.pid):.0f} MiB after they were dropped")
        if options.others:
            print(f"the slowest of {options.others} clients that read: {slowest:.2f} s")
        for client in clients:
            client.close()
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main()
