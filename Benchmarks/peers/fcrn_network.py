"""FCRN at its full size with random weights, as ONNX and its card."""

import os
import subprocess
import sys


def fcrn(folder):
    """The path of FCRN's ONNX file and of its card."""
    here = os.path.dirname(os.path.abspath(__file__))
    source, model = (os.path.join(folder, name) for name in ("FCRN.mlmodel", "fcrn.onnx"))
    if not os.path.exists(source):
        subprocess.run([sys.executable, os.path.join(here, "fcrn_files.py"), folder], check=True, capture_output=True)
    tool = os.path.join(here, "..", "..", "Tools", "convert-model")
    subprocess.run([sys.executable, tool, source, "-o", model, "--force"], check=True, capture_output=True)
    return model, os.path.join(folder, "fcrn.json")
