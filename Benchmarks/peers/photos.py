"""Whole programs on one photo: its cloud as PLY, and the time of `plumbline check`.

Standard library only, since a parent's peak memory counts as its children's until they start.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from plumbline_process import PlumblineProcess
from rounds import summary

HERE = os.path.dirname(os.path.abspath(__file__))


def process(arguments, accepted=(0,)):
    """Runs a program to its end: nanoseconds by the wall and of processors, peak memory in MiB."""
    start = time.perf_counter_ns()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    elapsed = time.perf_counter_ns() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in accepted:
        raise SystemExit(f"{' '.join(arguments)}: exit {child.returncode}\n{message.decode()}")
    # Linux counts in KiB, Darwin in bytes.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    busy = (usage.ru_utime + usage.ru_stime) * 1e9
    return elapsed, busy, usage.ru_maxrss / unit


def cloud(plumbline, python, photo, camera, rounds):
    """From the photo to a colored metric cloud; the camera is given to the peers for free."""
    peer = [python, os.path.join(HERE, "cloud_peer.py"), photo]
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "cloud.ply")
        programs = {
            "plumbline cloud": [plumbline, "cloud", photo, "-o", output, "--force", "--quiet"],
            "pillow_heif + numpy + Open3D": [*peer, output, *camera],
            "pillow_heif + numpy": [*peer, output, *camera, "--numpy"],
        }
        times, busy, memory = measured(programs, rounds)
    return {
        "work": "HEIC → colored metric cloud as PLY, whole processes",
        "reference": "plumbline cloud",
        "times": times,
        "processor_ms": busy,
        "peak_memory_mib": memory,
    }


def check(plumbline, executable, python, photo, threads, rounds):
    """`check` from start to end against decoding the color image alone, both with `threads`."""
    kernels = PlumblineProcess(executable)
    kernels.ask("load-photo", photo, threads)
    peer = [python, os.path.join(HERE, "color_peer.py"), photo, str(threads), "2"]
    # 1 is the verdict "cannot be measured", which the pug's relative map earns.
    command = [plumbline, "check", photo, "--threads", str(threads)]
    with tempfile.TemporaryDirectory() as folder:
        report = [*command, "--output", os.path.join(folder, "report"), "--force"]
        commands = {
            "plumbline check (verdict)": command,
            "plumbline check --output (report, cloud)": report,
        }
        peers = ["pillow_heif, color alone", "Plumbline, color and depth"]
        times = {name: [] for name in [*commands, *peers]}
        busy = {name: [] for name in [*commands, peers[0]]}
        memory = {name: [] for name in commands}
        for _ in range(rounds):
            for name, arguments in commands.items():
                elapsed, used, peak = process(arguments, accepted=(0, 1))
                times[name].append(elapsed)
                busy[name].append(used)
                memory[name].append(peak)
            answer = subprocess.run(peer, check=True, capture_output=True, text=True).stdout
            elapsed, used = answer.splitlines()[-1].split()
            times[peers[0]].append(int(elapsed))
            busy[peers[0]].append(int(used))
            times[peers[1]] += kernels.times("decode-color", 1)
    kernels.close()
    return {
        "work": f"check of a photo, {threads} thread{'s' if threads > 1 else ''}",
        "reference": peers[0],
        "times": {name: summary(values) for name, values in times.items()},
        "processor_ms": {name: statistics.median(used) / 1e6 for name, used in busy.items()},
        "peak_memory_mib": {name: statistics.median(peaks) for name, peaks in memory.items()},
    }


def measured(programs, rounds):
    """Runs whole programs in turns."""
    times = {name: [] for name in programs}
    busy = {name: [] for name in programs}
    memory = {name: [] for name in programs}
    for round_ in range(rounds + 1):
        for name, arguments in programs.items():
            elapsed, used, peak = process(arguments)
            # The first round fills the system's file cache.
            if round_ > 0:
                times[name].append(elapsed)
                busy[name].append(used)
                memory[name].append(peak)
    return (
        {name: summary(values) for name, values in times.items()},
        {name: statistics.median(used) / 1e6 for name, used in busy.items()},
        {name: statistics.median(peaks) for name, peaks in memory.items()},
    )
