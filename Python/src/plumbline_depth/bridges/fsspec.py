"""Captures from any store that fsspec reaches: ``s3://``, ``gs://``, ``https://``, ``memory://``, …"""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Iterator

import fsspec

from ..capture import Capture
from ..opening import open_recording, read
from ..recording import Recording

#: The most bytes of one photo, as the library has it.
LIMIT_BYTES = 256 * 1024 * 1024


def open_capture(address: str, *, storage_options: Any = None, **options: Any) -> Capture:
    """Reads one capture from a store into memory.

    Args:
        address: Such as ``s3://bucket/portrait.heic``.
        storage_options: What the store needs, as fsspec takes it.
        options: Those of :func:`plumbline_depth.read`.

    Raises:
        ValueError: The file is larger than ``LIMIT_BYTES``.
    """
    opened: Any = fsspec.open(address, "rb", **(storage_options or {}))
    with opened as file:
        # One byte more than allowed, so that a larger file is noticed without its size being stated.
        data = file.read(LIMIT_BYTES + 1)
    if len(data) > LIMIT_BYTES:
        raise ValueError(f"{address} is larger than {LIMIT_BYTES} bytes")
    return read(data, address.rstrip("/").rsplit("/", 1)[-1], **options)


@contextlib.contextmanager
def opened_recording(address: str, *, storage_options: Any = None, **options: Any) -> Iterator[Recording]:
    """Copies a recording to a temporary folder and opens it there; the folder goes with the ``with`` block.

    A recording is read from many places of its file, which a store serves slowly.
    """
    system, path = fsspec.core.url_to_fs(address, **(storage_options or {}))
    with tempfile.TemporaryDirectory(prefix="plumbline-") as folder:
        copy = os.path.join(folder, path.rstrip("/").rsplit("/", 1)[-1])
        system.get(path, copy, recursive=True)
        yield open_recording(copy, **options)
