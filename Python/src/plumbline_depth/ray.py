"""Many captures on a cluster of Ray: ``plumbline_depth.ray.batch("s3://bucket/*.heic", "s3://bucket/results")``.

Each worker is an actor of Ray with one child process of the program. Shards of captures are handed out, a bounded
number at a time, and their rows are collected in Parquet or JSON lines. ``Documentation/batch-ray.md`` has more.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Deque, Dict, List, Optional, Sequence, Tuple, Union

from . import __version__
from .batch_worker import WorkerLimits
from .errors import CancelledError, MissingInputError, ProgramFaultError, StorageError, UsageError
from .progress import Progress, ProgressFunction, close, progress_function
from .row_parts import RowParts
from .settings import Setting, arguments
from .shards import ShardResult, ShardWorker, Work, encoded, lost_node_row
from .stores import StorageOptions, Store, expanded

# Not an import statement: types are checked with Ray and without it.
ray: Any = importlib.import_module("ray")

# Shards that a worker has at a time: one is worked on while the next one waits with it.
_SHARDS_OF_A_WORKER = 2

_LOSSES: Any = (
    ray.exceptions.RayActorError,
    ray.exceptions.OutOfMemoryError,
    ray.exceptions.WorkerCrashedError,
)

# How often a shard is lost with its node before its captures are tried one by one, and each of those after that.
_LOSSES_OF_A_SHARD, _LOSSES_OF_A_CAPTURE = 2, 3

# Verbs that print no document, and verbs whose result is files.
_WITHOUT_DOCUMENT = frozenset(["cloud", "extract"])
_WRITING = frozenset(["cloud", "convert", "correct", "estimate", "extract", "face", "filter"])

# How many workers may be lost while they start, for each that is wanted, until something is done again.
_LOST_STARTS_OF_A_WORKER = 5

_WHY_TOKEN = (
    "whoever reaches the ports of a cluster of Ray can run any program on its nodes, unless it asks for a token: "
    "set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN for `ray start` on each node, and here"
)


@dataclass(frozen=True)
class RayResult:
    """What a batch on a cluster did.

    Attributes:
        total: The captures that were found.
        done: Those with a result in this run.
        failed: Those that could not be used; their rows say why.
        skipped: Those whose rows were there already.
        seconds: How long it took, seconds.
        files: The names of all files with rows, in the folder of results.
        calls: How many calls of workers the scheduler of Ray passed on.
        row_bytes: The bytes of rows that workers sent.
        lost_workers: How many workers were lost with their node or process, and replaced.
        lost_children: How many of their child processes ended or were killed.
    """

    total: int
    done: int
    failed: int
    skipped: int
    seconds: float
    files: Tuple[str, ...]
    calls: int
    row_bytes: int
    lost_workers: int
    lost_children: int


def batch(
    captures: Union[str, Sequence[str]],
    output: str,
    verb: str = "check",
    *,
    workers: Optional[int] = None,
    shard_size: int = 32,
    limits: WorkerLimits = WorkerLimits(),
    reports: bool = False,
    row_format: Optional[str] = None,
    input_options: StorageOptions = None,
    output_options: StorageOptions = None,
    address: str = "auto",
    insecure: bool = False,
    progress: Progress = True,
    start_seconds: float = 600.0,
    **settings: Setting,
) -> RayResult:
    """Runs a verb on many captures, on an existing cluster of Ray.

    A capture can be worked on more than once, where a node is lost; it has exactly one row. The same call again does
    what has no row yet. A capture that ends or blocks its worker twice has a row that says so.

    Args:
        captures: Addresses of files or folders; one with ``*`` stands for all that match it. Local paths are read
            in place, so each node must have them; what is in a store is copied to the node and removed there.
        output: The address of the folder of results, which may be there.
        verb: As ``plumbline batch`` has it.
        workers: How many work at a time, each on one processor; without it as many as the cluster has.
        shard_size: How many captures a worker is handed at a time, 1 to 64; fewer where there are few captures.
        limits: What one capture may use.
        reports: Whether ``check``, ``measure`` and ``verify`` write the report or image of each capture too, which
            goes to ``captures/NAME`` of the folder of results, as the files of other verbs do.
        row_format: ``parquet`` or ``jsonl``; without it Parquet where pyarrow is installed.
        input_options: What the store of the captures needs, as fsspec takes it. It reaches the nodes.
        output_options: The same of the store of the results.
        address: The cluster, as ``ray.init`` takes it; a connection that Ray has already is used.
        insecure: Whether a cluster without tokens may be used.
        progress: See :data:`plumbline_depth.progress.Progress`.
        start_seconds: How long to wait while the cluster has no place for any worker.
        settings: The options of the verb with ``_`` for ``-``.

    Raises:
        UsageError: The cluster asks for no token, or the folder has results of other settings.
        MissingInputError: Nothing matches an address, or a node has no program.
        StorageError: The cluster has no place for any worker.
        CancelledError: ``progress`` returned ``False``. Rows until then are stored, as after Control-C.
    """
    if not 1 <= shard_size <= 64:
        raise UsageError("a shard has 1 to 64 captures", found=str(shard_size))
    row_format = row_format or ("parquet" if importlib.util.find_spec("pyarrow") else "jsonl")
    if row_format not in ("parquet", "jsonl"):
        raise UsageError("rows are parquet or jsonl", found=row_format)
    _connect(address, insecure)
    work = Work(
        arguments=(verb, *([] if verb in _WITHOUT_DOCUMENT else ["--json"]), *arguments(settings)),
        output=output,
        writes_files=reports or verb in _WRITING,
        row_format=row_format,
        limits=limits,
        input_options=input_options,
        output_options=output_options,
    )
    began = time.monotonic()
    addresses = expanded(captures, input_options)
    parts = RowParts(
        Store(output, output_options), row_format, {"arguments": list(work.arguments), "version": __version__}
    )
    function = progress_function(progress)
    try:
        parts.claim()
        written = parts.written_paths()
        waiting = [each for each in addresses if each not in written]
        count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        run = _Run(work, parts, count, insecure, start_seconds)
        run.do(waiting, shard_size, function)
    finally:
        parts.close()
        close(function)
    return RayResult(
        total=len(addresses),
        done=len(waiting) - run.failed,
        failed=run.failed,
        skipped=len(addresses) - len(waiting),
        seconds=time.monotonic() - began,
        files=tuple(parts.names),
        calls=run.calls,
        row_bytes=run.row_bytes,
        lost_workers=run.lost_workers,
        lost_children=run.lost_children,
    )


def _connect(address: str, insecure: bool) -> None:
    if not insecure and os.environ.get("RAY_AUTH_MODE") != "token":
        raise UsageError(f"the cluster is not used without a token: {_WHY_TOKEN}", expected="RAY_AUTH_MODE=token")
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)


@dataclass
class _Shard:
    """Captures that are handed out together, and how often they were lost with a node."""

    addresses: List[str]
    losses: int = 0

    @property
    def is_suspect(self) -> bool:
        """Whether it is one capture that may be what a node was lost by."""
        return self.losses >= _LOSSES_OF_A_SHARD


class _Run:
    """Hands out shards, collects rows and replaces lost workers.

    Workers are not restarted by Ray: what was lost with one is handed out again from here, where it is known.
    """

    def __init__(self, work: Work, parts: RowParts, count: int, insecure: bool, start_seconds: float) -> None:
        self.failed = self.calls = self.row_bytes = self.lost_workers = self.lost_children = 0
        self._work = work
        self._parts = parts
        self._count = count
        self._insecure = insecure
        self._start_seconds = start_seconds
        self._waiting: Deque[_Shard] = deque()
        # Each call that was made: of a worker that starts with no shard.
        self._calls: Dict[Any, Tuple[Any, Optional[_Shard]]] = {}
        self._ready: Dict[Any, int] = {}
        self._version: Optional[str] = None
        self._lost_starts = 0
        actor: Any = ray.remote(ShardWorker)
        self._actor = actor.options(num_cpus=1, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD")

    def do(self, addresses: List[str], shard_size: int, progress: Optional[ProgressFunction]) -> None:
        """Returns when each capture has its row."""
        # Toward the end no worker waits long for the last shards of others.
        size = max(1, min(shard_size, len(addresses) // (4 * self._count)))
        self._waiting.extend(_Shard(addresses[at : at + size]) for at in range(0, len(addresses), size))
        done, last_ready = 0, time.monotonic()
        try:
            for _ in range(min(self._count, len(self._waiting))):
                self._start_worker()
            while done < len(addresses):
                self._hand_out()
                finished, _ = ray.wait(list(self._calls), num_returns=1, timeout=1.0)
                for call in finished:
                    done += self._take(call)
                if self._ready:
                    last_ready = time.monotonic()
                elif time.monotonic() - last_ready > self._start_seconds:
                    raise StorageError(
                        f"the cluster had no place for a worker in {self._start_seconds:g} s; the same call goes on"
                    )
                if progress is not None and finished and progress("captures", done, len(addresses)) is False:
                    raise CancelledError("the progress function ended the work; the same call goes on")
        finally:
            self._end_workers()

    def _end_workers(self) -> None:
        # Those that have nothing to do remove their temporary files; those of others go with the next start.
        closing = [worker.close.remote() for worker, count in self._ready.items() if count == 0]
        if closing:
            ray.wait(closing, num_returns=len(closing), timeout=5)
        for worker in {worker for worker, _ in self._calls.values()} | set(self._ready):
            ray.kill(worker)

    def _start_worker(self) -> None:
        worker = self._actor.remote(self._work)
        self._calls[worker.about.remote()] = (worker, None)

    def _hand_out(self) -> None:
        for worker in list(self._ready):
            while self._waiting and self._ready.get(worker, 0) < _SHARDS_OF_A_WORKER:
                shard = self._waiting[0]
                # A suspect has a worker for itself, so that no other capture is lost with it.
                busy = self._ready[worker] > 0
                if busy and (shard.is_suspect or self._has_suspect(worker)):
                    break
                self._waiting.popleft()
                self.calls += 1
                self._ready[worker] += 1
                self._calls[worker.do.remote(shard.addresses)] = (worker, shard)

    def _has_suspect(self, worker: Any) -> bool:
        return any(shard and shard.is_suspect for each, shard in self._calls.values() if each is worker)

    def _take(self, call: Any) -> int:
        """Takes what a call gives; returns the number of captures that have their row by it."""
        worker, shard = self._calls.pop(call)
        try:
            result = ray.get(call)
        except _LOSSES as loss:
            return self._lost(worker, shard, loss)
        if shard is None:
            self._welcome(worker, result)
            return 0
        self._ready[worker] -= 1
        return self._collect(result)

    def _collect(self, result: ShardResult) -> int:
        self._lost_starts = 0
        self._parts.append(result.rows, result.count)
        self.row_bytes += len(result.rows)
        self.failed += result.failed
        self.lost_children += result.lost_children
        return result.count

    def _welcome(self, worker: Any, about: Dict[str, Optional[str]]) -> None:
        if about["auth_mode"] != "token" and not self._insecure:
            mode = about["auth_mode"]
            raise UsageError(f"a node of the cluster asks for no token: {_WHY_TOKEN}", found=f"RAY_AUTH_MODE={mode}")
        self._version = self._version or about["version"]
        if about["version"] != self._version:
            raise ProgramFaultError(
                "nodes have different versions of the program", expected=self._version, found=about["version"]
            )
        self._ready[worker] = 0

    def _lost(self, worker: Any, shard: Optional[_Shard], loss: Exception) -> int:
        """Replaces a lost worker, and hands out again what it had; returns the captures that are given up."""
        if shard is None and isinstance(getattr(loss, "cause", None), Exception):
            raise MissingInputError(f"a worker cannot start: {loss}") from loss
        was_known = self._ready.pop(worker, None) is not None
        if was_known or shard is None:
            self.lost_workers += 1
            self._start_worker()
        if shard is None:
            self._lost_starts += 1
            if self._lost_starts > _LOST_STARTS_OF_A_WORKER * self._count:
                raise StorageError(f"workers are lost while they start, the last one so: {loss}")
            return 0
        shard.losses += 1
        if len(shard.addresses) > 1 and shard.losses >= _LOSSES_OF_A_SHARD:
            self._waiting.extendleft(_Shard([each], shard.losses) for each in reversed(shard.addresses))
        elif len(shard.addresses) == 1 and shard.losses >= _LOSSES_OF_A_SHARD + _LOSSES_OF_A_CAPTURE:
            row = lost_node_row(shard.addresses[0], shard.losses)
            return self._collect(ShardResult(encoded([row], self._work.row_format), 1, 1, 0))
        else:
            self._waiting.appendleft(shard)
        return 0
