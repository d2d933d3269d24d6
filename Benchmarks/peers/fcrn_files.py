"""Writes FCRN at its full size with random weights, as users bring it: FOLDER.

FCRN.mlmodel and FCRNFP16.mlmodel as Core ML has them, NYU_ResNet-UpProj.npy as its authors do, all of one set of weights from one
seed; FCRN.input.f32 (1, 3, 228, 304; codes), and FCRN.expected.f32 and FCRNFP16.expected.f32, what numpy computes of it in double
precision, layer by layer, with the weights as they are and rounded to half precision.
"""

import os
import sys

import numpy as np

folder = sys.argv[1]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "Oracles"))
import coreml_networks  # noqa: E402  (its answers go to the same folder, the first argument)
import fcrn_weights  # noqa: E402


builder, x, expected = coreml_networks.fcrn(1)
coreml_networks.save("FCRN", builder, expected, x)
layers = fcrn_weights.weights(1)
fcrn_weights.save(os.path.join(folder, "NYU_ResNet-UpProj.npy"), layers, "python2")
rounded = {
    name: {part: values.astype(np.float16).astype(np.float32) for part, values in parts.items()}
    for name, parts in layers.items()
}
expected = fcrn_weights.run(rounded, x.astype(np.float64))
coreml_networks.save("FCRNFP16", builder, expected, x, quantized=coreml_networks.half)
