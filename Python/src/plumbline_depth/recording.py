"""A recording: many frames in a folder, an archive or a stream."""

from __future__ import annotations

import functools
import json
from typing import Any, Dict, Iterator, List, Sequence, overload

from .arrays import Handle
from .capture import Capture
from .findings import Findings, findings_of
from .interface import checked, checked_text, library


class Recording(Sequence[Capture]):
    """The frames of a recording in the order of their time; each is read when it is asked for.

    ``len(recording)``, ``recording[3]``, ``recording[-1]``, ``recording[::10]`` and iteration work as for a
    list. Frames may outlive the recording, and several threads may read it at once.
    """

    def __init__(self, handle: Handle, name: str) -> None:
        self._handle = handle
        #: The path that it was opened by.
        self.name = name

    @functools.cached_property
    def info(self) -> Dict[str, Any]:
        """What it holds: the document ``plumbline.info/1``. Every depth map is read once for it."""
        info: Dict[str, Any] = json.loads(checked_text("plumbline_recording_info", self._handle.address))
        return info

    @property
    def findings(self) -> Findings:
        """What is wrong with the recording as a whole, and notes."""
        return findings_of(self.info["findings"])

    def __len__(self) -> int:
        return int(library().plumbline_recording_count(self._handle.address))

    @overload
    def __getitem__(self, index: int) -> Capture: ...
    @overload
    def __getitem__(self, index: slice) -> List[Capture]: ...
    def __getitem__(self, index: "int | slice") -> "Capture | List[Capture]":
        positions = range(len(self))[index]
        if isinstance(positions, range):
            return [self._frame(position) for position in positions]
        return self._frame(positions)

    def __iter__(self) -> Iterator[Capture]:
        return (self._frame(position) for position in range(len(self)))

    def _frame(self, position: int) -> Capture:
        address = checked("plumbline_recording_frame", self._handle.address, position)
        return Capture(Handle(address, library().plumbline_capture_free), f"{self.name}[{position}]")

    def __repr__(self) -> str:
        return f"<Recording {self.name}, {len(self)} frames>"

    def __reduce__(self) -> Any:
        raise TypeError("a recording cannot be pickled; send its path and open it there")
