"""The result of one capture of a batch as flat values: a row of a table.

Everything comes from the document of the verb, as in ``results.csv`` of the command. What is not known is ``None``
or empty, never 0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple


# Columns whose names have the unit as ``results.csv`` writes it.
_COLUMN_NAMES = {
    "width": "width_px",
    "height": "height_px",
    "median_meters": "median_m",
    "depth_sigma_millimeters": "depth_sigma_mm",
}


@dataclass(frozen=True)
class RowFinding:
    """One finding: its ``code``, such as ``depth.sparse``, and ``severity``: ``note``, ``caution`` or ``fault``."""

    code: str
    severity: str


@dataclass(frozen=True)
class RowValue:
    """One number that the verb was asked for: ``value`` ± ``sigma`` (one standard deviation) in ``unit``.

    ``name`` is such as ``distance`` or ``focal.measured``; a number that could not be measured is ``None``.
    """

    name: str
    value: Optional[float]
    sigma: Optional[float]
    unit: str


@dataclass(frozen=True)
class RowError:
    """Why a capture failed: ``place`` in the file, what was ``expected`` and ``found`` there, and ``message``."""

    place: Optional[str]
    expected: Optional[str]
    found: Optional[str]
    message: str


@dataclass(frozen=True)
class Row:
    """The result of one capture.

    Attributes:
        path: The path or address of the capture, as it was given.
        bytes: The size of the file, of a folder that of all files in it.
        sha256: The digest of its bytes, 64 hexadecimal digits; ``None`` of a folder.
        state: ``done`` where the verb gave a result, whatever its verdict; else ``failed``.
        code: The exit code of the verb; ``None`` where a record of ``results.jsonl`` does not say it.
        kind: ``photo`` (one capture, whatever its file) or ``recording``.
        frames: The frames of a recording.
        make: The maker of the device.
        model: The device, such as ``iPhone 13 Pro``.
        os: The version of its system, or the software that wrote the file.
        camera: ``trueDepth``, ``dual``, ``dualWide``, ``lidar`` or ``stereo``.
        api: ``photo``, ``avfoundation`` or ``arkit``.
        captured_at: When it was taken, ISO 8601.
        width: Columns of the depth map, pixels.
        height: Rows of the depth map, pixels.
        median_meters: The median depth, meters; ``None`` of relative depth.
        depth_sigma_millimeters: One standard deviation of one depth at the median depth, millimeters.
        length_sigma_percent: The same of lengths across the image, percent.
        verdict: ``measurable``, ``corrected``, ``relative``, ``untrusted``; of ``verify`` ``fits``, ``doesNotFit``,
            ``cannotTell``.
        reason: The verdict in a sentence.
        findings: What was found, in the order of the document.
        values: The numbers that the verb was asked for.
        page: The file name of the page that the verb wrote, such as ``report.html``.
        error: Why it failed; ``None`` of a capture that is done.
        document: The whole document of the verb, with ``path``, ``bytes`` and ``sha256``.
    """

    path: str
    bytes: Optional[int]
    sha256: Optional[str]
    state: str
    code: Optional[int]
    kind: Optional[str]
    frames: Optional[int]
    make: Optional[str]
    model: Optional[str]
    os: Optional[str]
    camera: Optional[str]
    api: Optional[str]
    captured_at: Optional[str]
    width: Optional[int]
    height: Optional[int]
    median_meters: Optional[float]
    depth_sigma_millimeters: Optional[float]
    length_sigma_percent: Optional[float]
    verdict: Optional[str]
    reason: Optional[str]
    findings: Tuple[RowFinding, ...]
    values: Tuple[RowValue, ...]
    page: Optional[str]
    error: Optional[RowError]
    document: Mapping[str, Any]

    def columns(self) -> Dict[str, Any]:
        """The row as columns of a table, with the names that ``results.csv`` has, and the document as JSON."""
        named = {_COLUMN_NAMES.get(name, name): value for name, value in vars(self).items() if name != "error"}
        error = {f"error_{name}": getattr(self.error, name, None) for name in RowError.__dataclass_fields__}
        return {
            **named,
            "findings": [vars(each) for each in self.findings],
            "values": [vars(each) for each in self.values],
            **error,
            "document": json.dumps(self.document, ensure_ascii=False, separators=(",", ":")),
        }


def record_of(
    document: Optional[Mapping[str, Any]], path: str, size: Optional[int], sha256: Optional[str]
) -> Dict[str, Any]:
    """What a line of ``results.jsonl`` holds: the document of the verb, with the capture's path, size and digest."""
    own = {"path": path, "bytes": size, "sha256": sha256}
    return {**{key: value for key, value in (document or {}).items() if key not in own}, **own}


