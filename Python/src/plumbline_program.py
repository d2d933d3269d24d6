"""The console script ``plumbline``: it becomes the program that is inside ``plumbline_depth``.

It is a module of its own so that it starts without importing numpy.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program, with the arguments of this process."""
    named = os.environ.get("PLUMBLINE_PROGRAM")
    path = named or str(Path(__file__).with_name("plumbline_depth") / "bin" / "plumbline")
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as failure:
        sys.exit(f"plumbline: the program cannot be started: {path}: {failure.strerror}")
