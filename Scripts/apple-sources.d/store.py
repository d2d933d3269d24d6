"""Imports of a source, digests of contents, and the store of what was compiled, by digest."""
import collections
import hashlib
import pathlib
import re
import shutil
import threading

IMPORT = re.compile(
    r"^(?P<start>\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+)"
    r"(?P<kind>(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(?P<module>\w+)", re.M)


def digest(*parts: str | bytes) -> str:
    """A name for contents."""
    made = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        made.update(str(len(data)).encode() + b":" + data)
    return made.hexdigest()[:20]


def imports(text: str) -> set[str]:
    """The modules that a source or an interface imports."""
    # Of two on a line, both.
    text = re.sub(r"(import \w+); ", r"\1\n", text)
    return {found["module"] for found in IMPORT.finditer(text)}


def with_apple_part(text: str, declared: set[str]) -> str:
    """The source with `AppleX` imported wherever it imports X and `AppleX` declares what X has on Apple platforms."""
    def both(found: re.Match) -> str:
        apple = f"Apple{found['module']}"
        if apple not in declared:
            return found.group()
        access = "private " if "private" in found["start"] else ""
        return f"{found.group()}; {access}import {apple}" if not found["kind"] else found.group()

    return IMPORT.sub(both, text)


class Store:
    """Compiled modules, resolved sources and the checks that passed, by digest."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.used: set[pathlib.Path] = set()
        self.locks: collections.defaultdict[str, threading.Lock] = collections.defaultdict(threading.Lock)
        self.own_lock = threading.Lock()

    def lock(self, key: str) -> threading.Lock:
        """Held while what has this digest is written, since passes are prepared side by side."""
        with self.own_lock:
            return self.locks[key]

    def place(self, kind: str, name: str) -> pathlib.Path:
        path = self.folder / kind / name
        self.used.add(path)
        return path

    def remove_unused(self) -> None:
        """Removes what the run since the start did not ask for."""
        for kind in ("modules", "sources", "passed"):
            for path in (self.folder / kind).glob("*"):
                if path not in self.used:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
