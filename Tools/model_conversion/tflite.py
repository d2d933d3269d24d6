"""A TFLite network of convolutions as ONNX, such as MediaPipe's segmenter of people.

Plumbline's first runtime reads TFLite itself, but knows none of MediaPipe's own operators; ONNX Runtime reads no
TFLite. Numbers lie as rows, columns, channels there; here as channels, rows, columns, but for the image and the
result, which stay as they are. Source: tensorflow/lite/schema/schema.fbs (version 3), whose numbers of fields and
operators these are; google-ai-edge/mediapipe, util/tflite/operations/transpose_conv_bias.cc.
"""
import numpy as np

from . import card
from .flat_buffer import FlatBuffer
from .graph import Graph
from .refusal import Refusal, printable
from .tflite_operators import CUSTOM, OPERATORS

# TensorType: 32-bit floats and half floats.
TYPES = {0: np.dtype("<f4"), 1: np.dtype("<f2")}
DEQUANTIZE = 6


class Network:
    """A graph of TFLite with its tensors, and the names that they have in ONNX."""

    def __init__(self, data):
        buffer = FlatBuffer(data)
        root = buffer.root()
        if root.integer(0, "I") != 3:
            raise Refusal("version", "version 3 of TFLite", f"{root.integer(0, 'I')}")
        graphs = root.tables(2)
        if len(graphs) != 1:
            raise Refusal("subgraphs", "one network", f"{len(graphs)}")
        self.buffers = [table.bytes(0) for table in root.tables(4)]
        self.codes = [operator_code(table) for table in root.tables(1)]
        self.tensors = graphs[0].tables(0)
        self.inputs, self.outputs = graphs[0].integers(1), graphs[0].integers(2)
        self.operators = graphs[0].tables(3)
        self.graph, self.names, self.constants = Graph(), {}, {}

    def shape(self, index):
        shape = [int(length) for length in self.tensor(index).integers(0)]
        if not all(1 <= length <= 1 << 20 for length in shape):
            raise Refusal(f"tensor {index}", "fixed lengths of 1 to 1048576", f"{shape}")
        return shape

    def image_shape(self, index):
        """Batch, rows, columns and channels."""
        shape = self.shape(index)
        if len(shape) != 4 or shape[0] != 1:
            raise Refusal(f"tensor {index}", "one batch of rows, columns and channels", f"{shape}")
        return shape

    def tensor(self, index):
        if not 0 <= index < len(self.tensors):
            raise Refusal("operators", f"a tensor below {len(self.tensors)}", f"{index}")
        return self.tensors[index]

    def constant(self, index):
        """The stored numbers of a tensor as 32-bit floats; None where it is computed."""
        if index in self.constants:
            return self.constants[index]
        tensor = self.tensor(index)
        number = tensor.integer(2, "I")
        if number >= len(self.buffers):
            raise Refusal(f"tensor {index}", f"a buffer below {len(self.buffers)}", f"{number}")
        data = self.buffers[number]
        if not len(data):
            return None
        kind, shape = TYPES.get(tensor.integer(1, "b")), self.shape(index)
        if kind is None:
            raise Refusal(f"tensor {index}", "floats", f"type {tensor.integer(1, 'b')}")
        count = int(np.prod(shape, dtype=np.int64))
        if len(data) != count * kind.itemsize:
            raise Refusal(f"tensor {index}", f"{count} numbers of {kind.itemsize} bytes", f"{len(data)} bytes")
        return np.frombuffer(data, kind).reshape(shape).astype(np.float32)

    def whole_numbers(self, index):
        """The stored whole numbers of 32 bits of a tensor; None where it is computed or of another type."""
        tensor = self.tensor(index)
        number = tensor.integer(2, "I")
        data = self.buffers[number] if number < len(self.buffers) else b""
        if tensor.integer(1, "b") != 2 or not len(data) or len(data) % 4:
            return None
        return np.frombuffer(data, "<i4").tolist()

    def value(self, index):
        """The name of a computed tensor, or of a stored one with its channels first."""
        if index in self.names:
            return self.names[index]
        constant = self.constant(index)
        if constant is None:
            raise Refusal(f"tensor {index}", "a result of an operator before", "none")
        if constant.ndim == 4:
            constant = constant.transpose(0, 3, 1, 2)
        elif constant.ndim == 1:
            constant = constant.reshape(-1, 1, 1)
        elif constant.ndim:
            raise Refusal(f"tensor {index}", "stored numbers of four dimensions or one", f"{constant.ndim}")
        self.names[index] = self.graph.store(f"constant_{index}", constant)
        return self.names[index]


def operator_code(table):
    """The number of an operator, or the name of one of its own."""
    number = max(table.integer(0, "b"), table.integer(3, "i"))
    return (number, table.text(1) if number == CUSTOM else "")


def onnx_model(data):
    """The model and its card; raises Refusal with the operator that cannot be converted."""
    network = Network(data)
    if len(network.inputs) != 1 or len(network.outputs) != 1:
        raise Refusal("network", "one input and one output", f"{len(network.inputs)} and {len(network.outputs)}")
    shape = network.shape(network.inputs[0])
    if len(shape) != 4 or shape[0] != 1 or shape[3] != 3:
        raise Refusal("input", "an image of 1, rows, columns, 3", f"{shape}")
    graph = network.graph
    graph.input("image", shape)
    network.names[network.inputs[0]] = graph.node("Transpose", ["image"], perm=[0, 3, 1, 2])
    for number, table in enumerate(network.operators):
        convert(network, number, table)
    graph.node("Transpose", [network.value(network.outputs[0])], "mask", perm=[0, 2, 3, 1])
    graph.output("mask", network.shape(network.outputs[0]))
    return graph.model("TFLite"), card.of_tflite(shape[2], shape[1])


def convert(network, number, table):
    index = table.integer(0, "I")
    if index >= len(network.codes):
        raise Refusal(f"operator {number}", f"a code below {len(network.codes)}", f"{index}")
    code, name = network.codes[index]
    inputs, outputs = table.integers(1), table.integers(2)
    if len(outputs) != 1 or not len(inputs):
        raise Refusal(f"operator {number}", "inputs and one output", f"{len(inputs)} and {len(outputs)}")
    network.tensor(outputs[0])
    try:
        if code == DEQUANTIZE:
            constant = network.constant(inputs[0])
            if constant is None:
                raise Refusal("", "stored half floats", "computed ones")
            network.constants[outputs[0]] = constant
            return
        operator = OPERATORS.get(name or code)
        if operator is None:
            raise Refusal("", "an operator that can be converted", printable(name) or f"number {code}")
        network.names[outputs[0]] = operator(network, table, inputs, outputs[0])
    except Refusal as error:
        raise error.inside(f"operator {number}") from None
