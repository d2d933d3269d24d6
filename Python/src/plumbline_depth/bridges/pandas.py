"""Findings and measurements as tables of pandas."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Union

import pandas

from ..capture import Capture
from ..findings import Verdict
from ..measurements import Measurements


def findings(captures: Iterable[Union[Capture, Verdict]]) -> Any:
    """One row for each finding of each capture.

    Columns: ``file``, ``verdict``, ``code``, ``severity``, ``message``, ``z_millimeters``,
    ``length_percent`` (NaN where not known), ``correction``.
    """
    rows: List[Dict[str, Any]] = []
    for each in captures:
        verdict = each.verdict if isinstance(each, Capture) else each
        rows += [
            {
                "file": verdict.file,
                "verdict": verdict.name,
                "code": finding.code,
                "severity": finding.severity,
                "message": finding.message,
                "z_millimeters": finding.z_millimeters,
                "length_percent": finding.length_percent,
                "correction": finding.correction,
            }
            for finding in verdict.findings
        ]
    columns = ["file", "verdict", "code", "severity", "message", "z_millimeters", "length_percent", "correction"]
    table = pandas.DataFrame(rows, columns=columns)
    return table.astype({"z_millimeters": "float64", "length_percent": "float64"})


def measurements(numbers: Measurements) -> Any:
    """One row for each number: ``kind``, ``name``, ``value``, ``sigma``, ``unit``, ``believable``, ``reason``."""
    columns = ["kind", "name", "value", "sigma", "unit", "believable", "reason"]
    rows = [{column: getattr(number, column) for column in columns} for number in numbers]
    return pandas.DataFrame(rows, columns=columns).astype({"value": "float64", "sigma": "float64"})
