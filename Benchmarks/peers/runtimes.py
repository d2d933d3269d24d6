"""The two runtimes on the same networks, by Plumbline's own call of each, in turns.

    python runtimes.py PATH/OF/EstimateBenchmark [--models FOLDER] [--fcrn FOLDER | --no-fcrn] [--quick]

Networks: FastDepth and TCMonoDepth of FOLDER, and FCRN with random weights as `estimate.py` makes it. Both give the
same numbers within 0.0001 of the range, or nothing is timed. Input in memory, output copied.
"""

import argparse
import os
import tempfile

import numpy as np
import onnxruntime
import openvino
from PIL import Image

from fcrn_network import fcrn
from plumbline_process import PlumblineProcess
from rounds import interleaved

RUNTIMES = ["openvino", "onnxruntime"]


def outputs(process, photo, folder):
    paths = [os.path.join(folder, side) for side in ("input", "output")]
    process.ask("photo", photo)
    process.ask("save", *paths)
    return np.fromfile(paths[1], np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("--models", default="../shared/models/depth")
    parser.add_argument("--fcrn")
    parser.add_argument("--no-fcrn", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("PLUMBLINE_OPENVINO", os.path.join(os.path.dirname(openvino.__file__), "libs"))
    os.environ.setdefault("PLUMBLINE_ONNXRUNTIME", os.path.join(os.path.dirname(onnxruntime.__file__), "capi"))
    with tempfile.TemporaryDirectory() as scratch:
        files = [("FastDepth, 224×224", "fastdepth_nyu_224_f32.onnx", 6), ("TCMonoDepth small, 320×192", "tcmonodepth_small_192x320.onnx", 6)]
        models = [(name, os.path.join(options.models, file), "-", calls) for name, file, calls in files]
        if not options.no_fcrn:
            folder = options.fcrn or scratch
            os.makedirs(folder, exist_ok=True)
            models.append(("FCRN, 304×228, random weights", *fcrn(folder), 2))
        photo = os.path.join(scratch, "photo.jpg")
        Image.open(os.path.join(options.models, "nyu_rgb.png")).convert("RGB").resize((640, 480)).save(photo, quality=92)
        print("| network | threads | OpenVINO, ms | ONNX Runtime, ms | ONNX Runtime / OpenVINO | worst difference of the range |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for name, model, card, calls in models:
            for threads in (1, 2):
                processes = {runtime: PlumblineProcess(options.executable) for runtime in RUNTIMES}
                numbers = {}
                for runtime, process in processes.items():
                    process.ask("load", model, card, threads, runtime)
                    numbers[runtime] = outputs(process, photo, scratch)
                first, second = (numbers[runtime] for runtime in RUNTIMES)
                worst = np.abs(first - second).max() / (first.max() - first.min())
                if not worst <= 1e-4:
                    raise SystemExit(f"{name}: the runtimes differ by {worst} of the range")
                work = {
                    runtime: lambda count, process=process: process.times("network", count)
                    for runtime, process in processes.items()
                }
                times = interleaved(work, 4 if options.quick else 10, calls)
                cells = [times[runtime]["median_ms"] for runtime in RUNTIMES]
                print(f"| {name} | {threads} | {cells[0]:.2f} | {cells[1]:.2f} | {cells[1] / cells[0]:.2f} | {worst:.1e} |", flush=True)
                for process in processes.values():
                    process.close()


main()
