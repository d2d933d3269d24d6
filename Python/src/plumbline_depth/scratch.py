"""Temporary files of a process that may be killed at any time."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

_PREFIX, _LOCK = "plumbline-worker-", "lock"


class ScratchFolder:
    """A temporary folder of this process. Those that killed processes of the same user left are removed first.

    A folder is in use as long as its file ``lock`` is locked, which the system ends with the process.
    """

    def __init__(self) -> None:
        for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
            _remove_unused(folder)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        # Locked before it has its name, so that no other process takes it for one that was left.
        unnamed = self.path / "locking"
        self._lock = open(unnamed, "wb")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        unnamed.rename(self.path / _LOCK)

    def folder(self) -> "tempfile.TemporaryDirectory[str]":
        """A new folder inside."""
        return tempfile.TemporaryDirectory(dir=self.path)

    def remove(self) -> None:
        """Removes everything."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def _remove_unused(folder: Path) -> None:
    try:
        with open(folder / _LOCK, "rb") as lock:
            if os.fstat(lock.fileno()).st_uid != os.getuid():
                return
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        # Another process uses it, or has removed it.
        return
