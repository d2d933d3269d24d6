"""FCRN at its full size through `Tools/convert-model`: time, memory, and what the result computes.

    python fcrn.py [--folder FOLDER]

Writes the three files that users bring with random weights (fcrn_files.py; about a minute, 640 MB, kept in FOLDER), converts each,
and runs the ONNX file that comes of it by ONNX Runtime on one thread. The reference is numpy in double precision, layer by layer,
of the same weights, rounded to half precision where the file's are.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

from process import measured

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tools", "convert-model")
FILES = ["FCRN.mlmodel", "FCRNFP16.mlmodel", "NYU_ResNet-UpProj.npy"]


def computed(path, x):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: x})[0].ravel()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, FILES[-1])):
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fcrn_files.py")
            subprocess.run([sys.executable, script, folder], check=True, capture_output=True)
        x = np.fromfile(os.path.join(folder, "FCRN.input.f32"), np.float32).reshape(1, 3, 228, 304)
        print("| file | MB | conversion, s | processor s | peak MiB | ONNX, MB | worst of the range | correlation |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for name in FILES:
            source = os.path.join(folder, name)
            model = os.path.join(scratch, name + ".onnx")
            run = measured([sys.executable, TOOL, source, "-o", model])
            y = computed(model, x)
            truth = "FCRNFP16" if "FP16" in name else "FCRN"
            expected = np.fromfile(os.path.join(folder, truth + ".expected.f32"), np.float32)
            worst = np.abs(y - expected).max() / (expected.max() - expected.min())
            cells = [f"{os.path.getsize(source) / 1e6:.0f}", f"{run.seconds:.2f}", f"{run.processor_seconds:.2f}",
                     f"{run.peak_mib:.0f}", f"{os.path.getsize(model) / 1e6:.0f}", f"{worst:.1e}",
                     f"{np.corrcoef(y, expected)[0, 1]:.7f}"]
            print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)
            if options.folder:
                shutil.copy(model, os.path.join(folder, name + ".onnx"))


main()
