"""Captures by one child process, which has the next capture while it answers."""

from __future__ import annotations

import hashlib
import tempfile
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Deque, Dict, Iterable, Iterator, Optional, Sequence, Tuple

from .batch_worker import Answer, BatchWorker, WorkerLostError

#: After so many captures a child is replaced, so that what it keeps does not add up.
CAPTURES_OF_A_CHILD = 2_000

#: How often a capture whose child is lost is tried before it is set aside, and how often where something else ends the
#: child, such as a system that runs out of memory.
ATTEMPTS, ATTEMPTS_OF_OTHERS = 2, 5

#: Exit codes of failures.
UNREADABLE, FAULT, STORAGE = 66, 70, 74

# Captures that the child has at a time, so that it never waits for this process.
_DEPTH = 2


@dataclass
class GivenCapture:
    """A capture that is at hand as a file, or why it is not.

    Attributes:
        address: Its address.
        path: The path of its file or folder; that of its copy where it comes from a store.
        output: The folder for what the verb writes; ``None`` for none.
        folder: The temporary folder that holds copy and output.
        failure: The document of the failure, where it is not at hand.
    """

    address: str
    path: str = ""
    output: Optional[str] = None
    folder: Optional["tempfile.TemporaryDirectory[str]"] = None
    failure: Optional[Dict[str, Any]] = None

    def remove(self) -> None:
        """Removes the temporary folder."""
        if self.folder is not None:
            self.folder.cleanup()


class CaptureChild:
    """Does captures one after the other; whatever happens to the child, each has an answer."""

    def __init__(self, child: BatchWorker, arguments: Sequence[str]) -> None:
        #: How many children were lost until now.
        self.lost = 0
        self._child = child
        self._arguments = list(arguments)
        self._done = 0

    def version(self) -> str:
        """Starts the child where none runs; the version of the program."""
        self._child.start()
        return self._child.version

    def close(self) -> None:
        """Ends the child."""
        self._child.close()

    def answers(self, captures: Iterable[GivenCapture]) -> Iterator[Tuple[GivenCapture, Answer]]:
        """The answer about each capture, in their order. Two captures are taken before the first answer is given."""
        source = iter(captures)
        sent: Deque[GivenCapture] = deque()
        again: Deque[GivenCapture] = deque()
        attempt = 0
        while True:
            self._fill(sent, again, source)
            if not sent:
                return
            try:
                answer = self._answer(sent[0])
            except WorkerLostError as loss:
                self.lost += 1
                self._done = 0
                attempt += 1
                again.extendleft(reversed(sent))
                sent.clear()
                # The first one is at fault; the others were not begun.
                if attempt < (ATTEMPTS_OF_OTHERS if loss.is_from_outside else ATTEMPTS):
                    continue
                attempt = 0
                given = again.popleft()
                yield given, _answer_of(loss, given.path)
                continue
            attempt = 0
            yield sent.popleft(), answer

    def _fill(
        self, sent: Deque[GivenCapture], again: Deque[GivenCapture], source: Iterator[GivenCapture]
    ) -> None:
        if not sent and self._done >= CAPTURES_OF_A_CHILD:
            self._child.close()
            self._done = 0
        while len(sent) < _DEPTH and self._done < CAPTURES_OF_A_CHILD:
            given = again.popleft() if again else next(source, None)
            if given is None:
                return
            if given.failure is None:
                self._child.send([*self._arguments, given.path], given.output)
                self._done += 1
            sent.append(given)

    def _answer(self, given: GivenCapture) -> Answer:
        if given.failure is not None:
            return Answer(given.failure["code"], given.failure, None, None, 0)
        return self._child.receive()


def failure_document(code: int, address: str, message: str) -> Dict[str, Any]:
    return {
        "schema": "plumbline.error/1",
        "code": code,
        "expected": None,
        "file": address,
        "found": None,
        "message": message,
        "place": None,
    }


def _answer_of(loss: WorkerLostError, path: str) -> Answer:
    document = {**failure_document(loss.code, path, str(loss)), "expected": loss.expected, "found": loss.found}
    return Answer(loss.code, document, _size(path), _digest(path), 0)


def _size(path: str) -> Optional[int]:
    """The bytes of a file, or of all files in a folder."""
    try:
        return sum(each.stat().st_size for each in [Path(path), *Path(path).rglob("*")] if each.is_file())
    except OSError:
        return None


def _digest(path: str) -> Optional[str]:
    try:
        with open(path, "rb") as file:
            digest = hashlib.sha256()
            for piece in iter(lambda: file.read(1 << 20), b""):
                digest.update(piece)
            return digest.hexdigest()
    except OSError:
        return None
