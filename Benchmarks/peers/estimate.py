"""Depth from one image: Plumbline's whole estimate beside what OpenVINO needs for the network alone, on one thread.

    python estimate.py PATH/OF/EstimateBenchmark PATH/OF/plumbline [--models FOLDER] [--fcrn FOLDER] [--quick]

Models: FastDepth and TCMonoDepth of FOLDER, and FCRN at its full size with random weights, which `Tools/convert-model` makes of
what fcrn_files.py writes (kept in the folder of --fcrn; --no-fcrn leaves it out). Photos: the authors' sample frame of FastDepth,
enlarged to three sizes. OpenVINO runs from Python on the input that Plumbline made, with the same threads and precision, and must give
the same numbers before anything is timed. "Inference alone" is `infer()` with the input in place and the output not copied.
"""

import argparse
import os
import tempfile

import numpy as np
import openvino
from PIL import Image

from fcrn_network import fcrn
from plumbline_process import PlumblineProcess
from rounds import interleaved, timed

SIZES = [(640, 480), (1920, 1440), (4032, 3024)]
STEPS = ["network", "estimate", "input", "output", "run", "decode"]


def compare(name, process, photo, request, folder):
    """OpenVINO's own answer to Plumbline's input must be Plumbline's."""
    process.ask("photo", photo)
    paths = [os.path.join(folder, side) for side in ("input", "output")]
    shape = process.ask("save", *paths)["shape"]
    tensor = np.fromfile(paths[0], np.float32).reshape(shape)
    ours = np.fromfile(paths[1], np.float32)
    request.set_input_tensor(openvino.Tensor(tensor))
    request.infer()
    theirs = np.array(request.get_output_tensor(0).data, np.float32).ravel()
    worst = np.abs(ours - theirs).max()
    if not worst <= 1e-5 * np.abs(theirs).max():
        raise SystemExit(f"{name}: OpenVINO from Python gives other numbers, by {worst}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("executable")
    parser.add_argument("plumbline")
    parser.add_argument("--models", default="../shared/models/depth")
    parser.add_argument("--fcrn")
    parser.add_argument("--no-fcrn", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault(
        "PLUMBLINE_OPENVINO", os.path.join(os.path.dirname(openvino.__file__), "libs"))
    core = openvino.Core()
    with tempfile.TemporaryDirectory() as scratch:
        files = [("FastDepth, 224×224", "fastdepth_nyu_224_f32.onnx", 6), ("TCMonoDepth small, 320×192", "tcmonodepth_small_192x320.onnx", 6)]
        models = [(name, os.path.join(options.models, file), "-", calls) for name, file, calls in files]
        if not options.no_fcrn:
            folder = options.fcrn or scratch
            os.makedirs(folder, exist_ok=True)
            models.append(("FCRN, 304×228, random weights", *fcrn(folder), 2))
        sample = Image.open(os.path.join(options.models, "nyu_rgb.png")).convert("RGB")
        print("| model | photo | OpenVINO alone | our call of it | **estimate** | × alone | input | output | with assessment | × alone | JPEG |")
        print("| --- | --- | " + "---: | " * 9)
        for name, model, card, calls in models:
            network = core.compile_model(
                model, "CPU", {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"})
            request = network.create_infer_request()
            process = PlumblineProcess(options.executable)
            process.ask("load", model, card, 1)
            for size in SIZES:
                photo = os.path.join(scratch, f"{size[0]}.jpg")
                if not os.path.exists(photo):
                    sample.resize(size, Image.Resampling.BICUBIC).save(photo, quality=92)
                compare(name, process, photo, request, scratch)
                contenders = {"peer": timed(request.infer)}
                for step in STEPS:
                    contenders[step] = lambda count, step=step: process.times(step, count)
                times = interleaved(contenders, 4 if options.quick else 10, calls)
                ms = {key: value["median_ms"] for key, value in times.items()}
                cells = [ms["peer"], ms["network"], ms["estimate"], ms["estimate"] / ms["peer"], ms["input"], ms["output"],
                         ms["run"], ms["run"] / ms["peer"], ms["decode"]]
                print(f"| {name} | {size[0]}×{size[1]} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |", flush=True)
            process.close()


main()
