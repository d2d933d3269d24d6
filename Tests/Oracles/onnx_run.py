"""Runs an ONNX file in onnxruntime on one thread: MODEL INPUT.f32 DIMENSION... -> the first output's floats."""
import sys

import numpy as np
import onnxruntime

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.log_severity_level = 3
session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
shape = [int(text) for text in sys.argv[3:]]
values = np.fromfile(sys.argv[2], np.float32).reshape(shape)
result = session.run(None, {session.get_inputs()[0].name: values})[0]
sys.stdout.buffer.write(np.ascontiguousarray(result, np.float32).tobytes())
