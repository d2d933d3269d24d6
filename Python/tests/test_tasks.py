"""Tasks on files: results, progress, cancelling, Control-C; outputs are whole or absent."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Iterator, List, Set, Tuple

import pytest

import plumbline_depth as plumb
from plumbline_depth.program import run_program

# Runs a task, prints when it goes on, and says how it ended. Each step takes a second, so that an interrupt comes
# in the middle of the work.
RUN = """
import time
import plumbline_depth as plumb
def going(stage, done, total):
    print("going", flush=True)
    time.sleep(1)
try:
    plumb.{task}
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

# A program that counts on its terminal, writes something unfinished, and removes it when it is interrupted.
COUNTING = """#!/bin/sh
trap 'rm -f {output}.partial; exit 130' INT
touch {output}.partial
printf '\\r\\033[Kframe 1 of 9' >&2
for step in $(seq 600); do sleep 0.1; done
"""


def test_convert_there_and_back(recording: Path, tmp_path: Path) -> None:
    written = plumb.convert(recording, tmp_path / "a.r3d", progress=False)
    assert written["frames"] == 5 and written.succeeded
    assert len(plumb.open_recording(tmp_path / "a.r3d")) == 5


def test_check_of_a_recording_is_a_verdict(recording: Path) -> None:
    verdict = plumb.check(recording, progress=False)
    assert verdict.document["schema"] == "plumbline.check/1"
    assert verdict.is_measurable and len(verdict.document["frames"]) == 5


def test_cloud_and_mesh_are_written(healthy: Path, tmp_path: Path) -> None:
    plumb.cloud(healthy, tmp_path / "a.ply", progress=False)
    assert (tmp_path / "a.ply").read_bytes().startswith(b"ply\n")
    mesh = plumb.mesh(healthy, tmp_path / "a.glb", progress=False)
    assert mesh["triangles"] > 0 and (tmp_path / "a.glb").read_bytes().startswith(b"glTF")


def test_an_existing_output_is_kept(healthy: Path, tmp_path: Path) -> None:
    output = tmp_path / "a.ply"
    output.write_text("mine")
    with pytest.raises(plumb.CannotCreateError):
        plumb.cloud(healthy, output, progress=False)
    assert output.read_text() == "mine"
    plumb.cloud(healthy, output, force=True, progress=False)
    assert output.read_bytes().startswith(b"ply\n")


def test_a_capture_is_measured_as_its_file(healthy: Path) -> None:
    distance: List[Tuple[Tuple[int, int], Tuple[int, int]]] = [((300, 500), (800, 900))]
    of_capture = plumb.open_capture(healthy).measure(distance=list(distance))
    of_file = plumb.measure(healthy, distance=list(distance), progress=False)
    assert of_capture[0] == of_file[0]
    assert of_capture[0].value and of_capture[0].sigma and of_capture[0].unit == "m"
    assert repr(of_capture).startswith("distance: ")


