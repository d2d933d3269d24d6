"""Times depth from one picture: Plumbline's whole way, its network alone, and OpenVINO from Python.

Usage: estimate.py ESTIMATE-BENCHMARK MODEL.onnx WIDTH HEIGHT [CARD.json]
All run on one thread in turns, so that what else the machine does hits each alike.
"""
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import openvino as ov

TURNS, ROUNDS = 6, 7


def main() -> None:
    binary, model, width, height, *card = sys.argv[1:]
    core = ov.Core()
    network = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1})
    request = network.create_infer_request()
    shape = [int(n) for n in network.inputs[0].shape]
    tensor = np.random.default_rng(1).random(shape, np.float32)
    environment = dict(os.environ)
    environment.setdefault(
        "PLUMBLINE_OPENVINO", os.path.join(os.path.dirname(ov.__file__), "libs")
    )
    ours = {"network": [], "whole": [], "input": [], "output": []}
    theirs = []
    for _ in range(TURNS):
        answer = subprocess.run(
            [binary, model, width, height, str(ROUNDS), "1", *card],
            capture_output=True, check=True, env=environment, text=True,
        )
        for key, value in json.loads(answer.stdout).items():
            ours[key].append(value)
        for _ in range(ROUNDS):
            start = time.perf_counter()
            request.infer({0: tensor})
            theirs.append(1000 * (time.perf_counter() - start))
    medians = {key: statistics.median(values) for key, values in ours.items()}
    extra = 100 * (medians["whole"] / medians["network"] - 1)
    print(f"{os.path.basename(model)}, {width}×{height}, one thread, ms")
    print(f"  OpenVINO from Python   {statistics.median(theirs):8.2f}")
    print(f"  the network alone      {medians['network']:8.2f}")
    print(f"  picture to meters      {medians['whole']:8.2f}   {extra:+.1f} %")
    print(f"  of it the input        {medians['input']:8.2f}")
    print(f"  of it the output       {medians['output']:8.2f}")


main()
