"""The long-lived `KernelBenchmark` process, asked one line at a time."""

import json
import subprocess


class PlumblineProcess:
    """Keeps one process alive, so that its calls can be interleaved with those of the peers."""

    def __init__(self, executable):
        self.process = subprocess.Popen(
            [executable], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"KernelBenchmark ended while asked: {' '.join(map(str, words))}")
        answer = json.loads(line)
        if "error" in answer:
            raise SystemExit(f"KernelBenchmark refused {words}: {answer['error']}")
        return answer

    def times(self, kernel, count):
        """Nanoseconds of `count` calls, one by one."""
        return self.ask("time", kernel, count)["nanoseconds"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
