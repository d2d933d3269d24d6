"""Whole processes: how long they took, of how much processor time, at which peak memory."""

import os
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Run:
    seconds: float
    processor_seconds: float
    peak_mib: float
    output: str


def measured(command, environment=None):
    """Runs a command to its end; a status other than 0 ends this program with what the command said."""
    start = time.perf_counter()
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        env={**os.environ, **(environment or {})})
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}: {output}")
    return Run(
        time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)
