"""The program ``plumbline`` as a process of its own: what the library has no function for."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .errors import CancelledError, MissingInputError, error, error_from_document
from .interrupts import kept_interrupts
from .progress import ProgressFunction

#: The environment variable that names another program.
PROGRAM_VARIABLE = "PLUMBLINE_PROGRAM"

# How the program says how far it is, on a terminal: `frame 3 of 90, 40 s left`.
_PROGRESS = re.compile(r"(?P<stage>.*?)\s*\b(?P<done>\d+) of (?P<total>\d+)\b")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def program_path() -> Path:
    """The path of the program: that of ``PLUMBLINE_PROGRAM``, else the one inside this package.

    Raises:
        MissingInputError: There is none.
    """
    named = os.environ.get(PROGRAM_VARIABLE)
    path = Path(named) if named else Path(__file__).with_name("bin") / "plumbline"
    if not path.is_file():
        raise MissingInputError(
            f"there is no program of Plumbline; {PROGRAM_VARIABLE} can name one", file=str(path)
        )
    return path


def run_program(
    arguments: Sequence[str], progress: Optional[ProgressFunction] = None
) -> Tuple[int, str]:
    """Runs the program and returns its exit code and what it printed on standard output.

    An exit code of 1 (not measurable) and of 65 with a result (some frames were left out) is returned. An
    interrupt of Python is passed on, waited for and raised again, so that the program removes what is
    unfinished.

    Raises:
        PlumblineError: The program failed.
        CancelledError: ``progress`` returned ``False``.
        KeyboardInterrupt: Python was interrupted.
    """
    # From before it is started until it has ended, so that it is not left running.
    with kept_interrupts() as interrupts:
        process = _Process(arguments, progress)
        output = process.wait(interrupts)
    if process.failure is not None:
        raise process.failure
    if process.was_cancelled:
        raise CancelledError("the progress function ended the work; nothing was written")
    code, messages = process.code, process.messages
    document = parsed(output)
    if (document or {}).get("schema") == "plumbline.error/1":
        raise error_from_document(document or {})
    if code < 0:
        name = signal.Signals(-code).name if -code in signal.valid_signals() else str(-code)
        raise error(70, f"the program was ended by {name}", found=messages or None)
    if code not in (0, 1, 65) or (code == 65 and not output.strip()):
        raise error(code, messages or f"the program ended with {code}")
    return code, output


def parsed(output: str) -> Optional[Dict[str, Any]]:
    """The document that was printed; ``None`` where nothing was, or text for people."""
    try:
        document = json.loads(output)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


class _Process:
    """One run of the program, with its progress."""

    def __init__(self, arguments: Sequence[str], progress: Optional[ProgressFunction]) -> None:
        self.was_cancelled = False
        self.code = 0
        self.messages = ""
        self._progress = progress
        #: What the progress function raised.
        self.failure: Optional[BaseException] = None
        self._lines: List[str] = []
        environment = {**os.environ, "NO_COLOR": "1", "TERM": "xterm"}
        # The program counts its steps for a terminal alone.
        self._reader, writer = os.openpty() if progress else os.pipe()
        try:
            # A session of its own: Control-C of the terminal reaches Python alone, which passes it on once.
            self._process = subprocess.Popen(
                [str(program_path()), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=writer,
                env=environment,
                start_new_session=True,
            )
        except BaseException:
            os.close(self._reader)
            raise
        finally:
            os.close(writer)

    def wait(self, interrupts: Sequence[BaseException]) -> str:
        """What it printed on standard output, when it has ended. Each interrupt that is added is passed on."""
        outputs: List[bytes] = []
        stream = self._process.stdout
        assert stream is not None
        finished = [threading.Event(), threading.Event()]

        def run(work: Callable[[], object], end: threading.Event) -> None:
            try:
                work()
            finally:
                end.set()

        for work, end in zip((lambda: outputs.append(stream.read()), self._follow), finished):
            threading.Thread(target=run, args=(work, end), daemon=True).start()
        passed_on = 0
        while not self._ends(finished):
            if len(interrupts) > passed_on:
                passed_on = len(interrupts)
                # The second one does not wait for what the first one began.
                self._signal(signal.SIGINT if passed_on == 1 else signal.SIGKILL)
        self.code = self._process.wait()
        stream.close()
        os.close(self._reader)
        self.messages = "\n".join(self._lines)
        return b"".join(outputs).decode("utf-8", "replace")

    def _ends(self, finished: Sequence[threading.Event]) -> bool:
        """Whether it has ended and all that it printed is read; waits a moment for that."""
        # Not by `join`: in Python 3.11 an interrupted one takes the thread for ended (bpo-45274).
        if not all(end.wait(0.1) for end in finished):
            return False
        try:
            self._process.wait(0.1)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _follow(self) -> None:
        rest = ""
        while True:
            try:
                piece = os.read(self._reader, 65536)
            except OSError:
                # So ends a terminal whose program has ended.
                piece = b""
            if not piece:
                break
            text = _CONTROL.sub("", rest + piece.decode("utf-8", "replace"))
            *lines, rest = re.split(r"[\r\n]+", text)
            for line in lines:
                self._take(line)
            # A line of progress has no end: the next one takes its place.
            if self._progress and _PROGRESS.match(rest):
                self._take(rest)
                rest = ""
        self._take(rest)

    def _take(self, line: str) -> None:
        """Reports a line of progress, and keeps any other."""
        found = _PROGRESS.match(line) if self._progress else None
        if found is None or self._progress is None:
            if line.strip():
                self._lines.append(_message(line))
        elif not self.was_cancelled and self.failure is None:
            self._report(self._progress, found)

    def _report(self, progress: ProgressFunction, found: "re.Match[str]") -> None:
        try:
            going = progress(found["stage"].strip(), int(found["done"]), int(found["total"]))
        except BaseException as failure:
            self.failure = failure
            self._signal(signal.SIGINT)
            return
        if going is False:
            self.was_cancelled = True
            self._signal(signal.SIGINT)

    def _signal(self, number: int) -> None:
        if self._process.poll() is None:
            self._process.send_signal(number)


def _message(line: str) -> str:
    return line[len("plumbline: ") :] if line.startswith("plumbline: ") else line
