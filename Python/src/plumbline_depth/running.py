"""How a task is run on files: by the library where it has the task, else by the program."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence

from .interface import ProgressFunction as CProgressFunction
from .interface import checked_text, encoded_path
from .interrupts import kept_interrupts
from .program import parsed, run_program
from .progress import Progress, ProgressFunction, close, progress_function
from .settings import Setting, StrPath, arguments, settings_json

#: Tasks that the library does in this process. For each the entry of its document that lists what was left out.
LIBRARY_TASKS = {
    "cloud": "unreadable",
    "convert": "skipped",
    "correct": "unreadable",
    "filter": "unreadable",
    "fuse": "leftOut",
    "measure": None,
    "mesh": None,
    "stereo": None,
    "verify": None,
}

#: Options of these tasks that the program alone has: they show pages, or read live cameras.
_PROGRAM_OPTIONS = frozenset(["no_open", "port", "resume", "seconds", "source", "view"])

#: Tasks whose command has no document.
_WITHOUT_DOCUMENT = frozenset(["cloud", "extract", "board"])


@dataclass(frozen=True)
class Result:
    """What a task says about its work. ``result["frames"]`` is an entry of its document.

    Attributes:
        task: The name of the task.
        document: What the command prints for ``--json``, as ``Documentation/cli.md`` describes it; empty for
            tasks that print none.
        succeeded: ``False`` where the command would end with 1 or 65 beside a result: not measurable, or some
            frames were left out. The document says which.
    """

    task: str
    document: Dict[str, Any] = field(repr=False)
    succeeded: bool = True

    def __getitem__(self, name: str) -> Any:
        return self.document[name]

    @property
    def outputs(self) -> Any:
        """What was written, as the document names it; ``None`` where it does not."""
        return self.document.get("outputs", self.document.get("output"))


def run(
    task: str,
    *inputs: StrPath,
    output: Optional[StrPath] = None,
    progress: Progress = True,
    **settings: Setting,
) -> Result:
    """Runs a task on files: any verb of the command that ends by itself.

    Outputs appear whole under their names, or not at all. Control-C raises ``KeyboardInterrupt`` when the work
    has ended, and nothing is left.

    Args:
        task: The verb, such as ``convert``; of an effect ``effect blur``.
        inputs: Paths of files and folders.
        output: What the command has as ``-o``.
        progress: See :data:`plumbline_depth.progress.Progress`.
        settings: The long options of the command with ``_`` for ``-``; a list for one that may be repeated.

    Raises:
        PlumblineError: The task failed.
        CancelledError: ``progress`` returned ``False``.
    """
    function = progress_function(progress)
    try:
        if task in LIBRARY_TASKS and _PROGRAM_OPTIONS.isdisjoint(settings):
            return _run_in_library(task, inputs, output, settings, function)
        return _run_program(task, inputs, output, settings, function)
    finally:
        close(function)


def _run_program(
    task: str,
    inputs: Sequence[StrPath],
    output: Optional[StrPath],
    settings: Dict[str, Setting],
    progress: Optional[ProgressFunction],
) -> Result:
    given = task.split() + ([] if task in _WITHOUT_DOCUMENT else ["--json"]) + arguments(settings)
    given += [] if output is None else [f"--output={os.fspath(output)}"]
    # What follows is no option, whatever its name begins with.
    given += ["--", *(os.fspath(each) for each in inputs)] if inputs else []
    code, printed = run_program(given, progress)
    return Result(task, parsed(printed) or {}, succeeded=code == 0)


def _run_in_library(
    task: str,
    inputs: Sequence[StrPath],
    output: Optional[StrPath],
    settings: Dict[str, Setting],
    progress: Optional[ProgressFunction],
) -> Result:
    work = _LibraryWork(progress)
    paths = (ctypes.c_char_p * max(1, len(inputs)))(*(encoded_path(each) for each in inputs))
    target = None if output is None else encoded_path(output)
    text = work.wait_for(
        lambda callback: checked_text(
            "plumbline_run", task.encode(), paths, len(inputs), target, settings_json(settings), callback, None
        )
    )
    document: Dict[str, Any] = json.loads(text)
    names = LIBRARY_TASKS[task]
    left_out = names is not None and bool(document.get(names))
    denied = document.get("measurable") is False or document.get("believable") is False
    return Result(task, document, succeeded=not left_out and not denied)


class _LibraryWork:
    """A call of the library in a thread of its own, so that this one can take Control-C."""

    def __init__(self, progress: Optional[ProgressFunction]) -> None:
        self._progress = progress
        self._ending = threading.Event()
        self._failure: Optional[BaseException] = None

    def wait_for(self, call: Any) -> str:
        """Calls with the progress function of C, and returns the result when the work has ended.

        Raises:
            KeyboardInterrupt: This thread was interrupted; the work has ended and left nothing.
        """
        results: List[str] = []
        failures: List[BaseException] = []
        callback = CProgressFunction(self._report)
        finished = threading.Event()

        def work() -> None:
            try:
                results.append(call(callback))
            except BaseException as failure:
                failures.append(failure)
            finally:
                finished.set()

        # From before it is started until it has ended, so that it is not left running.
        with kept_interrupts() as interrupts:
            threading.Thread(target=work).start()
            # Not by `join`: in Python 3.11 an interrupted one takes the thread for ended (bpo-45274).
            while not finished.wait(0.1):
                if interrupts:
                    self._ending.set()
        if self._failure is not None:
            raise self._failure
        if failures:
            raise failures[0]
        return results[0]

    def _report(self, _: Any, stage: bytes, done: int, total: int) -> bool:
        if self._ending.is_set():
            return False
        if self._progress is None:
            return True
        try:
            going = self._progress(stage.decode("utf-8", "replace"), done, total)
        except BaseException as failure:
            self._failure = failure
            self._ending.set()
            return False
        return going is not False
