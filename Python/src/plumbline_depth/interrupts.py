"""Control-C while work runs elsewhere: it is raised when the work has ended."""

from __future__ import annotations

import contextlib
import signal
import threading
from types import FrameType
from typing import Any, Callable, Iterator, List, Optional, Tuple

Handler = Callable[[int, Optional[FrameType]], Any]


@contextlib.contextmanager
def kept_interrupts() -> Iterator[List[BaseException]]:
    """Gives a list of what signals would have raised since the block began; the first is raised when it ends.

    An exception can come between any two steps of Python, also between the start of work and the ``try`` that
    would end it. So all handlers written in Python, those of Control-C and of a time limit, are called as ever,
    but what they raise is kept. Signals reach the main thread alone; in any other this does nothing.
    """
    kept: List[BaseException] = []
    if threading.current_thread() is not threading.main_thread():
        yield kept
        return
    changed: List[Tuple[int, Handler]] = []
    try:
        for number in signal.valid_signals():
            handler = signal.getsignal(number)
            if callable(handler):
                changed.append((number, handler))
                signal.signal(number, _keeping(handler, kept))
        yield kept
    finally:
        for changed_number, former in reversed(changed):
            signal.signal(changed_number, former)
        if kept:
            raise kept[0]


def _keeping(handler: Handler, kept: List[BaseException]) -> Handler:
    def keep(number: int, frame: Optional[FrameType]) -> None:
        try:
            handler(number, frame)
        except BaseException as interrupt:
            kept.append(interrupt)

    return keep
