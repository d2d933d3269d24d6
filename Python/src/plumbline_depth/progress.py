"""Progress of long work, and how it is ended."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Union

#: Called with what is being done, how much of it is done, and how much there is (0 where that is not known).
#: It returns ``False`` to end the work, which then raises :class:`CancelledError` and leaves no output; any
#: other result, ``None`` too, lets it go on.
ProgressFunction = Callable[[str, int, int], Any]

#: ``True`` shows a bar by tqdm where that is installed and standard error is a terminal or a notebook;
#: ``False`` shows nothing; a function is called.
Progress = Union[bool, ProgressFunction]


class ProgressBar:
    """A bar of tqdm, which begins anew with each stage."""

    def __init__(self, bar_class: Any) -> None:
        self._bar_class = bar_class
        self._bar: Any = None
        self._stage: Optional[str] = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._bar is None or stage != self._stage or self._bar.total != (total or None):
            self.close()
            self._stage = stage
            self._bar = self._bar_class(total=total or None, desc=stage, leave=False)
        self._bar.update(max(0, done - self._bar.n))

    def close(self) -> None:
        """Removes the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def progress_function(progress: Progress) -> Optional[ProgressFunction]:
    """The function to call for a setting of progress; ``None`` where there is nothing to show."""
    if callable(progress):
        return progress
    if not progress or not _is_seen():
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return ProgressBar(tqdm)


def close(function: Optional[ProgressFunction]) -> None:
    """Removes what a progress function of this module shows."""
    if isinstance(function, ProgressBar):
        function.close()


def _is_seen() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
