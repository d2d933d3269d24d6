"""The rows of a batch in a store: files that are each written once and never changed.

The files are the ledger as well: a capture is done when its row is in one of them.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
import time
from typing import Any, List, Mapping, Set

from .errors import UsageError
from .stores import Store

#: A file ends with so many rows, with so many bytes as workers send them, or after so many seconds: what comes first.
PART_ROWS, PART_BYTES, PART_SECONDS = 50_000, 64 << 20, 60.0

_FOLDER, _CLAIM = "rows", "batch.json"


class RowParts:
    """Files ``rows/00000.parquet``, … (or ``.jsonl``) in the folder of an address.

    Rows are collected in a local file, a row group for some thousand rows, which is copied to the store when it
    ends. Rows of an unfinished file are lost with this process; their captures are then done again.
    """

    def __init__(self, store: Store, row_format: str, settings: Mapping[str, Any]) -> None:
        self.names: List[str] = [f"{_FOLDER}/{name}" for name in store.names(_FOLDER) if _is_part(name)]
        self._store = store
        self._settings = dict(settings)
        self._run = secrets.token_hex(8)
        self._format = row_format
        self._folder = tempfile.TemporaryDirectory(prefix="plumbline-")
        self._file: Any = None
        self._rows = self._bytes = 0
        self._began = 0.0

    def claim(self) -> None:
        """Makes the folder that of this run. Another run that still writes there ends at its next file.

        Raises:
            UsageError: The rows there are of other settings.
        """
        names = self._store.names()
        if _CLAIM in names:
            earlier = json.loads(self._store.read(_CLAIM))["settings"]
            if earlier != self._settings:
                raise UsageError(
                    "the folder has the results of other settings",
                    file=self._store.path,
                    expected=json.dumps(self._settings),
                    found=json.dumps(earlier),
                )
        elif self.names:
            raise UsageError(f"the folder has rows and no {_CLAIM}, which says of what", file=self._store.path)
        claim = {"schema": "plumbline.ray-batch/1", "settings": self._settings, "run": self._run}
        self._store.write(_CLAIM, json.dumps(claim).encode() + b"\n")

    def written_paths(self) -> Set[str]:
        """The paths of all rows that are in the store.

        Raises:
            UsageError: The rows there have another format.
        """
        paths: Set[str] = set()
        for name in self.names:
            if not name.endswith("." + self._format):
                raise UsageError(f"the rows there are not {self._format}", file=name)
            paths.update(_paths(self._store.read(name), self._format))
        return paths

    def append(self, rows: bytes, count: int) -> None:
        """Adds rows as ``shards.encoded`` gives them; ends the file where it is time."""
        if self._file is None:
            self._file = _new_file(self._local(), self._format)
            self._began = time.monotonic()
        self._file.append_packed(rows)
        self._rows += count
        self._bytes += len(rows)
        is_old = time.monotonic() - self._began >= PART_SECONDS
        if is_old or self._rows >= PART_ROWS or self._bytes >= PART_BYTES:
            self.finish_part()

    def finish_part(self) -> None:
        """Ends the file, if there is one, and copies it to the store."""
        if self._file is None:
            return
        self._file.close()
        if json.loads(self._store.read(_CLAIM))["run"] != self._run:
            raise UsageError("another run has taken the folder over; this one ends", file=self._store.path)
        last = max((int(name[len(_FOLDER) + 1 :].partition(".")[0]) for name in self.names), default=-1)
        name = f"{_FOLDER}/{last + 1:05}.{self._format}"
        self._store.put(self._local(), name)
        self.names.append(name)
        self._file = None
        self._rows = self._bytes = 0

    def close(self) -> None:
        """Ends the file and removes the local folder."""
        try:
            self.finish_part()
        finally:
            self._folder.cleanup()

    def _local(self) -> str:
        return os.path.join(self._folder.name, "part")


class _LinesFile:
    """A file of lines of JSON, with the calls of ``ParquetFile``."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "wb")

    def append_packed(self, rows: bytes) -> None:
        self._file.write(rows)

    def close(self) -> None:
        self._file.close()


def _is_part(name: str) -> bool:
    number, _, ending = name.partition(".")
    return number.isdigit() and ending in ("parquet", "jsonl")


def _paths(data: bytes, row_format: str) -> List[str]:
    if row_format == "parquet":
        from .batch_tables import paths_of

        return paths_of(data)
    return [json.loads(line)["path"] for line in data.split(b"\n") if line]


def _new_file(path: str, row_format: str) -> Any:
    if row_format == "parquet":
        from .batch_tables import ParquetFile

        return ParquetFile(path)
    return _LinesFile(path)
