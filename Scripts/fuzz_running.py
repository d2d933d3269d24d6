"""Runs one fuzz target for some time; see `Scripts/fuzz`."""
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

from fuzz_building import ROOT

# Longer inputs only slow the search down: each kind of structure fits well into these.
MAXIMUM_LENGTH = {"XMPPacketFuzzer": 16384, "ExifFuzzer": 8192, "PNGFuzzer": 16384,
                  "JSONFuzzer": 8192, "PLYFuzzer": 16384, "RecordingFuzzer": 16384,
                  "MCAPFuzzer": 8192, "ROS1BagFuzzer": 8192, "ZIPFuzzer": 4096, "LZFSEFuzzer": 8192,
                  "LZ4Fuzzer": 4096,
                  "NPYFuzzer": 8192, "TIFFFuzzer": 16384, "MP4Fuzzer": 16384,
                  "ROSMessageFuzzer": 16384, "StreamFuzzer": 8192,
                  "ModelFileFuzzer": 4096, "ModelBundleFuzzer": 4096, "ModelCardFuzzer": 2048,
                  "CalibrationFuzzer": 4096, "PhotoEditFuzzer": 8192, "OBJFuzzer": 2048,
                  "MeshFuzzer": 4096,
                  "MorphableModelFuzzer": 16384}
DEFAULT_MAXIMUM_LENGTH = 65536
# Targets that say with FUZZ_ENTRIES how often the seeds got inside each of their readers.
TELLS_ENTRIES = ["RecordingFuzzer"]
TIMEOUT_SECONDS = 2
MEMORY_LIMIT_MB = 2048
# With this status libFuzzer ends at Control-C; what it found is kept.
INTERRUPTED = 72
# The crash reporter of Swift waits on a pipe for ever; libFuzzer reports crashes itself.
ENVIRONMENT = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}


def maximum_length(target: str) -> int:
    return MAXIMUM_LENGTH.get(target, DEFAULT_MAXIMUM_LENGTH)


def limits(target: str) -> list:
    return [f"-max_len={maximum_length(target)}", f"-timeout={TIMEOUT_SECONDS}", f"-rss_limit_mb={MEMORY_LIMIT_MB}"]


def seed_python() -> str:
    """The Python of the tests, which has foreign encoders and decoders, else this one."""
    local = ROOT / ".venv/bin/python"
    return os.environ.get("PLUMBLINE_PYTHON") or str(local if local.exists() else sys.executable)


def seeds(target: str, corpus: pathlib.Path, maximum_length: int) -> None:
    script = [seed_python(), "Scripts/fuzz-seeds", target, corpus, str(maximum_length)]
    subprocess.run(script, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def statistics(log: str) -> dict:
    def last(pattern: str) -> str:
        found = re.findall(pattern, log)
        return found[-1] if found else "?"

    return {
        "runs": last(r"stat::number_of_executed_units:\s+(\d+)"),
        "runs/s": last(r"stat::average_exec_per_sec:\s+(\d+)"),
        "cov": last(r"\bcov: (\d+)"),
        "features": last(r"\bft: (\d+)"),
        "corpus": last(r"\bcorp: (\d+)"),
        "slowest s": last(r"stat::slowest_unit_time_sec:\s+(\d+)"),
        "peak MB": last(r"stat::peak_rss_mb:\s+(\d+)"),
    }


def run(target: str, program: pathlib.Path, seconds: int, home: pathlib.Path, blind: bool = False) -> tuple:
    """Fuzzes for some seconds with the corpus, crashers and logs of a folder; returns statistics and status."""
    corpus, crashers = home / "corpus" / target, home / "crashers" / target
    for folder in (corpus, crashers, home / "logs"):
        folder.mkdir(parents=True, exist_ok=True)
    seeds(target, corpus, maximum_length(target))
    command = [
        str(program), str(corpus), *limits(target),
        f"-artifact_prefix={crashers}/", "-print_final_stats=1", "-use_value_profile=1",
    ]
    dictionary = ROOT / "Scripts/fuzz-dictionaries" / f"{target}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    environment = {**ENVIRONMENT, "FUZZ_BLIND": "1"} if blind else ENVIRONMENT
    log = home / "logs" / f"{target}.log"
    began, text, status = time.monotonic(), "", 1
    while status != 0 and (left := seconds - int(time.monotonic() - began)) > 0:
        before = set(crashers.iterdir())
        with log.open("w") as file:
            status = subprocess.run(
                [*command, f"-max_total_time={left}"], env=environment,
                stdin=subprocess.DEVNULL, stdout=file, stderr=file,
            ).returncode
        text = log.read_text(errors="replace")
        failed = sorted(set(crashers.iterdir()) - before)
        if status == INTERRUPTED:
            status = 0
        if status == 0 or not failed or not all(was_waiting(program, path) for path in failed):
            break
        # The clock of a time-out runs on while other programs have the processor.
        print(f"{target}: an input took over {TIMEOUT_SECONDS} s only because the machine was busy")
        for path in failed:
            path.unlink()
        status = 0 if seconds - int(time.monotonic() - began) <= 0 else status
    if status != 0:
        print(f"\n{target} ended with {status}; the end of {log}:", flush=True)
        print("\n".join(text.splitlines()[-40:]))
        for path in failed:
            print(f"replay: {program} {path}")
    return statistics(text), status


def was_waiting(program: pathlib.Path, path: pathlib.Path) -> bool:
    """Whether a time-out's input, run again, costs less processor time than the limit."""
    if not path.name.startswith("timeout-"):
        return False
    replay = subprocess.Popen(
        [str(program), str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=ENVIRONMENT,
    )
    deadline = threading.Timer(60 * TIMEOUT_SECONDS, replay.kill)
    deadline.start()
    # Of this child alone: other targets run meanwhile.
    _, status, usage = os.wait4(replay.pid, 0)
    deadline.cancel()
    replay.returncode = os.waitstatus_to_exitcode(status)
    return replay.returncode == 0 and usage.ru_utime < TIMEOUT_SECONDS


def unentered(target: str, program: pathlib.Path, home: pathlib.Path) -> list:
    """The readers that no seed of a target gets into, so that fuzzing them would be none."""
    replay = subprocess.run(
        [str(program), *map(str, sorted((home / "corpus" / target).glob("seed-*")))],
        env={**ENVIRONMENT, "FUZZ_ENTRIES": "1"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    entries = dict(re.findall(r"^entered (.+): (\d+)$", replay.stdout, re.M))
    print("frames of seeds read: " + ", ".join(f"{name} {count}" for name, count in entries.items()))
    return [name for name, count in entries.items() if count == "0"] if entries else ["(none reported)"]