def test_a_mesh_file_is_measured_as_the_command_does(healthy: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    plumb.mesh(healthy, path, progress=False)
    numbers = plumb.measure(path, area=["all"], section=["x=0"], progress=False)
    _, printed = run_program(["measure", "--json", "--area=all", "--section=x=0", str(path)])
    assert numbers.document == json.loads(printed)
    assert numbers[0].unit == "m2"


# In a process of its own: the network's runtime is named by the environment, and stays loaded.
ESTIMATE = """
import json, sys
from ctypes import c_char_p
from plumbline_depth.interface import ProgressFunction, checked_text
inputs = (c_char_p * 1)(sys.argv[1].encode())
settings = json.dumps({"network": sys.argv[3], "fit-to": "none"}).encode()
print(checked_text("plumbline_run", b"estimate", inputs, 1, sys.argv[2].encode(), settings, ProgressFunction(), None))
"""


def test_a_recording_is_estimated_by_library_and_program_alike(
    recording: Path, real_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = real_data.parent / "models" / "depth" / "fastdepth_nyu_224_f32.onnx"
    runtime = importlib.util.find_spec("openvino")
    if not network.is_file() or runtime is None or runtime.origin is None:
        pytest.skip("no network beside the real data, or no openvino")
    monkeypatch.setenv("PLUMBLINE_OPENVINO", str(Path(runtime.origin).parent / "libs"))
    output = tmp_path / "out"
    program = plumb.estimate(recording, output, network=str(network), fit_to="none", progress=False)
    files = {each.relative_to(output): each.read_bytes() for each in output.rglob("*") if each.is_file()}
    shutil.rmtree(output)
    run = subprocess.run(
        [sys.executable, "-c", ESTIMATE, recording, output, network], stdout=subprocess.PIPE, text=True, check=True
    )
    assert json.loads(run.stdout) == program.document
    assert len(program["frames"]) == 5 and program["unreadable"] == []
    assert files == {each.relative_to(output): each.read_bytes() for each in output.rglob("*") if each.is_file()}


def test_a_pixel_outside_is_wrong_usage(healthy: Path) -> None:
    with pytest.raises(plumb.UsageError):
        plumb.measure(healthy, point=[(100000, 1)], progress=False)


def test_an_effect_by_the_program(healthy: Path, tmp_path: Path) -> None:
    plumb.effect("blur", healthy, tmp_path / "blurred.jpg", progress=False)
    assert (tmp_path / "blurred.jpg").stat().st_size > 0


def test_a_name_that_begins_like_an_option(tmp_path: Path) -> None:
    with pytest.raises(plumb.MissingInputError):
        plumb.info("--none", progress=False)


def test_an_unknown_option_is_wrong_usage(recording: Path, tmp_path: Path) -> None:
    with pytest.raises(plumb.UsageError):
        plumb.convert(recording, tmp_path / "a.r3d", colour="red", progress=False)


def test_filter_marks_what_it_invents(healthy: Path) -> None:
    filtered = plumb.open_capture(healthy).filter(preset="preview")
    assert filtered.depth.invented.shape == filtered.depth.shape
    assert set(filtered.depth.invented.ravel()) <= {0, 1}


def test_correct_makes_a_new_capture(healthy: Path) -> None:
    photo = plumb.open_capture(healthy)
    corrected = photo.correct(rectify="depth")
    assert corrected.calibration.is_rectified and not photo.calibration.is_rectified


def test_progress_counts_and_can_end_the_work(recording: Path, tmp_path: Path) -> None:
    seen: List[Tuple[str, int, int]] = []

    def going(stage: str, done: int, total: int) -> bool:
        seen.append((stage, done, total))
        return done < 2

    with pytest.raises(plumb.CancelledError):
        plumb.convert(recording, tmp_path / "a.mcap", progress=going)
    assert seen and seen[-1][1] >= 2
    assert all(total in (0, 5) for _, _, total in seen)
    assert list(tmp_path.iterdir()) == []


def test_an_exception_of_the_progress_function_ends_the_work(recording: Path, tmp_path: Path) -> None:
    def going(stage: str, done: int, total: int) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        plumb.convert(recording, tmp_path / "a.mcap", progress=going)
    assert list(tmp_path.iterdir()) == []


@contextlib.contextmanager
def ended_after(process: "subprocess.Popen[str]", seconds: float) -> Iterator[None]:
    """Kills a process that hangs, so that its test fails."""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def interrupted(task: str) -> List[str]:
    """What a process prints that runs a task and is interrupted at its first step."""
    command = [sys.executable, "-c", RUN.format(task=task)]
    # Programs in the background of a shell ignore the signal, and what they start does too.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    ) as process, ended_after(process, seconds=120):
        assert process.stdout is not None
        assert process.stdout.readline() == "going\n"
        process.send_signal(signal.SIGINT)
        lines = process.stdout.read().splitlines()
    assert process.returncode == 0
    return lines


@pytest.mark.parametrize("name", ["out.mcap", "out.r3d", "out"])
def test_control_c_ends_the_library_and_leaves_nothing(name: str, recording: Path, tmp_path: Path) -> None:
    task = f"convert({str(recording)!r}, {str(tmp_path / name)!r}, format={'tum' if name == 'out' else None!r}"
    assert interrupted(task + ", progress=going)")[-1] == "interrupted"
    assert list(tmp_path.iterdir()) == []


def test_control_c_ends_the_program_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "program"
    script.write_text(COUNTING.format(output=tmp_path / "out"))
    script.chmod(0o755)
    monkeypatch.setenv("PLUMBLINE_PROGRAM", str(script))
    assert interrupted("info('any', progress=going)")[-1] == "interrupted"
    assert list(tmp_path.iterdir()) == [script]


@pytest.fixture
def interrupt_at_start(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Control-C when the first thread has begun to work, before the function that started it goes on."""
    start = threading.Thread.start

    def start_and_interrupt(thread: threading.Thread) -> None:
        monkeypatch.setattr(threading.Thread, "start", start)
        start(thread)
        time.sleep(0.5)
        signal.raise_signal(signal.SIGINT)

    # What a shell runs in the background ignores the signal.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(threading.Thread, "start", start_and_interrupt)
    yield
    signal.signal(signal.SIGINT, handler)


def test_control_c_while_the_program_starts_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupt_at_start: None
) -> None:
    script = tmp_path / "program"
    script.write_text(COUNTING.format(output=tmp_path / "out"))
    script.chmod(0o755)
    monkeypatch.setenv("PLUMBLINE_PROGRAM", str(script))
    with pytest.raises(KeyboardInterrupt):
        plumb.info("any", progress=False)
    assert list(tmp_path.iterdir()) == [script]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_control_c_while_the_library_starts_leaves_nothing(
    recording: Path, tmp_path: Path, interrupt_at_start: None
) -> None:
    def going(stage: str, done: int, total: int) -> None:
        time.sleep(1)

    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        plumb.convert(recording, tmp_path / "out.mcap", progress=going)
    assert threading.active_count() == threads
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_is_killed_is_an_exception(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "killed"
    script.write_text("#!/bin/sh\nkill -9 $$\n")
    script.chmod(0o755)
    monkeypatch.setenv("PLUMBLINE_PROGRAM", str(script))
    with pytest.raises(plumb.ProgramFaultError, match="SIGKILL"):
        plumb.info("any", progress=False)


def test_a_missing_program_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLUMBLINE_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(plumb.MissingInputError, match="PLUMBLINE_PROGRAM"):
        plumb.info("any", progress=False)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="/proc tells the children of a process on Linux only")
def test_no_process_is_left(recording: Path) -> None:
    def children() -> Set[str]:
        return {each for task in Path("/proc/self/task").iterdir() for each in (task / "children").read_text().split()}

    before = children()
    plumb.info(recording, progress=False)
    assert children() <= before
