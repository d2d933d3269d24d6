"""Many captures on a real cluster of Ray on this machine, and a store in between.

They need ray, s3fs and moto (Scripts/requirements-ray.txt), which the soak installs.
"""

from __future__ import annotations

import collections
import importlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

import plumbline_depth as plumb
from plumbline_depth.batch_worker import WorkerLimits

from .ray_cluster import RayCluster

# Ray reads them when it is imported.
os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
ray: Any = pytest.importorskip("ray")
pytestmark = pytest.mark.skipif(
    "PLUMBLINE_SOAK" not in os.environ, reason="a cluster takes minutes: Scripts/soak runs it"
)

STAND_IN = Path(__file__).with_name("batch_worker_stand_in.py")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The names of the captures that were begun, by any worker."""
    return tmp_path_factory.mktemp("log") / "begun.txt"


@pytest.fixture(scope="module")
def cluster(log: Path) -> Iterator[RayCluster]:
    """Two nodes of one processor, whose program is the stand-in."""
    folder = Path("/tmp") / f"plumbline-ray-{time.time_ns() // 1_000_000}"
    program = log.with_name("program")
    shutil.copy(STAND_IN, program)
    started = RayCluster(folder, {"PLUMBLINE_PROGRAM": str(program), "STAND_IN_LOG": str(log)})
    try:
        started.add_node()
        started.add_node()
        yield started
    finally:
        ray.shutdown()
        started.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def connected(cluster: RayCluster, log: Path) -> RayCluster:
    log.write_text("")
    if not ray.is_initialized():
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    return cluster


def captures(folder: Path, words: List[str]) -> None:
    folder.mkdir()
    for index, word in enumerate(words):
        (folder / f"{index:03}.heic").write_text(f"{word} {index}")


def rows(output: Path) -> List[Dict[str, Any]]:
    files = sorted((output / "rows").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_a_hostile_capture_takes_its_child_alone(connected: RayCluster, tmp_path: Path) -> None:
    words = ["good", "crash", "refuse", "hang", "good", "noise"] * 2 + ["good"] * 88
    captures(tmp_path / "in", words)
    result = plumb.ray.batch(
        str(tmp_path / "in" / "*.heic"), str(tmp_path / "out"), row_format="jsonl", limits=WorkerLimits(seconds=3)
    )
    found = rows(tmp_path / "out")
    assert (result.total, result.done, result.failed, result.skipped) == (100, 92, 8, 0)
    assert sorted(Path(row["path"]).name for row in found) == [f"{index:03}.heic" for index in range(100)]
    assert sum(row["schema"] == "plumbline.check/1" for row in found) == 92
    assert result.lost_workers == 0 and result.lost_children == 2 * 6
    again = plumb.ray.batch(str(tmp_path / "in" / "*.heic"), str(tmp_path / "out"), row_format="jsonl")
    assert (again.done, again.failed, again.skipped) == (0, 0, 100) and rows(tmp_path / "out") == found


def test_a_capture_that_takes_its_node_along_is_set_aside_alone(connected: RayCluster, tmp_path: Path) -> None:
    captures(tmp_path / "in", ["good"] * 20 + ["kill"] + ["good"] * 19)
    result = plumb.ray.batch(str(tmp_path / "in" / "*.heic"), str(tmp_path / "out"), row_format="jsonl")
    found = rows(tmp_path / "out")
    assert (len(found), result.done, result.failed) == (40, 39, 1) and result.lost_workers >= 4
    (failed,) = [row for row in found if row["schema"] == "plumbline.error/1"]
    assert failed["path"].endswith("020.heic") and "lost 5 times" in failed["message"]


def test_a_node_that_is_killed_loses_no_row_and_gives_none_twice(
    connected: RayCluster, log: Path, tmp_path: Path
) -> None:
    captures(tmp_path / "in", ["slow"] * 400)
    killed = threading.Event()

    def kill_one() -> None:
        while len(log.read_text().split()) < 100:
            time.sleep(0.02)
        connected.kill(connected.nodes.pop())
        killed.set()

    killer = threading.Thread(target=kill_one)
    killer.start()
    result = plumb.ray.batch(str(tmp_path / "in" / "*.heic"), str(tmp_path / "out"), row_format="jsonl", shard_size=16)
    killer.join()
    connected.add_node()
    assert killed.is_set() and result.lost_workers >= 1 and result.done == 400
    names = collections.Counter(Path(row["path"]).name for row in rows(tmp_path / "out"))
    assert len(names) == 400 and set(names.values()) == {1}
    # What the lost node had begun was done again.
    assert len(log.read_text().split()) > 400


def test_rows_in_parquet(connected: RayCluster, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    captures(tmp_path / "in", ["good"] * 40 + ["refuse"])
    result = plumb.ray.batch(str(tmp_path / "in" / "*.heic"), str(tmp_path / "out"), row_format="parquet")
    table = pandas.read_parquet(tmp_path / "out" / "rows", columns=["path", "state", "code", "error_message"])
    assert result.files == ("rows/00000.parquet",) and len(table) == 41
    assert (table["state"] == "done").sum() == 40 and table["code"].max() == 65
    assert list(table[table["state"] == "failed"]["error_message"]) == ["it is no capture"]


def test_progress_ends_the_work_and_the_same_call_goes_on(connected: RayCluster, tmp_path: Path) -> None:
    captures(tmp_path / "in", ["slow"] * 100)

    def ending(stage: str, done: int, total: int) -> bool:
        return done < 30

    with pytest.raises(plumb.CancelledError):
        plumb.ray.batch(str(tmp_path / "in" / "*.heic"), str(tmp_path / "out"), row_format="jsonl", progress=ending)
    before = len(rows(tmp_path / "out"))
    assert 30 <= before < 100
    result = plumb.ray.batch(str(tmp_path / "in" / "*.heic"), str(tmp_path / "out"), row_format="jsonl")
    assert result.skipped == before and len({row["path"] for row in rows(tmp_path / "out")}) == 100
    assert len(rows(tmp_path / "out")) == 100


def test_a_node_without_the_program_is_said(connected: RayCluster, log: Path, tmp_path: Path) -> None:
    captures(tmp_path / "in", ["good"] * 3)
    program = log.with_name("program").rename(log.with_name("elsewhere"))
    try:
        with pytest.raises(plumb.MissingInputError, match="no program of Plumbline"):
            plumb.ray.batch(str(tmp_path / "in" / "*.heic"), str(tmp_path / "out"), row_format="jsonl")
    finally:
        program.rename(log.with_name("program"))


def test_a_store_is_read_and_written(connected: RayCluster) -> None:
    pytest.importorskip("s3fs")
    server: Any = pytest.importorskip("moto.server")
    s3 = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    s3.start()
    host, port = s3.get_host_and_port()
    options = {"key": "test", "secret": "test", "client_kwargs": {"endpoint_url": f"http://{host}:{port}"}}
    try:
        store: Any = importlib.import_module("fsspec").filesystem("s3", **options)
        store.mkdir("captures")
        store.mkdir("results")
        for index in range(40):
            store.pipe(f"captures/day one/{index:02}.heic", b"crash" if index == 7 else b"good %d" % index)
        result = plumb.ray.batch(
            "s3://captures/day one/*.heic",
            "s3://results/first",
            row_format="jsonl",
            input_options=options,
            output_options=options,
        )
        assert (result.done, result.failed) == (39, 1) and result.files == ("rows/00000.jsonl",)
        store.invalidate_cache()
        lines = store.cat("results/first/rows/00000.jsonl").decode().splitlines()
        found = {row["path"]: row for row in map(json.loads, lines)}
        assert set(found) == {f"s3://captures/day one/{index:02}.heic" for index in range(40)} and len(lines) == 40
        assert "SIGSEGV" in found["s3://captures/day one/07.heic"]["message"]
        again = plumb.ray.batch(
            "s3://captures/day one/*.heic",
            "s3://results/first",
            row_format="jsonl",
            input_options=options,
            output_options=options,
        )
        assert again.skipped == 40
        plumb.ray.batch(
            "s3://captures/day one/0*.heic",
            "s3://results/second",
            row_format="parquet",
            input_options=options,
            output_options=options,
        )
        pandas: Any = pytest.importorskip("pandas")
        table = pandas.read_parquet("s3://results/second/rows", storage_options=options)
        assert list(table["state"]).count("failed") == 1 and len(set(table["path"])) == len(table) == 10
    finally:
        s3.stop()


INSECURE = """
import plumbline_depth as plumb
result = plumb.ray.batch({captures!r}, {output!r}, address={address!r}, insecure=True, progress=False)
print(result.done)
"""


def test_a_cluster_without_tokens_is_refused_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray.shutdown()
    captures(tmp_path / "in", ["good"] * 3)
    pattern, output = str(tmp_path / "in" / "*.heic"), str(tmp_path / "out")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    with pytest.raises(plumb.UsageError, match="any program on its nodes.*RAY_AUTH_MODE=token"):
        plumb.ray.batch(pattern, output)
    folder = Path("/tmp") / f"plumbline-open-{time.time_ns() // 1_000_000}"
    cluster = RayCluster(folder, {"PLUMBLINE_PROGRAM": str(STAND_IN)})
    try:
        cluster.add_node()
        code = INSECURE.format(captures=pattern, output=output, address=cluster.address)
        allowed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
        assert allowed.stdout == "3\n", allowed.stderr
        # A process with a token connects to such a cluster without a word.
        monkeypatch.setenv("RAY_AUTH_MODE", "token")
        with pytest.raises(plumb.PlumblineError, match="requires no token|lost while they start"):
            plumb.ray.batch(pattern, output + "-2", address=cluster.address)
        assert not (tmp_path / "out-2" / "rows").exists()
    finally:
        ray.shutdown()
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
