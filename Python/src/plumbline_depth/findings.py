"""Findings and verdicts: what is wrong with a capture, and whether it can be measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple


@dataclass(frozen=True)
class Remedy:
    """What you can do about a finding.

    Attributes:
        code: A word that stays the same in later versions.
        sentence: What to do, such as ``measure two distances in the photo``.
    """

    code: str
    sentence: str


@dataclass(frozen=True, repr=False)
class Finding:
    """One problem or note about a capture.

    Attributes:
        code: Its code, such as ``calibration.missing``; ``Documentation/findings.md`` explains each.
        severity: ``note``, ``caution`` or ``fault``.
        message: What was found, in a sentence.
        evidence: The numbers that say so.
        z_millimeters: How wrong depths are by it, millimeters; ``None`` where that is not known.
        length_percent: How wrong lengths across the image are by it, percent; ``None`` where not known.
        correction: ``applied``, ``available`` or ``none``.
        remedies: What you can do about it.
    """

    code: str
    severity: str
    message: str
    evidence: str
    z_millimeters: Optional[float]
    length_percent: Optional[float]
    correction: str
    remedies: Tuple[Remedy, ...]

    def __repr__(self) -> str:
        effects = [] if self.z_millimeters is None else [f"{self.z_millimeters:.2f} mm"]
        effects += [] if self.length_percent is None else [f"{self.length_percent:.2f} %"]
        effects += ["corrected"] if self.correction == "applied" else []
        effect = f" [{', '.join(effects)}]" if effects else ""
        lines = [f"{self.severity:<7} {self.message}{effect}", f"  {self.code} · {self.evidence}"]
        return "\n".join(lines + [f"  → {each.sentence}" for each in self.remedies])


class Findings(Tuple[Finding, ...]):
    """The findings of a capture in the order of the report: a tuple that prints one finding after the other."""

    def __repr__(self) -> str:
        return "\n".join(repr(each) for each in self) or "no findings"

    def codes(self) -> Tuple[str, ...]:
        """The code of each."""
        return tuple(each.code for each in self)


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether a capture can be measured, and how well.

    Attributes:
        name: ``measurable``, ``corrected`` (measurable after correction), ``relative`` or ``untrusted``.
        headline: The first words, such as ``Measurable after correction``.
        reason: The verdict in a sentence.
        file: The name of the capture.
        depth_sigma_millimeters: One standard deviation of one depth at the median depth, millimeters; ``None``
            where it is not known.
        length_sigma_percent: The same of lengths across the image, percent.
        median_meters: The median depth; a relative number where ``is_measurable`` is false.
        findings: What speaks for and against it.
        document: The whole document ``plumbline.check/1``.
    """

    name: str
    headline: str
    reason: str
    file: str
    depth_sigma_millimeters: Optional[float]
    length_sigma_percent: Optional[float]
    median_meters: Optional[float]
    findings: Findings
    document: Mapping[str, Any]

    @property
    def is_measurable(self) -> bool:
        """Whether depths are meters that can be trusted, as they are or after correction."""
        return self.name in ("measurable", "corrected")

    def __repr__(self) -> str:
        return f"{self.headline.upper()}  {self.file}\n  {self.reason}"

    def __str__(self) -> str:
        lines = [repr(self)]
        for finding in self.findings:
            lines.append("")
            lines += ["  " + line for line in repr(finding).splitlines()]
        return "\n".join(lines)


def findings_of(entries: List[Dict[str, Any]]) -> Findings:
    """The findings of a document's list."""
    return Findings(_finding(entry) for entry in entries)


def verdict_of(document: Mapping[str, Any]) -> Verdict:
    """The verdict of a document ``plumbline.check/1``, of a capture or of a recording."""
    uncertainty = document.get("uncertainty") or {}
    depth = document.get("depth") or {}
    return Verdict(
        name=document["verdict"],
        headline=document["headline"]["words"],
        reason=document["reason"],
        file=document["file"],
        depth_sigma_millimeters=uncertainty.get("zMillimeters"),
        length_sigma_percent=uncertainty.get("lengthPercent"),
        median_meters=depth.get("medianMeters"),
        findings=findings_of(document["findings"]),
        document=document,
    )


def _finding(entry: Dict[str, Any]) -> Finding:
    effect = entry.get("effect") or {}
    return Finding(
        code=entry["code"],
        severity=entry["severity"],
        message=entry["message"],
        evidence=entry.get("evidence") or "",
        z_millimeters=effect.get("zMillimeters"),
        length_percent=effect.get("lengthPercent"),
        correction=entry.get("correction") or "none",
        remedies=tuple(Remedy(each["code"], each["sentence"]) for each in entry.get("remedies") or []),
    )
