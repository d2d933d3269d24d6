"""Numbers that were measured, each with its ±."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, overload

from .findings import Findings, findings_of

_SYMBOLS = {"deg": "°", "m2": "m²", "m3": "m³", "1": ""}


@dataclass(frozen=True, repr=False)
class Measurement:
    """One number.

    Attributes:
        kind: ``point``, ``distance``, ``angle``, ``plane``, ``box``, ``height``, ``volume``; of meshes also
            ``area``, ``section``, ``floor-plan``.
        name: Which number of it, such as ``width`` of a box; ``None`` for the only one.
        value: The number in ``unit``; ``None`` where it was refused.
        unit: ``m``, ``deg``, ``m2``, ``m3`` or ``1``.
        sigma: One standard deviation, same unit; ``None`` where it is not known.
        parts: What makes up sigma, same unit: ``sensor``, ``calibration``, ``scale``.
        believable: Whether the number can be used.
        reason: Why not; ``None`` where it can.
        document: The entry of ``plumbline.measure/1``, with the points that were taken.
    """

    kind: str
    name: Optional[str]
    value: Optional[float]
    unit: Optional[str]
    sigma: Optional[float]
    parts: Mapping[str, Optional[float]]
    believable: bool
    reason: Optional[str]
    document: Mapping[str, Any]

    def __repr__(self) -> str:
        name = self.kind if self.name is None else f"{self.kind} {self.name}"
        if self.value is None:
            return f"{name}: refused: {self.reason}"
        unit = _SYMBOLS.get(self.unit or "", self.unit or "")
        sigma = "unknown" if self.sigma is None else f"{self.sigma:.2g}"
        remark = "" if self.believable else f", not believable: {self.reason}"
        return f"{name}: {self.value:.6g} ± {sigma} {unit}".rstrip() + remark


class Measurements(Sequence[Measurement]):
    """The numbers of one capture, in the order in which they were asked for.

    Attributes:
        findings: What is wrong with the capture.
        basis: Where the ± comes from, in a sentence.
        believable: Whether all numbers are.
        document: The whole document ``plumbline.measure/1``.
    """

    def __init__(self, entries: Sequence[Measurement], document: Mapping[str, Any]) -> None:
        self._entries = tuple(entries)
        self.document = document
        self.findings: Findings = findings_of(document.get("findings") or [])
        self.basis: Optional[str] = document.get("basis")
        self.believable: bool = bool(document.get("believable"))

    @overload
    def __getitem__(self, index: int) -> Measurement: ...
    @overload
    def __getitem__(self, index: slice) -> Tuple[Measurement, ...]: ...
    def __getitem__(self, index: "int | slice") -> "Measurement | Tuple[Measurement, ...]":
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Measurement]:
        return iter(self._entries)

    def __repr__(self) -> str:
        return "\n".join(repr(each) for each in self._entries) or "no measurements"


def measurements_of(document: Dict[str, Any]) -> Measurements:
    """The numbers of a document ``plumbline.measure/1``."""
    entries: List[Measurement] = [_measurement(entry) for entry in document["measurements"]]
    return Measurements(entries, document)


def _measurement(entry: Dict[str, Any]) -> Measurement:
    return Measurement(
        kind=entry["kind"],
        name=entry.get("name"),
        value=entry.get("value"),
        unit=entry.get("unit"),
        sigma=entry.get("sigma"),
        parts=entry.get("parts") or {},
        believable=bool(entry.get("believable")),
        reason=entry.get("reason"),
        document=entry,
    )
