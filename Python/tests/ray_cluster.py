"""A cluster of Ray on this machine: a head without processors, and nodes that are processes of their own."""

from __future__ import annotations

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import List, Mapping, Optional


class RayCluster:
    """Starts with its head; ``environment`` is that of all its processes, beside that of this one."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.nodes: List["subprocess.Popen[bytes]"] = []
        self._folder = folder
        # By default Ray's workers give way to all other programs of the machine.
        own = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
        self._environment = {**os.environ, **own, **environment}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        # Sockets lie in this folder, and their names may have 107 characters.
        self._head = self._start(
            "--head", f"--port={self.port}", "--num-cpus=0", "--include-dashboard=false", f"--temp-dir={folder}"
        )

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def sessions(self) -> List[int]:
        """The session of each node and of the head."""
        return [node.pid for node in [*self.nodes, self._head]]

    def add_node(self) -> "subprocess.Popen[bytes]":
        """A node with one processor."""
        node = self._start(f"--address={self.address}", "--num-cpus=1")
        self.nodes.append(node)
        return node

    def kill(self, node: "subprocess.Popen[bytes]") -> None:
        """Ends all processes of a node at once, as the loss of its machine does."""
        # A worker of Ray has a group of its own, but the session of its node.
        for process in processes_of_session(node.pid):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        node.wait()

    def stop(self) -> None:
        for node in [*self.nodes, self._head]:
            self.kill(node)

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        log = self._folder.with_name(f"{self._folder.name}-{secrets.token_hex(4)}.log")
        with open(log, "wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "ray.scripts.scripts", "start", *arguments, "--block", "--disable-usage-stats"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self._environment,
                start_new_session=True,
            )
        deadline = time.monotonic() + 120
        while "Ray runtime started" not in log.read_text():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"a node of Ray did not start:\n{log.read_text()[-4000:]}")
            time.sleep(0.1)
        return process


def processes_of_session(session: int) -> List[int]:
    """The processes that have this session: those of one node."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _session(entry) == session:
            found.append(int(entry.name))
    return found


def _session(process: Path) -> Optional[int]:
    try:
        fields = re.sub(r"^.*\) ", "", (process / "stat").read_text(), flags=re.S).split()
    except OSError:
        return None
    return int(fields[3])
