"""The workers of a batch on a cluster of Ray, and what each of them has to do."""

from __future__ import annotations

import importlib
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Deque, Dict, List, Optional, Set, Tuple

from .errors import (
    CancelledError,
    MissingInputError,
    PlumblineError,
    ProgramFaultError,
    StorageError,
    UsageError,
)
from .progress import ProgressFunction
from .row_parts import RowParts
from .shards import ShardResult, ShardWorker, Work, encoded, lost_node_row

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

# How many workers may be lost while they start, for each that is wanted, until something is done again.
_LOST_STARTS_OF_A_WORKER = 5

WHY_TOKEN = (
    "anyone who reaches the ports of a cluster of Ray can run any program on its nodes, unless it requires a token: "
    "set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN for `ray start` on each node, and here"
)


@dataclass
class _Shard:
    """Captures that are handed out together, and how often they were lost with a node."""

    addresses: List[str]
    losses: int = 0

    @property
    def is_suspect(self) -> bool:
        """Whether it is one capture that may be what a node was lost by."""
        return self.losses >= _LOSSES_OF_A_SHARD


class RayPool:
    """The workers of one batch: hands out shards, collects rows and replaces lost workers.

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
        # Workers that have started, with the shards that each has; and those that take another one.
        self._ready: Dict[Any, int] = {}
        self._free: Set[Any] = set()
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
                finished = self._finished()
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

    def _finished(self) -> List[Any]:
        """All calls that have ended, at least one; none where a second passes without."""
        calls = list(self._calls)
        if not ray.wait(calls, num_returns=1, timeout=1.0)[0]:
            return []
        # Looking through all calls takes long where there are thousands: then many have ended meanwhile.
        finished: List[Any] = ray.wait(calls, num_returns=len(calls), timeout=0)[0]
        return finished

    def _hand_out(self) -> None:
        for worker in list(self._free):
            while self._waiting and worker in self._free:
                shard = self._waiting[0]
                # A suspect has a worker for itself, so that no other capture is lost with it.
                if shard.is_suspect and self._ready[worker] > 0:
                    break
                self._waiting.popleft()
                self.calls += 1
                self._ready[worker] += 1
                if shard.is_suspect or self._ready[worker] >= _SHARDS_OF_A_WORKER:
                    self._free.discard(worker)
                self._calls[worker.do.remote(shard.addresses)] = (worker, shard)

    def _take(self, call: Any) -> int:
        """Takes what a call gives; returns the number of captures that have their row by it."""
        worker, shard = self._calls.pop(call)
        try:
            result = ray.get(call)
        except _LOSSES as loss:
            return self._lost(worker, shard, loss)
        except ray.exceptions.RayTaskError as failure:
            # Such as a node without the program; Ray wraps it in a text with the worker's own stack.
            raise failure.cause if isinstance(failure.cause, PlumblineError) else failure
        if shard is None:
            self._welcome(worker, result)
            return 0
        if worker in self._ready:
            self._ready[worker] -= 1
            self._free.add(worker)
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
            raise UsageError(f"a node of the cluster requires no token: {WHY_TOKEN}", found=f"RAY_AUTH_MODE={mode}")
        self._version = self._version or about["version"]
        if about["version"] != self._version:
            raise ProgramFaultError(
                "nodes have different versions of the program", expected=self._version, found=about["version"]
            )
        self._ready[worker] = 0
        self._free.add(worker)

    def _lost(self, worker: Any, shard: Optional[_Shard], loss: Exception) -> int:
        """Replaces a lost worker, and hands out again what it had; returns the captures that are given up."""
        if shard is None and getattr(loss, "actor_init_failed", False):
            raise MissingInputError(f"a worker cannot start: {loss}") from loss
        was_known = self._ready.pop(worker, None) is not None
        self._free.discard(worker)
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
