"""Watches `plumbline serve --source simulated` as browsers would, and prints what came of it.

    python watch.py PATH/OF/plumbline [--viewers 1] [--slow 0] [--seconds 20] [-- ARGUMENTS OF SERVE]

Frames per second at each viewer, the latency that the server states (from the source to the socket, the
median of each second), the server's processor time in percent of one core, and its resident memory at the
start, at its highest and at the end. Slow viewers take half a second for each frame.
"""

import argparse
import asyncio
import json
import os
import statistics
import struct
import subprocess
import time

from websockets.asyncio.client import connect


def processor_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(pid):
    return int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


async def view(url, seconds, pause, counts, latencies):
    # Frames are not unpacked; the header tells the number that has to be acknowledged.
    async with connect(url, max_size=None, compression=None) as socket:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                message = await asyncio.wait_for(socket.recv(), left)
            except TimeoutError:
                break
            if isinstance(message, str):
                value = json.loads(message)
                if value["type"] == "status" and value.get("latencyMilliseconds") is not None:
                    latencies.append(value["latencyMilliseconds"])
                continue
            length = struct.unpack_from("<I", message, 4)[0]
            header = json.loads(message[8 : 8 + length])
            if pause:
                await asyncio.sleep(pause)
            await socket.send(json.dumps({"type": "shown", "sequence": header["sequence"]}))
            counts.append((header["sequence"], len(message), time.monotonic()))


async def first_frame(url):
    """Waits until the simulated views are drawn and frames come."""
    async with connect(url, max_size=None, compression=None) as socket:
        while isinstance(await socket.recv(), str):
            pass
    await asyncio.sleep(3)


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--viewers", type=int, default=1)
    parser.add_argument("--slow", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("arguments", nargs="*", help="of serve, behind --")
    options = parser.parse_args()
    server = subprocess.Popen(
        [options.executable, "serve", "--source", "simulated", "--no-open", *options.arguments],
        stdout=subprocess.PIPE, text=True,
    )
    try:
        url = server.stdout.readline().strip().replace("http", "ws", 1).rstrip("/") + "/api/live"
        await first_frame(url)
        counts = [[] for _ in range(options.viewers)]
        latencies, memory = [], [resident_mib(server.pid)]
        began, spent = time.monotonic(), processor_seconds(server.pid)

        async def watch_memory():
            while True:
                await asyncio.sleep(1)
                memory.append(resident_mib(server.pid))

        watcher = asyncio.create_task(watch_memory())
        await asyncio.gather(*[
            view(url, options.seconds, 0.5 if i < options.slow else 0, counts[i], latencies)
            for i in range(options.viewers)
        ])
        watcher.cancel()
        elapsed, spent = time.monotonic() - began, processor_seconds(server.pid) - spent
        # Between the first and the last frame, since a connection takes a second to say good-bye.
        spans = [(c[0], c[-1], len(c) - 1) for c in counts if len(c) > 1]
        print(json.dumps({
            "sourceFramesPerSecond": max(round((b[0] - a[0]) / (b[2] - a[2]), 2) for a, b, _ in spans),
            "framesPerSecond": [round(n / (b[2] - a[2]), 2) for a, b, n in spans],
            "bytesPerFrame": round(statistics.mean(size for c in counts for _, size, _ in c)),
            "latencyMillisecondsMedian": statistics.median(latencies) if latencies else None,
            "latencyMillisecondsMost": max(latencies, default=None),
            "processorPercentOfOneCore": round(100 * spent / elapsed, 1),
            "residentMiB": [round(m, 1) for m in (memory[0], max(memory), memory[-1])],
        }, indent=1))
    finally:
        server.terminate()
        server.wait(10)


asyncio.run(main())
