"""How time and memory of fusing grow with frames and surface: runs ScanBenchmark's long run, writes a plot.

    scan_growth.py SCAN_BENCHMARK RGBD-FOLDER PLOT.svg [--frames N] [--voxel METERS] [--shift METERS]

The five color frames of 640 x 480 of Open3D's redwood sample come again and again, each time with the camera moved
along x, so that the surface grows with them. Each frame is fused, and a view of the surface is drawn for it. Prints
a table: processor milliseconds a frame of each tenth of the run, and the peak memory by then.
"""

import argparse
import json
import os
import subprocess
import tempfile

from scan import THREADS, redwood, write

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 320, 60, 60, 20, 45


def path_of(xs, ys, x_end, y_end):
    points = [(LEFT + (WIDTH - LEFT - RIGHT) * x / x_end, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / y_end)
              for x, y in zip(xs, ys)]
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points)


def rounded_up(value):
    power = 10 ** (len(str(int(value))) - 1)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def plot(rows):
    """Processor seconds so far (left axis) and peak memory (right axis) over frames."""
    frames = [0] + [row["frames"] for row in rows]
    seconds, mebibytes = [0.0], [0.0] + [row["peak_mib"] for row in rows]
    for before, row in zip(frames, rows):
        seconds.append(seconds[-1] + row["processor_ms"] * (row["frames"] - before) / 1e3)
    ends = rounded_up(frames[-1]), rounded_up(seconds[-1]), rounded_up(mebibytes[-1])
    middle, base = HEIGHT / 2, HEIGHT - BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12" fill="none">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<path d="M{LEFT},{TOP}V{base}H{WIDTH - RIGHT}V{TOP}" stroke="#888"/>',
        f'<path d="{path_of(frames, seconds, ends[0], ends[1])}" stroke="#1660b0" stroke-width="2"/>',
        f'<path d="{path_of(frames, mebibytes, ends[0], ends[2])}" stroke="#c05010" stroke-width="2"/>',
    ]

    def text(x, y, what, color="#333", anchor="middle", turn=""):
        parts.append(f'<text x="{x}" y="{y}" fill="{color}" text-anchor="{anchor}"{turn}>{what}</text>')

    for share in (0, 0.5, 1):
        x, y = LEFT + (WIDTH - LEFT - RIGHT) * share, base - (base - TOP) * share + 4
        text(x, base + 16, f"{ends[0] * share:g}")
        text(LEFT - 6, y, f"{ends[1] * share:g}", "#1660b0", "end")
        text(WIDTH - RIGHT + 6, y, f"{ends[2] * share:g}", "#c05010", "start")
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "frames of 640 × 480 with color")
    text(14, middle, "processor time, s", "#1660b0", turn=f' transform="rotate(-90 14 {middle})"')
    text(WIDTH - 10, middle, "peak memory, MiB", "#c05010", turn=f' transform="rotate(-90 {WIDTH - 10} {middle})"')
    return "\n".join(parts + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable")
    parser.add_argument("rgbd")
    parser.add_argument("plot")
    parser.add_argument("--frames", type=int, default=10000)
    parser.add_argument("--voxel", type=float, default=0.01)
    parser.add_argument("--shift", type=float, default=0.05)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "frames")
        camera, frames = redwood(options.rgbd, repeats=1)
        write(path, camera, frames)
        output = subprocess.run(
            [options.executable, path, str(options.voxel), str(THREADS), str(options.frames // len(frames)),
             str(options.shift)], check=True, capture_output=True, text=True).stdout
    lines = [json.loads(line) for line in output.splitlines()]
    rows, mesh = lines[:-1], lines[-1]
    with open(options.plot, "w", encoding="utf-8") as file:
        file.write(plot(rows))
    print("| frames | blocks | processor ms a frame | peak MiB |\n|---|---|---|---|")
    tenth = max(1, len(rows) // 10)
    for start in range(0, len(rows) - tenth + 1, tenth):
        part = rows[start:start + tenth]
        mean = sum(row["processor_ms"] for row in part) / len(part)
        print(f"| {part[-1]['frames']} | {part[-1]['blocks']} | {mean:.1f} | {part[-1]['peak_mib']:.0f} |")
    print(f"\nMesh: {mesh['mesh_processor_ms'] / 1e3:.1f} s of processor time, peak {mesh['peak_mib']:.0f} MiB.")


if __name__ == "__main__":
    main()
