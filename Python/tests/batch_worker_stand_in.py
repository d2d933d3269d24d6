#!/usr/bin/env python3
"""A stand-in for ``plumbline batch-worker`` that misbehaves where the first word of a file says so.

``crash``, ``hang``, ``flood``, ``noise``, ``swap`` and ``eat`` are faults of a worker; ``refuse`` is a file that
cannot be used; ``kill`` ends the process that started this one, as the loss of a node does; ``slow`` takes 50 ms.
Any other file has a result. Each capture that is begun is noted in the file that ``STAND_IN_LOG`` names.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import select
import signal
import sys
import threading
import time
from typing import Any, Dict


def main() -> None:
    for option in sys.argv[1:]:
        if option.startswith("--memory-limit="):
            limit = int(option.partition("=")[2])
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    threading.Thread(target=end_with_reader, daemon=True).start()
    say({"worker": "plumbline.batch-worker/1", "version": "stand-in"})
    for line in sys.stdin:
        request = json.loads(line)
        say(answer(request))


def end_with_reader() -> None:
    """Ends this process when its answers have no reader any more, also while it works."""
    poll = select.poll()
    poll.register(1, 0)
    poll.poll()
    os.kill(os.getpid(), signal.SIGKILL)


def answer(request: Dict[str, Any]) -> Dict[str, Any]:
    path = request["arguments"][-1]
    note(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return said(request, 66, failure(66, path, f"there is no file {path}"))
    misbehave(data.split(b" ")[0].decode("utf-8", "replace"))
    if data.startswith(b"refuse"):
        return said(request, 65, failure(65, path, "it is no capture"), data)
    if "output" in request:
        os.mkdir(request["output"])
        with open(os.path.join(request["output"], "copy.txt"), "wb") as copy:
            copy.write(data)
    document = {"schema": "plumbline.check/1", "file": os.path.basename(path), "verdict": "measurable", "findings": []}
    return said(request, 0, document, data)


def misbehave(word: str) -> None:
    if word == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif word == "hang":
        time.sleep(3600)
    elif word == "flood":
        while True:
            os.write(1, b"x" * 65536)
    elif word == "eat":
        os.write(2, b"%d" % len(bytes(1 << 40)))
    elif word == "noise":
        os.write(1, b"not JSON\n")
    elif word == "swap":
        os.write(1, b'{"id": -1, "code": 0}\n')
    elif word == "kill":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(3600)
    elif word == "slow":
        time.sleep(0.05)


def said(request: Dict[str, Any], code: int, document: Dict[str, Any], data: bytes = b"") -> Dict[str, Any]:
    return {
        "id": request["id"],
        "code": code,
        "seconds": 0.01,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "document": document,
    }


def failure(code: int, path: str, message: str) -> Dict[str, Any]:
    parts = {"file": path, "place": None, "expected": None, "found": None}
    return {"schema": "plumbline.error/1", "code": code, "message": message, **parts}


def note(path: str) -> None:
    log = os.environ.get("STAND_IN_LOG")
    if log:
        with open(log, "a") as file:
            file.write(os.path.basename(path) + "\n")


def say(document: Dict[str, Any]) -> None:
    print(json.dumps(document), flush=True)


if __name__ == "__main__":
    main()
