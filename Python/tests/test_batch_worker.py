"""The worker of a batch: what a hostile capture does to it, and what its shard says then."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List

import pytest

import plumbline_depth as plumb
from plumbline_depth.batch_rows import row_of
from plumbline_depth.batch_worker import BatchWorker, WorkerLimits, WorkerLostError

pytest.importorskip("fsspec")

from plumbline_depth.row_parts import RowParts  # noqa: E402
from plumbline_depth.shards import ShardWorker, Work, encoded  # noqa: E402
from plumbline_depth.stores import Store, expanded  # noqa: E402

STAND_IN = (sys.executable, str(Path(__file__).with_name("batch_worker_stand_in.py")))
LIMITS = WorkerLimits(seconds=30, answer_bytes=1 << 20)
FAULTS = {
    "crash": "expected a result, found a worker that ended with signal 11 (SIGSEGV)",
    "hang": "expected a result within 1 s, found none; the worker was ended",
    "flood": "expected a result that can be kept, found more than 1048576 bytes",
    "noise": "expected a result that can be kept, found what is no answer",
    "swap": "expected a result that can be kept, found what is no answer",
    "eat": "expected a result, found a worker that ended with exit code 1: MemoryError",
}


def capture(folder: Path, name: str, words: str) -> Path:
    path = folder / name
    path.write_text(words)
    return path


@pytest.mark.parametrize("word", FAULTS)
def test_a_fault_ends_the_child_alone(word: str, tmp_path: Path) -> None:
    worker = BatchWorker(LIMITS, STAND_IN)
    worker.start()
    worker.limits = replace(LIMITS, seconds=1 if word == "hang" else 30)
    with pytest.raises(WorkerLostError, match=re.escape(FAULTS[word]) + "$"):
        worker.ask(["check", str(capture(tmp_path, "bad.heic", f"{word} now"))])
    worker.limits = LIMITS
    good = worker.ask(["check", str(capture(tmp_path, "good.heic", "good"))])
    assert good.code == 0 and good.bytes == 4
    worker.close()


def test_a_program_that_is_no_worker_is_said(tmp_path: Path) -> None:
    code = "import sys; print('no verb', file=sys.stderr); sys.exit(3)"
    with pytest.raises(plumb.ProgramFaultError, match="did not start") as caught:
        BatchWorker(LIMITS, [sys.executable, "-c", code]).start()
    assert caught.value.found == "a worker that ended with exit code 3: no verb"
    with pytest.raises(plumb.ProgramFaultError, match="no worker"):
        BatchWorker(LIMITS, [sys.executable, "-c", "print('{}')"]).start()


def test_the_child_ends_with_its_parent_even_while_it_hangs(tmp_path: Path) -> None:
    code = f"""
import sys
from plumbline_depth.batch_worker import BatchWorker
worker = BatchWorker(command={list(STAND_IN)!r})
worker.start()
print(worker._process.pid, flush=True)
worker.ask(["check", {str(capture(tmp_path, "a", "hang here"))!r}])
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 20
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(child)


def is_running(process: int) -> bool:
    state = subprocess.run(["ps", "-o", "state=", "-p", str(process)], capture_output=True, text=True).stdout.strip()
    return state not in ("", "Z")


@pytest.fixture
def work() -> Work:
    return Work(arguments=("check", "--json"), output="memory://results", limits=LIMITS, command=STAND_IN)


def documents(data: bytes) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def test_a_shard_gives_each_capture_one_row_in_order(work: Work, tmp_path: Path) -> None:
    random.seed(23)
    words = [random.choice(["good", "crash", "noise", "refuse", "flood"]) for _ in range(12)]
    paths = [str(capture(tmp_path, f"{index:02}.heic", word)) for index, word in enumerate(words)]
    worker = ShardWorker(work)
    result = worker.do([*paths, str(tmp_path / "missing.heic")])
    worker.close()
    rows = documents(result.rows)
    assert [row["path"] for row in rows] == [*paths, str(tmp_path / "missing.heic")]
    assert [row["schema"] for row in rows] == [
        "plumbline.check/1" if word == "good" else "plumbline.error/1" for word in [*words, "missing"]
    ]
    codes = {"crash": 70, "noise": 65, "flood": 65, "refuse": 65}
    assert [row["code"] for row in rows if "code" in row] == [codes[word] for word in words if word in codes] + [66]
    # Two attempts of each that ends its child.
    lost = sum(word in FAULTS for word in words)
    assert result.lost_children == 2 * lost and result.failed == 13 - words.count("good")
    assert all(row["bytes"] == len(word) and len(row["sha256"]) == 64 for row, word in zip(rows, words))


