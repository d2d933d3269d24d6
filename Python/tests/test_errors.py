"""Failures are exceptions with place, expected and found; damaged files never end the interpreter."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import List, Tuple, Union

import pytest

import plumbline_depth as plumb
from plumbline_depth.errors import error, error_from_document

KINDS = {
    1: plumb.NotMeasurableError,
    64: plumb.UsageError,
    65: plumb.UnusableInputError,
    66: plumb.MissingInputError,
    70: plumb.ProgramFaultError,
    73: plumb.CannotCreateError,
    74: plumb.StorageError,
    130: plumb.CancelledError,
}

# Reads every file of a list and prints how many were read and how many were refused; a crash ends it early.
READ_ALL = """
import collections, sys
import plumbline_depth as plumb
counts = collections.Counter()
for line in sys.stdin:
    path = line.rstrip("\\n")
    print(path, file=sys.stderr, flush=True)
    try:
        opened = plumb.open(path, threads=1)
        for capture in ([opened] if isinstance(opened, plumb.Capture) else opened[:2]):
            for name in capture.array_names:
                capture.array(name)
            capture.verdict
        counts["read"] += 1
    except plumb.ProgramFaultError as fault:
        print("FAULT", path, fault)
    except plumb.PlumblineError as refused:
        assert str(refused)
        counts["refused"] += 1
print("done", counts["read"], counts["refused"])
"""


@pytest.mark.parametrize("code", KINDS)
def test_each_code_has_its_class(code: int) -> None:
    failure = error(code, "a sentence", file="a.heic", place="meta", expected="one", found="two")
    assert type(failure) is KINDS[code] and failure.code == code
    again = pickle.loads(pickle.dumps(failure))
    assert (type(again), again.__dict__) == (type(failure), failure.__dict__)


def test_an_unknown_code_is_a_fault() -> None:
    assert type(error(99, "?")) is plumb.ProgramFaultError
    assert type(error_from_document({"code": None, "message": None})) is plumb.ProgramFaultError


def test_builtin_kinds() -> None:
    assert issubclass(plumb.UsageError, ValueError) and issubclass(plumb.UnusableInputError, ValueError)
    assert issubclass(plumb.MissingInputError, OSError) and issubclass(plumb.StorageError, OSError)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(plumb.MissingInputError) as caught:
        plumb.open(tmp_path / "none.heic")
    assert caught.value.file == str(tmp_path / "none.heic")


def test_other_bytes_are_refused_with_place_expected_and_found() -> None:
    with pytest.raises(plumb.UnusableInputError) as caught:
        plumb.read(b"hello", "a.heic")
    failure = caught.value
    assert (failure.file, failure.place) == ("a.heic", "byte 0")
    assert failure.expected and failure.found and "hello" in failure.found


@pytest.mark.parametrize("name", ["bad\0name", b"bad\0name"])
def test_a_path_with_a_zero_is_refused(name: "Union[str, bytes]") -> None:
    with pytest.raises(ValueError, match="zero"):
        plumb.open(os.fsdecode(name))


def test_an_unknown_setting_is_refused(healthy: Path) -> None:
    with pytest.raises(plumb.UsageError):
        plumb.open_capture(healthy, depth_unit="parsec")


def test_truncated_photos_are_refused_or_read(healthy: Path) -> None:
    """Cut anywhere, a photo is refused by an exception, or what is left of it is read."""
    whole = healthy.read_bytes()
    drawn = random.Random(22)
    for length in [0, 1, 2, 3, *(drawn.randrange(len(whole)) for _ in range(40))]:
        try:
            capture = plumb.read(whole[:length], "cut.jpg")
            _ = capture.verdict
        except (plumb.UnusableInputError, plumb.NotMeasurableError) as refused:
            assert refused.file == "cut.jpg"


def read_all(paths: List[Path]) -> Tuple[int, int]:
    """How many files were read and how many refused, in an interpreter of its own."""
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", READ_ALL],
        input="\n".join(str(path) for path in paths),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    last = run.stderr.splitlines()[-1:]
    assert run.returncode == 0, f"ended with {run.returncode} at {last}"
    assert "FAULT" not in run.stdout, run.stdout
    _, read, refused = run.stdout.split()
    assert int(read) + int(refused) == len(paths)
    return int(read), int(refused)


def test_damaged_photos_never_end_the_interpreter(healthy: Path, tmp_path: Path) -> None:
    whole, drawn, paths = healthy.read_bytes(), random.Random(7), []
    for number in range(60):
        damaged = bytearray(whole)
        for _ in range(drawn.choice([1, 8, 200])):
            damaged[drawn.randrange(len(damaged))] = drawn.randrange(256)
        paths.append(tmp_path / f"{number}.jpg")
        paths[-1].write_bytes(damaged)
    read_all(paths)


def test_hostile_files_never_end_the_interpreter(real_data: Path) -> None:
    paths = sorted(path for path in (real_data / "bad").rglob("*") if path.is_file())
    assert paths
    # All take minutes; every fifth of them is enough beside other checks.
    step = 1 if os.environ.get("PLUMBLINE_SOAK") else 5
    _, refused = read_all([path for path in paths[::step] if "\n" not in str(path)])
    assert refused > 0
