"""Many captures on a cluster of Ray: ``plumbline_depth.ray.batch("s3://bucket/*.heic", "s3://bucket/results")``.

Each worker is an actor of Ray with one child process of the program. Shards of captures are handed out, a bounded
number at a time, and their rows are collected in Parquet or JSON lines. ``Documentation/batch-ray.md`` has more.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import time
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Tuple, Union

from . import __version__
from .batch_worker import WorkerLimits
from .errors import UsageError
from .progress import Progress, close, progress_function
from .ray_pool import WHY_TOKEN, RayPool
from .row_parts import RowParts
from .settings import Setting, arguments
from .shards import Work
from .stores import StorageOptions, Store, expanded

# Not an import statement: types are checked with Ray and without it.
ray: Any = importlib.import_module("ray")

# Verbs that print no document, and verbs whose result is files.
_WITHOUT_DOCUMENT = frozenset(["cloud", "extract"])
_WRITING = frozenset(["cloud", "convert", "correct", "estimate", "extract", "face", "filter"])


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
        UsageError: The cluster requires no token, or the folder has results of other settings.
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
        run = RayPool(work, parts, count, insecure, start_seconds)
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
        raise UsageError(f"the cluster is not used without a token: {WHY_TOKEN}", expected="RAY_AUTH_MODE=token")
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
