"""Fuzzing that goes on: targets take turns, and what they found stays outside of the checkout.

The folder holds for each target corpus/TARGET (minimized after each turn), crashers/TARGET and a log,
and journal.jsonl with a line for each turn.
"""
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from fuzz_building import ROOT
from fuzz_running import ENVIRONMENT, limits, run

TURN_SECONDS = 300
MERGE_SECONDS = 600


def default_home() -> pathlib.Path:
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "plumbline-fuzz"


def complaint(home: pathlib.Path) -> str | None:
    """Why a folder cannot keep a corpus, or None."""
    if home.resolve().is_relative_to(ROOT):
        return f"{home} lies inside of the checkout, which a clean-up would empty; name a folder outside with --keep"
    return None


def turns(home: pathlib.Path) -> list:
    """The journal; a last line that a kill cut off is left out."""
    path = home / "journal.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    entries = []
    for line in lines:
        try:
            entries.append(json.loads(line))
        except json.JSONDecodeError:
            print(f"{path}: a line that is cut off is left out", file=sys.stderr)
    return entries


def run_turns(programs: dict, home: pathlib.Path, hours: float | None) -> int:
    """Lets targets take turns, the one with the least time so far first, until the time is over or Control-C."""
    home.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + hours * 3600 if hours else float("inf")
    spent = collections.Counter({target: 0 for target in programs})
    for entry in turns(home):
        if entry["target"] in spent:
            spent[entry["target"]] += entry["seconds"]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    lock, running, failed, ended = threading.Lock(), set(), [], threading.Event()

    def take_turns() -> None:
        while not ended.is_set():
            with lock:
                free = [target for target in programs if target not in running]
                seconds = int(min(TURN_SECONDS, deadline - time.monotonic()))
                if not free or seconds < 1:
                    return
                target = min(free, key=lambda name: (spent[name], name))
                running.add(target)
            entry = turn(target, programs[target], seconds, home)
            entry["commit"] = commit.stdout.strip()
            with lock:
                running.discard(target)
                spent[target] += entry["seconds"]
                failed.extend(f"{target}/{name}" for name in entry["failed"])
                # A turn that Control-C cut short has no statistics and counts for nothing.
                if entry["runs"] or entry["failed"]:
                    note(entry, home)

    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            workers = [pool.submit(take_turns) for _ in range(os.cpu_count())]
            try:
                for worker in workers:
                    worker.result()
            except KeyboardInterrupt:
                # The targets had the same signal and end by themselves.
                ended.set()
                print("\nended; the corpus stays in", home)
    finally:
        report(home)
    if failed:
        print("FAILED: " + ", ".join(sorted(set(failed))))
    return bool(failed)


def turn(target: str, program: pathlib.Path, seconds: int, home: pathlib.Path) -> dict:
    """One turn and the minimizing of what it left."""
    crashers = home / "crashers" / target
    before = set(crashers.iterdir()) if crashers.exists() else set()
    began = time.monotonic()
    row, _ = run(target, program, seconds, home)
    took = round(time.monotonic() - began)
    failed = sorted(path.name for path in set(crashers.iterdir()) - before)
    count, kept = minimize(target, program, home)
    number = lambda name: int(row[name]) if row[name].isdigit() else 0
    return {
        "at": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "target": target,
        "seconds": took, "runs": number("runs"), "cov": number("cov"), "features": number("features"),
        "inputs": count, "kept": kept, "failed": failed,
    }


def minimize(target: str, program: pathlib.Path, home: pathlib.Path) -> tuple:
    """Keeps the smallest inputs that reach what all reach; returns the numbers before and after.

    The new corpus is made beside the old one and takes its place when it is whole.
    """
    corpus, new, old = (home / folder / target for folder in ("corpus", "merging", "merged"))
    for folder in (new, old):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    count = sum(1 for _ in corpus.iterdir())
    command = [str(program), "-merge=1", *limits(target), "-use_value_profile=1", str(new), str(corpus)]
    try:
        merge = subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=MERGE_SECONDS)
    except subprocess.TimeoutExpired:
        return count, count
    kept = sum(1 for _ in new.iterdir())
    if merge.returncode != 0 or kept == 0:
        return count, count
    corpus.rename(old / "corpus")
    new.rename(corpus)
    shutil.rmtree(old)
    return count, kept


def note(entry: dict, home: pathlib.Path) -> None:
    with (home / "journal.jsonl").open("a") as file:
        file.write(json.dumps(entry) + "\n")
        file.flush()
        os.fsync(file.fileno())
    print(f"{entry['target']}: {entry['runs']} runs in {entry['seconds']} s, {entry['cov']} edges, "
          f"corpus {entry['inputs']} → {entry['kept']}"
          + (f", FAILED: {', '.join(entry['failed'])}" if entry["failed"] else ""), flush=True)


def report(home: pathlib.Path) -> int:
    """Prints the sums of the journal, a row for each target."""
    sums = collections.defaultdict(collections.Counter)
    last = {}
    for entry in turns(home):
        sums[entry["target"]].update(seconds=entry["seconds"], runs=entry["runs"], failed=len(entry["failed"]))
        last[entry["target"]] = entry
    if not sums:
        print(f"{home}: no turn yet")
        return 0
    total = sum(sums.values(), collections.Counter())
    print("\n| target | hours | executions | edges | inputs kept | failed |\n|---|---|---|---|---|---|")
    for target, row in sorted(sums.items()):
        print(f"| {target.removesuffix('Fuzzer')} | {row['seconds'] / 3600:.2f} | {row['runs']:,} | "
              f"{last[target]['cov']:,} | {last[target]['kept']:,} | {row['failed']} |")
    print(f"| all | {total['seconds'] / 3600:.2f} | {total['runs']:,} | | | {total['failed']} |")
    return 0