def test_captures_of_a_store_are_copied_and_removed(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    store = Store("memory://captures").system
    for name in ("b.heic", "a.heic", "refuse.heic"):
        store.pipe(f"/captures/{name}", name.encode())
    addresses = expanded("memory://captures/*.heic")
    assert addresses == [f"memory:///captures/{name}" for name in ("a.heic", "b.heic", "refuse.heic")]
    worker = ShardWorker(work)
    rows = documents(worker.do([*addresses, "memory://captures/none.heic"]).rows)
    worker.close()
    assert [row["path"] for row in rows[:3]] == addresses
    assert [row["file"] for row in rows[:2]] == ["a.heic", "b.heic"]
    # No name of a copy is left in a row.
    assert rows[2]["file"] == addresses[2] and str(tmp_path) not in json.dumps(rows)
    assert rows[3]["code"] == 66 and rows[3]["sha256"] is None
    assert os.listdir(tmp_path) == []


def test_what_a_verb_writes_is_stored_under_the_name_of_its_capture(work: Work, tmp_path: Path) -> None:
    path = str(capture(tmp_path, "a photo.heic", "good"))
    worker = ShardWorker(replace(work, output=str(tmp_path / "results"), writes_files=True))
    for _ in range(2):
        assert documents(worker.do([path]).rows)[0]["verdict"] == "measurable"
    worker.close()
    (folder,) = (tmp_path / "results" / "captures").iterdir()
    assert folder.name.startswith("a photo-") and (folder / "copy.txt").read_text() == "good"


@pytest.mark.parametrize("verb", ["check", "cloud"])
def test_rows_are_those_of_the_batch_of_the_command(
    verb: str, healthy: Path, recording: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "été"
    folder.mkdir()
    for each in (healthy, recording):
        shutil.copy(each, folder)
    (folder / "cut.jpg").write_bytes(healthy.read_bytes()[:5000])
    results = plumb.batch.run(verb, folder, tmp_path / "results", workers=1)
    arguments = ("check", "--json") if verb == "check" else ("cloud",)
    worker = ShardWorker(Work(arguments, output=str(tmp_path / "other"), writes_files=verb == "cloud"))
    rows = documents(worker.do(expanded(str(folder / "*"))).rows)
    worker.close()
    assert rows == [row.document for row in results]
    assert [row["path"].rsplit("/", 1)[1] for row in rows] == ["cut.jpg", healthy.name, "recording.mcap"]

    def files(folder: Path) -> Dict[Path, bytes]:
        return {each.relative_to(folder): each.read_bytes() for each in folder.rglob("*") if each.is_file()}

    written = files(tmp_path / "other" / "captures")
    assert written == files(tmp_path / "results" / "captures")
    assert len(written) == (2 if verb == "cloud" else 0)


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    code = """
from plumbline_depth.scratch import ScratchFolder
kept = ScratchFolder()
print(kept.path, flush=True)
input()
"""
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}

    def started() -> "tuple[subprocess.Popen[str], Path]":
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert process.stdout is not None
        return process, Path(process.stdout.readline().strip())

    with contextlib.ExitStack() as stack:
        first, of_first = started()
        second, of_second = started()
        stack.enter_context(first)
        stack.enter_context(second)
        first.kill()
        first.wait()
        assert of_first.is_dir()
        third, of_third = started()
        stack.enter_context(third)
        assert set(tmp_path.iterdir()) == {of_second, of_third}
        second.kill()
        third.kill()


@pytest.mark.parametrize("row_format", ["jsonl", "parquet"])
def test_rows_in_a_store_are_the_ledger(row_format: str, tmp_path: Path) -> None:
    if row_format == "parquet":
        pytest.importorskip("pyarrow")
    store = Store(str(tmp_path / "results"))

    def rows(*paths: str) -> bytes:
        return encoded([row_of({"schema": "plumbline.check/1", "path": path}) for path in paths], row_format)

    first = RowParts(store, row_format, {"arguments": ["check"]})
    first.claim()
    first.append(rows("a", "b\u2028"), 2)
    first.finish_part()
    first.append(rows("c"), 1)
    # The process that wrote them was lost before the second file ended.
    second = RowParts(store, row_format, {"arguments": ["check"]})
    second.claim()
    assert second.written_paths() == {"a", "b\u2028"}
    with pytest.raises(plumb.UsageError, match="another run"):
        first.close()
    second.append(rows("c"), 1)
    second.close()
    assert RowParts(store, row_format, {}).written_paths() == {"a", "b\u2028", "c"}
    with pytest.raises(plumb.UsageError, match="other settings"):
        RowParts(store, row_format, {"arguments": ["measure"]}).claim()


def test_a_capture_without_rights_fails_alone(work: Work, tmp_path: Path) -> None:
    with pytest.raises(plumb.MissingInputError, match="no file matches"):
        expanded(str(tmp_path / "*.heic"))
    bad = os.fsdecode(os.fsencode(str(tmp_path)) + b"/bad-\xff.heic")
    Path(bad).write_text("good")
    addresses = expanded(str(tmp_path / "*.heic"))
    worker = ShardWorker(work)
    (row,) = documents(worker.do(addresses).rows)
    worker.close()
    assert row["code"] == 66 and row["path"].endswith("bad-\\xff.heic")


