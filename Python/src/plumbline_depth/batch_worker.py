"""A child process ``plumbline batch-worker``, which works on one capture at a time.

A hostile capture can end or block the child alone: its owner gets an exception that says why, and
starts another one. The child ends by itself, also while it works, when the process that reads its answers is gone.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from typing import IO, Any, Deque, Dict, List, Mapping, Optional, Sequence

from .errors import ProgramFaultError
from .program import program_path

#: What a worker calls its protocol in its first line.
PROTOCOL = "plumbline.batch-worker/1"

_START_SECONDS = 60.0
_MESSAGE_BYTES = 4_096

_UNUSABLE, _FAULT = 65, 70
_ANSWER = "a result that can be kept"
_SIGNALS_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True)
class WorkerLimits:
    """What one capture may use.

    Attributes:
        seconds: The time after which the child is killed, seconds.
        memory_bytes: What the child may allocate, bytes; ``None`` is no limit.
        output_bytes: The size of a file that the child writes, bytes; ``None`` is no limit.
        answer_bytes: The size of an answer, bytes.
    """

    seconds: float = 600.0
    memory_bytes: Optional[int] = 6 << 30
    output_bytes: Optional[int] = 8 << 30
    answer_bytes: int = 64 << 20


@dataclass(frozen=True)
class Answer:
    """What the child says about one capture.

    Attributes:
        code: The exit code of the verb.
        document: What the verb prints with ``--json``, or ``plumbline.error/1``; ``None`` of verbs without one.
        bytes: The size of the capture's file, of a folder that of all files in it; ``None`` where it is not known.
        sha256: The digest of its bytes; ``None`` of a folder.
        seconds: How long it took.
    """

    code: int
    document: Optional[Dict[str, Any]]
    bytes: Optional[int]
    sha256: Optional[str]
    seconds: float


class WorkerLostError(Exception):
    """The child ended, took too long or did not keep to the protocol; it is gone.

    Attributes:
        code: What the capture has as its exit code by that: 70 where the child ended by itself, else 65.
        expected: What was expected.
        found: What there was instead, as ``plumbline batch`` says it.
        is_from_outside: Whether the child was ended by a signal that no fault of its own gives.
    """

    def __init__(self, code: int, expected: str, found: str, is_from_outside: bool = False) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.code = code
        self.expected = expected
        self.found = found
        self.is_from_outside = is_from_outside


class BatchWorker:
    """One child. It starts with the first capture and again after each loss; one thread may use it.

    Args:
        limits: What one capture may use.
        command: The command of the child; without one ``plumbline batch-worker`` of this package.
    """

    def __init__(self, limits: WorkerLimits = WorkerLimits(), command: Optional[Sequence[str]] = None) -> None:
        self.limits = limits
        self.version = ""
        self._command = list(command) if command else None
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._messages: Optional[IO[bytes]] = None
        self._rest = b""
        self._last_id = 0
        self._sent: Deque[int] = deque()

    def start(self) -> None:
        """Starts the child where none runs, and reads its version.

        Raises:
            MissingInputError: There is no program.
            ProgramFaultError: The program is no worker of this protocol.
        """
        if self._process is not None:
            return
        self._rest = b""
        # Not a pipe: a child that writes many messages must not wait for a reader.
        messages = self._messages = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [*(self._command or [str(program_path()), "batch-worker"]), *_limit_options(self.limits)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=messages,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"},
        )
        try:
            greeting = self._read_line(_START_SECONDS)
        except WorkerLostError as loss:
            raise ProgramFaultError("the worker did not start", expected="a worker", found=loss.found) from None
        if greeting.get("worker") != PROTOCOL:
            self._end()
            raise ProgramFaultError("the program is no worker", expected=PROTOCOL, found=str(greeting)[:200])
        self.version = str(greeting.get("version"))

    def send(self, arguments: Sequence[str], output: Optional[str] = None) -> None:
        """Hands the child a capture; it may have several, and answers in their order.

        Args:
            arguments: Those of the program, such as ``["check", "--json", "a.heic"]``.
            output: The folder for what the verb writes; it appears whole or not at all.
        """
        self.start()
        assert self._process is not None and self._process.stdin is not None
        self._last_id += 1
        request: Dict[str, Any] = {"id": self._last_id, "arguments": list(arguments)}
        if output is not None:
            request["output"] = output
        self._sent.append(self._last_id)
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            # The child has ended; `receive` says how.
            pass

    def receive(self) -> Answer:
        """Waits for the answer about the first capture that has none yet.

        Raises:
            WorkerLostError: The child is gone with all that it was handed; the text says why.
        """
        answer = self._read_line(self.limits.seconds)
        if not self._sent or answer.get("id") != self._sent.popleft():
            self._end()
            raise WorkerLostError(_UNUSABLE, _ANSWER, "what is no answer")
        return _answer(answer)

    def ask(self, arguments: Sequence[str], output: Optional[str] = None) -> Answer:
        """Hands the child one capture and waits for the answer, as :meth:`send` and :meth:`receive` do."""
        self.send(arguments, output)
        return self.receive()

    def close(self) -> None:
        """Ends the child, at once."""
        self._end()

    def _read_line(self, seconds: float) -> Dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        deadline = time.monotonic() + seconds
        stream = self._process.stdout.fileno()
        pieces: List[bytes] = [self._rest]
        size = len(self._rest)
        while b"\n" not in pieces[-1]:
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not _is_readable(stream, remaining):
                self._end()
                raise WorkerLostError(_UNUSABLE, f"a result within {seconds:g} s", "none; the worker was ended")
            piece = os.read(stream, 1 << 16)
            if not piece:
                raise self._ended()
            pieces.append(piece)
            size += len(piece)
            if size > self.limits.answer_bytes:
                self._end()
                raise WorkerLostError(_UNUSABLE, _ANSWER, f"more than {self.limits.answer_bytes} bytes")
        line, self._rest = b"".join(pieces).split(b"\n", 1)
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self._end()
            raise WorkerLostError(_UNUSABLE, _ANSWER, "what is no answer")
        return answer

    def _ended(self) -> WorkerLostError:
        """How a child ended that has closed its output, with the last line of its messages."""
        messages = self._messages
        code = self._end(kill=False)
        how = f"exit code {code}"
        if code < 0:
            name = signal.Signals(-code).name if -code in signal.valid_signals() else ""
            how = f"signal {-code}" + (f" ({name})" if name else "")
        found = f"a worker that ended with {how}"
        line = _last_line(messages) if messages is not None else ""
        outside = code < 0 and -code in _SIGNALS_FROM_OUTSIDE
        return WorkerLostError(_FAULT, "a result", f"{found}: {line}" if line else found, outside)

    def _end(self, kill: bool = True) -> int:
        """Waits for the child to end, after it is killed or has closed its output; returns its exit status."""
        process, self._process = self._process, None
        self._sent.clear()
        if process is None:
            return 0
        assert process.stdin is not None and process.stdout is not None
        if kill:
            process.kill()
        process.stdout.close()
        try:
            process.stdin.close()
        except OSError:
            # What it was asked last was never read.
            pass
        try:
            code = process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        return code


def _limit_options(limits: WorkerLimits) -> List[str]:
    options = [("--memory-limit", limits.memory_bytes), ("--file-limit", limits.output_bytes)]
    return [f"{name}={value}" for name, value in options if value is not None]


def _answer(answer: Mapping[str, Any]) -> Answer:
    document = answer.get("document")
    return Answer(
        code=int(answer["code"]),
        document=document if isinstance(document, dict) else None,
        bytes=answer.get("bytes"),
        sha256=answer.get("sha256"),
        seconds=float(answer.get("seconds") or 0),
    )


def _last_line(messages: IO[bytes]) -> str:
    size = messages.seek(0, os.SEEK_END)
    messages.seek(max(0, size - _MESSAGE_BYTES))
    lines = [line for line in messages.read().split(b"\n") if line]
    text = lines[-1][:300].decode("utf-8", "replace") if lines else ""
    return "".join(each if each.isprintable() else "\ufffd" for each in text)


def _is_readable(stream: int, seconds: float) -> bool:
    # Not `select`: a process of Ray can have more files than that takes.
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    return bool(poll.poll(seconds * 1000))

