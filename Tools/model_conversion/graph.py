"""An ONNX graph that is being written: nodes in the order in which they run, numbers beside them."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .refusal import Refusal

# What the model is written for; plumbline's runtime and every other one of these years reads both.
OPSET, IR_VERSION = 13, 8
# Protobuf writes no message of 2 GiB. Some bytes are kept for the head of the file and the ends of the graph.
MAXIMUM_SIZE = (1 << 31) - (1 << 16)
# More than protobuf writes around a node, or around stored numbers and their name.
FRAME = 256


class Graph:
    def __init__(self):
        self.nodes, self.stored, self.inputs, self.outputs = [], [], [], []
        self.names = set()
        self.size = 0

    def grow(self, count):
        """Counts bytes of the file that is being made; raises Refusal before they are too many to write."""
        self.size += count + FRAME
        if self.size > MAXIMUM_SIZE:
            raise Refusal("", f"an ONNX file of at most {MAXIMUM_SIZE} bytes", f"{self.size} up to here")

    def node(self, operator, inputs, output=None, **attributes):
        """Adds a node, and gives the name of its result."""
        result = output or f"{operator.lower()}_{len(self.nodes)}"
        made = helper.make_node(operator, inputs, [result], **attributes)
        self.grow(made.ByteSize())
        self.nodes.append(made)
        return result

    def store(self, name, numbers):
        """Stores numbers, and gives the name to use them by; half floats are stored as such, and widened by a node."""
        while name in self.names:
            name += "_"
        self.names.add(name)
        self.grow(numbers.nbytes + len(name.encode()))
        self.stored.append(numpy_helper.from_array(np.asarray(numbers, order="C"), name))
        if numbers.dtype != np.float16:
            return name
        return self.node("Cast", [name], to=TensorProto.FLOAT)

    def floats(self, name, *numbers):
        return self.store(name, np.array(numbers, np.float32))

    def integers(self, name, numbers):
        return self.store(name, np.array(numbers, np.int64))

    def input(self, name, shape):
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))

    def output(self, name, shape=(None, None, None, None)):
        """Names an output; lengths that are None are told by the nodes."""
        self.outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))

    def model(self, name):
        graph = helper.make_graph(self.nodes, name, self.inputs, self.outputs, self.stored)
        return helper.make_model(
            graph, ir_version=IR_VERSION, producer_name="plumbline", opset_imports=[helper.make_opsetid("", OPSET)])
