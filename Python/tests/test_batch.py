"""Results of a batch as rows and tables: what the folder has, and what the command's own table says."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any, Dict, List

import pytest

import plumbline_depth as plumb
from plumbline_depth.batch_rows import record_of, row_of

OTHER_SCRIPT = "写\u2028.heic"
ERROR = {
    "schema": "plumbline.error/1",
    "code": 65,
    "message": "cut off",
    "file": "b.heic",
    "place": "meta",
    "expected": "8 bytes",
    "found": None,
}


def checked(path: Path) -> Dict[str, Any]:
    document = plumb.check(path, progress=False).document
    return record_of(document, str(path), path.stat().st_size, document["sha256"])


def write_results(folder: Path, lines: List[str], codes: List[int]) -> None:
    (folder / "results.jsonl").write_bytes("".join(line + "\n" for line in lines).encode())
    (folder / "results.csv").write_text("path,code\n" + "".join(f"any,{code}\n" for code in codes))


@pytest.fixture(scope="module")
def folder(healthy: Path, recording: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of results with a photo, a recording, an error, and a name in another script with a line separator."""
    folder = tmp_path_factory.mktemp("results")
    records = [
        checked(healthy),
        checked(recording),
        record_of(ERROR, "b.heic", 12, None),
        record_of({"schema": "plumbline.batch-files/1", "outputs": ["captures/x/cloud.ply"]}, OTHER_SCRIPT, 3, "00"),
    ]
    write_results(folder, [json.dumps(record, ensure_ascii=False) for record in records], [0, 0, 65, 0])
    return folder


def test_rows_have_what_the_documents_have(folder: Path, healthy: Path) -> None:
    photo, recording, failed, other = plumb.batch.Results(folder)
    verdict = plumb.open_capture(healthy).verdict
    assert (photo.state, photo.kind, photo.model) == ("done", "photo", "iPhone 12")
    assert photo.verdict == verdict.name and photo.reason == verdict.reason
    assert photo.depth_sigma_millimeters == verdict.depth_sigma_millimeters
    assert photo.length_sigma_percent == verdict.length_sigma_percent
    assert photo.median_meters == pytest.approx(verdict.median_meters)
    assert [each.code for each in photo.findings] == list(verdict.findings.codes())
    assert photo.bytes == healthy.stat().st_size and photo.error is None
    assert (recording.kind, recording.frames, recording.camera) == ("recording", 5, "lidar")
    assert recording.median_meters == recording.document["medians"]["medianMeters"]
    assert failed.error == plumb.batch.RowError("meta", "8 bytes", None, "cut off")
    assert (failed.state, failed.code, failed.verdict, failed.findings) == ("failed", 65, None, ())
    assert other.path == OTHER_SCRIPT and other.state == "done" and other.verdict is None


def test_relative_depth_has_no_meters(relative: Path) -> None:
    row = row_of(checked(relative))
    assert row.verdict == "relative" and row.document["depth"]["medianMeters"] is not None
    assert row.median_meters is None and row.depth_sigma_millimeters is None


def test_numbers_of_other_verbs(healthy: Path) -> None:
    measured = plumb.run("measure", healthy, distance=["300,500:800,900", "300,500:310,900"], progress=False).document
    values = row_of(record_of(measured, str(healthy), 1, None)).values
    assert [each.name for each in values] == ["distance", "distance-2"]
    assert values[0].value == measured["measurements"][0]["value"] and values[0].unit == "m"
    verify = {"schema": "plumbline.verify/1", "frames": 9, "focal": {"measured": 500.5, "sigma": 0.5}, "depth": {}}
    values = row_of(verify).values
    assert [each.unit for each in values] == ["px", "%", "mm", "%"] and values[0].sigma == 0.5
    assert row_of(verify).frames == 9 and values[2].value is None


def test_table_of_pandas(folder: Path) -> None:
    pytest.importorskip("pandas")
    table = plumb.batch.Results(folder).to_pandas()
    assert list(table["state"]) == ["done", "done", "failed", "done"]
    assert {"width_px", "median_m", "depth_sigma_mm", "error_message", "document"} <= set(table.columns)


def test_parquet_has_the_same_rows(folder: Path, tmp_path: Path) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    results = plumb.batch.Results(folder)
    assert results.to_parquet(tmp_path / "results.parquet") == 4
    table = parquet.read_table(tmp_path / "results.parquet")
    assert table.to_pylist() == [row.columns() for row in results]
    types = {name: str(table.schema.field(name).type) for name in ("bytes", "median_m", "path")}
    assert types == {"bytes": "int64", "median_m": "double", "path": "string"}
    assert [path.name for path in tmp_path.iterdir()] == ["results.parquet"]


def test_a_file_that_cannot_be_finished_is_not_left(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    write_results(tmp_path, ['{"path": "a"}', "not JSON"], [0, 0])
    with pytest.raises(ValueError):
        plumb.batch.Results(tmp_path).to_parquet(tmp_path / "results.parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.csv", "results.jsonl"]


def test_a_folder_without_results_is_said(tmp_path: Path) -> None:
    with pytest.raises(plumb.MissingInputError, match="results.jsonl"):
        plumb.batch.Results(tmp_path)


def test_rows_are_those_of_the_command(healthy: Path, relative: Path, recording: Path, tmp_path: Path) -> None:
    """The columns that are made here from documents are those that the command writes."""
    folder = tmp_path / "in"
    folder.mkdir()
    for each in (healthy, relative, recording):
        shutil.copy(each, folder)
    (folder / "cut.jpg").write_bytes(healthy.read_bytes()[:5000])
    results = plumb.batch.run("check", folder, tmp_path / "results", workers=1, need="1%")
    assert results.summary["total"] == 4 and results.summary["failed"] == 1
    with open(tmp_path / "results" / "results.csv", newline="") as table:
        for row, expected in zip(results, csv.DictReader(table)):
            columns = row.columns()
            columns["findings"] = " ".join(f"{each.code}:{each.severity}" for each in row.findings)
            assert columns.pop("values") == [] and expected.pop("values") == ""
            del columns["document"]
            assert list(columns) == list(expected)
            for name, text in expected.items():
                assert text_of(columns[name], text) == text, name
    assert [row.code for row in results] == [65, 1, 0, 1]


def text_of(value: Any, like: str) -> Any:
    if value is None:
        return ""
    # Both are the shortest digits that give the number, and are written in two ways.
    return like if isinstance(value, float) and float(like) == value else str(value)