def row_of(record: Mapping[str, Any], code: Optional[int] = None) -> Row:
    """The row of one line of ``results.jsonl``.

    Args:
        record: The line as an object.
        code: The exit code of the verb, where it is known; else that of an error is taken.
    """
    is_error = record.get("schema") == "plumbline.error/1"
    code = code if code is not None else _whole(record.get("code")) if is_error else None
    has_document = record.get("schema") is not None
    is_failed = is_error or (not has_document and code not in (None, 0, 1))
    known: Mapping[str, Any] = {} if is_failed else record
    return Row(
        path=str(record.get("path", "")),
        bytes=_whole(record.get("bytes")),
        sha256=_text(record.get("sha256")),
        state="failed" if is_failed else "done",
        code=code,
        **_source(known if has_document else {}),
        **_depth(known),
        verdict=_text(known.get("verdict")) or _text(known.get("verdictAfter")),
        reason=_text(known.get("reason")),
        findings=tuple(
            RowFinding(str(each["code"]), str(each.get("severity") or "note"))
            for each in known.get("findings") or known.get("findingsAfter") or []
            if each.get("code") is not None
        ),
        values=tuple(_values(known)),
        page=_page(known.get("outputs")),
        error=_error(record, code) if is_failed else None,
        document=record,
    )


def _source(document: Mapping[str, Any]) -> Dict[str, Any]:
    listed = document.get("frames")
    frames = len(listed) if isinstance(listed, list) else _whole(listed)
    if frames is None:
        frames = _whole(_part(document, "recording").get("frames"))
    is_recording = frames is not None or isinstance(document.get("layout"), str)
    source = _part(document, "source")

    def known(name: str) -> Optional[str]:
        text = _text(source.get(name))
        return None if text in ("", "unknown") else text

    return {
        "kind": None if not document else "recording" if is_recording else "photo",
        "frames": frames,
        **{name: known(name) for name in ("make", "model", "os", "camera", "api")},
        "captured_at": known("capturedAt"),
    }


def _depth(document: Mapping[str, Any]) -> Dict[str, Any]:
    depth, medians, uncertainty = (_part(document, name) for name in ("depth", "medians", "uncertainty"))
    # Of relative depth the numbers have no unit.
    is_relative = "medianMeters" in depth and depth.get("unit") != "m"
    own_median = depth if "medianMeters" in depth else document
    return {
        "width": _first(_whole(depth.get("width")), _whole(document.get("width"))),
        "height": _first(_whole(depth.get("height")), _whole(document.get("height"))),
        "median_meters": None if is_relative else _first(medians.get("medianMeters"), own_median.get("medianMeters")),
        "depth_sigma_millimeters": None
        if is_relative
        else _first(
            medians.get("sigmaMillimetersAtMedian"),
            uncertainty.get("zMillimeters"),
            depth.get("sigmaMillimetersAtMedian"),
        ),
        "length_sigma_percent": _first(medians.get("lengthPercent"), uncertainty.get("lengthPercent")),
    }


def _values(document: Mapping[str, Any]) -> List[RowValue]:
    schema = document.get("schema")
    if schema == "plumbline.measure/1":
        return _measurements(document.get("measurements") or [])
    if schema == "plumbline.face/1":
        return [
            RowValue(
                f"face-{index}.interpupillary",
                face.get("interpupillaryMillimeters"),
                face.get("plusMinusMillimeters"),
                "mm",
            )
            for index, face in enumerate(document.get("faces") or [], 1)
        ]
    if schema == "plumbline.verify/1":
        focal, length = _part(document, "focal"), _part(document, "length")
        depth = _part(_part(document, "depth"), "factory")
        return [
            RowValue("focal.measured", focal.get("measured"), focal.get("sigma"), "px"),
            RowValue(
                "focal.difference", focal.get("differencePercent"), focal.get("differencePlusMinusPercent"), "%"
            ),
            RowValue("depth.factory", depth.get("medianMillimeters"), depth.get("plusMinusMillimeters"), "mm"),
            RowValue("length.factory", length.get("factoryPercent"), length.get("factoryPlusMinusPercent"), "%"),
        ]
    fit = _part(document, "fit") if schema == "plumbline.estimate/1" else {}
    return [RowValue("fit.scale", fit.get("scale"), fit.get("scaleSigma"), "1")] if fit else []


def _measurements(measurements: List[Mapping[str, Any]]) -> List[RowValue]:
    counts: Dict[str, int] = {}
    values: List[RowValue] = []
    for each in measurements:
        name = ".".join(str(each[key]) for key in ("kind", "name") if each.get(key) is not None)
        counts[name] = counts.get(name, 0) + 1
        numbered = name if counts[name] == 1 else f"{name}-{counts[name]}"
        values.append(RowValue(numbered, each.get("value"), each.get("sigma"), each.get("unit") or "1"))
    return values


def _page(outputs: Any) -> Optional[str]:
    paths = list(outputs.values()) if isinstance(outputs, dict) else outputs if isinstance(outputs, list) else []
    return next((each.rsplit("/", 1)[-1] for each in paths if isinstance(each, str) and each.endswith(".html")), None)


def _error(document: Mapping[str, Any], code: Optional[int]) -> RowError:
    return RowError(
        _text(document.get("place")),
        _text(document.get("expected")),
        _text(document.get("found")),
        _text(document.get("message")) or f"The verb ended with code {code} and no document.",
    )


def _part(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = document.get(name)
    return part if isinstance(part, dict) else {}


def _first(*numbers: Any) -> Any:
    return next((each for each in numbers if each is not None), None)


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _whole(value: Any) -> Optional[int]:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
