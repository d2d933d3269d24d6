"""A shard of captures, done by one worker on one node: copied from their store, worked on, and told as rows.

Nothing here knows who hands out the shards.
"""

from __future__ import annotations

import hashlib
import json
import os
import unicodedata
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from .batch_rows import Row, record_of, row_of
from .batch_worker import Answer, BatchWorker, WorkerLimits
from .capture_child import FAULT, STORAGE, UNREADABLE, CaptureChild, GivenCapture, failure_document
from .scratch import ScratchFolder
from .stores import StorageOptions, Store, is_path


@dataclass(frozen=True)
class Work:
    """What is done with each capture.

    Attributes:
        arguments: Those of the program before the capture, such as ``("check", "--json")``.
        output: The address of the folder of results.
        writes_files: Whether the verb writes files for each capture, which are then copied there.
        row_format: ``parquet`` or ``jsonl``, of the rows.
        limits: What one capture may use.
        maximum_bytes: The most bytes of a capture that is copied from a store.
        input_options: What the store of the captures needs.
        output_options: What the store of the results needs.
        command: The command of the child; ``None`` is that of this package on the node.
    """

    arguments: Tuple[str, ...]
    output: str
    writes_files: bool = False
    row_format: str = "jsonl"
    limits: WorkerLimits = WorkerLimits()
    maximum_bytes: int = 16 << 30
    input_options: StorageOptions = None
    output_options: StorageOptions = None
    command: Optional[Tuple[str, ...]] = None


@dataclass(frozen=True)
class ShardResult:
    """The rows of a shard.

    Attributes:
        rows: Lines of JSON, or a stream of Arrow for ``parquet``.
        count: The number of rows.
        failed: How many of them say that the capture failed.
        lost_children: How many children were lost.
    """

    rows: bytes
    count: int
    failed: int
    lost_children: int


class ShardWorker:
    """Does shards one after the other, with one child process."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._child = CaptureChild(BatchWorker(work.limits, work.command), work.arguments)
        self._copier = ThreadPoolExecutor(max_workers=1)
        self._scratch = ScratchFolder()

    def about(self) -> Dict[str, Optional[str]]:
        """Starts the child, and says its ``version`` and the ``auth_mode`` of this process."""
        return {"version": self._child.version(), "auth_mode": os.environ.get("RAY_AUTH_MODE")}

    def do(self, addresses: Sequence[str]) -> ShardResult:
        """Works on the captures in their order. Whatever happens to one, it gets a row."""
        lost_before = self._child.lost
        rows = []
        for given, answer in self._child.answers(self._fetch_ahead(addresses)):
            try:
                rows.append(self._row(given, answer))
            finally:
                given.remove()
        failed = sum(row.state == "failed" for row in rows)
        lost = self._child.lost - lost_before
        return ShardResult(encoded(rows, self._work.row_format), len(rows), failed, lost)

    def close(self) -> None:
        """Ends the child and removes its temporary files."""
        self._child.close()
        self._copier.shutdown(wait=False)
        self._scratch.remove()

    def _fetch_ahead(self, addresses: Sequence[str]) -> Iterator[GivenCapture]:
        """The captures one after the other; while one is worked on, the next one is copied."""
        coming: List["Future[GivenCapture]"] = []
        try:
            for index, address in enumerate(addresses):
                if is_path(address) and not self._work.writes_files:
                    yield GivenCapture(address, address)
                    continue
                if not coming:
                    coming.append(self._copier.submit(self._fetched, address))
                current = coming.pop()
                if index + 1 < len(addresses):
                    coming.append(self._copier.submit(self._fetched, addresses[index + 1]))
                yield self._waited_for(current, address, coming)
        finally:
            for future in coming:
                future.add_done_callback(lambda late: late.result().remove())

    def _waited_for(self, future: "Future[GivenCapture]", address: str, coming: List["Future[GivenCapture]"]) -> GivenCapture:
        seconds = self._work.limits.seconds
        try:
            return future.result(timeout=seconds)
        except TimeoutError:
            # The thread hangs in the store: it is left behind, and what it copies is removed if it ever ends.
            future.add_done_callback(lambda late: late.result().remove())
            self._copier.shutdown(wait=False, cancel_futures=True)
            self._copier = ThreadPoolExecutor(max_workers=1)
            coming.clear()
            return GivenCapture(address, failure=failure_document(STORAGE, address, f"The store took longer than {seconds:g} s."))

    def _fetched(self, address: str) -> GivenCapture:
        given = GivenCapture(address)
        try:
            store = Store(address, self._work.input_options)
            if self._work.writes_files or not store.is_local:
                given.folder = self._scratch.folder()
            if self._work.writes_files and given.folder is not None:
                # The document has the paths of files from these two names on.
                given.output = os.path.join(given.folder.name, "captures", folder_name(address))
                os.mkdir(os.path.dirname(given.output))
            if store.is_local or given.folder is None:
                given.path = store.path
            else:
                copies = os.path.join(given.folder.name, "copy")
                os.mkdir(copies)
                given.path = store.copy_to(copies, self._work.maximum_bytes)
        except (FileNotFoundError, PermissionError) as failure:
            given.failure = failure_document(UNREADABLE, address, f"The capture cannot be read: {failure}.")
        except Exception as failure:
            # A store can raise anything; the capture fails, and the others go on.
            given.failure = failure_document(STORAGE, address, f"The store does not give the capture: {failure}.")
        return given

    def _row(self, given: GivenCapture, answer: Answer) -> Row:
        if given.output is not None and os.path.exists(given.output):
            failure = self._put(given.address, given.output)
            if failure is not None:
                answer = Answer(failure["code"], failure, answer.bytes, answer.sha256, answer.seconds)
        document = replaced(answer.document, given.path, given.address)
        return row_of(record_of(document, given.address, answer.bytes, answer.sha256), answer.code)

    def _put(self, address: str, output: str) -> Optional[Dict[str, Any]]:
        """Copies what the verb wrote into the folder of results; the failure where that is not possible."""
        try:
            Store(self._work.output, self._work.output_options).put(output, f"captures/{folder_name(address)}")
        except Exception as failure:
            return failure_document(STORAGE, address, f"The results cannot be stored: {failure}.")
        return None


def encoded(rows: List[Row], row_format: str) -> bytes:
    """Rows as they are sent: lines of JSON, or a stream of Arrow for ``parquet``."""
    if row_format == "jsonl":
        return b"".join(json_line(row.document) for row in rows)
    from .batch_tables import packed

    return packed(rows)


def json_line(document: Mapping[str, Any]) -> bytes:
    """A line of ``results.jsonl``."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def folder_name(address: str) -> str:
    """The name of a capture's folder among the results, from its address alone, as ``plumbline batch`` makes it."""
    name = address.rstrip("/").rsplit("/", 1)[-1]
    stem, dot, ending = name.rpartition(".")
    if not (stem and dot and 1 <= len(ending.encode()) <= 5):
        stem = name
    safe = "".join("_" if _is_special(each) else each for each in stem)
    safe = "_" + safe[1:] if safe.startswith(".") else safe
    safe = "capture" if not safe.strip("_") else safe
    readable = safe.encode()[:80].decode(errors="ignore")
    return f"{readable}-{hashlib.sha256(address.encode()).hexdigest()[:16]}"


def _is_special(character: str) -> bool:
    return character in '/\\:*?"<>|' or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def lost_node_row(address: str, times: int) -> Row:
    """The row of a capture with which every node was lost that worked on it."""
    message = f"The node was lost {times} times while it worked on this capture."
    return row_of(record_of(failure_document(FAULT, address, message), address, None, None), FAULT)


def replaced(value: Any, local: str, address: str) -> Any:
    """A document in which the name of the copy is that of the capture again."""
    if local == address or not local:
        return value
    if isinstance(value, dict):
        return {key: replaced(each, local, address) for key, each in value.items()}
    if isinstance(value, list):
        return [replaced(each, local, address) for each in value]
    return value.replace(local, address) if isinstance(value, str) else value
