"""A TFLite network of random weights with what it computes: FOLDER.

Writes depth.tflite, depth.input.f32 (1, 24, 32, 3) and depth.expected.f32 (1, 24, 32, 1). Two convolutions, one for each channel alone,
a pool, a bilinear enlargement and a sum, as depth networks for phones have them. Written table by table by the package
`flatbuffers`; what it computes is worked out in numpy.
Source: tensorflow/lite/schema/schema.fbs, version 3, whose numbers of fields stand in the calls.
"""
import sys

import flatbuffers
import numpy as np

import network_reference as net

SAME, RELU, NONE = 0, 1, 0
CONV, DEPTHWISE, POOL, RESIZE, ADD = (3, 1), (4, 2), (17, 5), (23, 15), (0, 11)  # operators and their options


class Writer:
    def __init__(self):
        self.builder = flatbuffers.Builder(1 << 16)
        self.tensors, self.buffers, self.operators, self.codes = [], [self.table()], [], []

    def table(self, *fields):
        """Fields are (slot, kind, value); offsets must be made before."""
        self.builder.StartObject(max([slot for slot, _, _ in fields], default=-1) + 1)
        for slot, kind, value in fields:
            if kind == "offset":
                self.builder.PrependUOffsetTRelativeSlot(slot, value, 0)
            else:
                getattr(self.builder, f"Prepend{kind}Slot")(slot, value, 0)
        return self.builder.EndObject()

    def offsets(self, values):
        self.builder.StartVector(4, len(values), 4)
        for value in reversed(values):
            self.builder.PrependUOffsetTRelative(value)
        return self.builder.EndVector()

    def integers(self, values):
        return self.builder.CreateNumpyVector(np.array(values, np.int32))

    def tensor(self, name, shape, values=None):
        buffer = 0
        if values is not None:
            data = self.builder.CreateByteVector(np.ascontiguousarray(values, np.float32 if values.dtype != np.int32 else np.int32).tobytes())
            buffer = len(self.buffers)
            self.buffers.append(self.table((0, "offset", data)))
        kind = 2 if values is not None and values.dtype == np.int32 else 0
        text, lengths = self.builder.CreateString(name), self.integers(shape)
        self.tensors.append(self.table((0, "offset", lengths), (1, "Int8", kind), (2, "Uint32", buffer), (3, "offset", text)))
        return len(self.tensors) - 1

    def operator(self, kind, inputs, output, *options):
        if kind[0] not in self.codes:
            self.codes.append(kind[0])
        table, a, b = self.table(*options), self.integers(inputs), self.integers([output])
        self.operators.append(self.table(
            (0, "Uint32", self.codes.index(kind[0])), (1, "offset", a), (2, "offset", b), (3, "Uint8", kind[1]), (4, "offset", table)))

    def bytes(self, inputs, outputs):
        tensors, operators, buffers = self.offsets(self.tensors), self.offsets(self.operators), self.offsets(self.buffers)
        codes = self.offsets([self.table((0, "Int8", code), (2, "Int32", 1), (3, "Int32", code)) for code in self.codes])
        a, b = self.integers(inputs), self.integers(outputs)
        graphs = self.offsets([self.table((0, "offset", tensors), (1, "offset", a), (2, "offset", b), (3, "offset", operators))])
        text = self.builder.CreateString("made by a test")
        root = self.table((0, "Uint32", 3), (1, "offset", codes), (2, "offset", graphs), (3, "offset", text), (4, "offset", buffers))
        self.builder.Finish(root, b"TFL3")
        return bytes(self.builder.Output())


def enlarged(x):
    """Twice as large, linear between pixel centers (half_pixel_centers)."""
    for axis in (2, 3):
        n = x.shape[axis]
        position = np.clip((np.arange(2 * n) + 0.5) / 2 - 0.5, 0, n - 1)
        low = np.floor(position).astype(int)
        part = (position - low).reshape([-1 if a == axis else 1 for a in range(4)])
        x = x.take(low, axis) * (1 - part) + x.take(np.minimum(low + 1, n - 1), axis) * part
    return x


def main(folder):
    random = np.random.default_rng(11)
    weights = lambda *shape: random.uniform(-0.5, 0.7, shape).astype(np.float32)
    w1, b1, w2, b2, w3 = weights(8, 3, 3, 3), weights(8), weights(1, 3, 3, 8), weights(8), weights(1, 1, 1, 8)
    b3 = np.array([0.5], np.float32)
    half = np.array([0.25], np.float32)
    m = Writer()
    image = m.tensor("image", [1, 24, 32, 3])
    stores = [m.tensor(f"w{i}", w.shape, w) for i, w in enumerate([w1, b1, w2, b2, w3, b3])]
    size, shift = m.tensor("size", [2], np.array([24, 32], np.int32)), m.tensor("shift", [1], half)
    first, each, pooled = m.tensor("first", [1, 24, 32, 8]), m.tensor("each", [1, 24, 32, 8]), m.tensor("pooled", [1, 12, 16, 8])
    one, large, depth = m.tensor("one", [1, 12, 16, 1]), m.tensor("large", [1, 24, 32, 1]), m.tensor("depth", [1, 24, 32, 1])
    convolution = [(0, "Int8", SAME), (1, "Int32", 1), (2, "Int32", 1), (4, "Int32", 1), (5, "Int32", 1)]
    m.operator(CONV, [image, stores[0], stores[1]], first, *convolution, (3, "Int8", RELU))
    m.operator(DEPTHWISE, [first, stores[2], stores[3]], each, (0, "Int8", SAME), (1, "Int32", 1), (2, "Int32", 1), (3, "Int32", 1),
               (4, "Int8", RELU), (5, "Int32", 1), (6, "Int32", 1))
    m.operator(POOL, [each], pooled, (0, "Int8", SAME), (1, "Int32", 2), (2, "Int32", 2), (3, "Int32", 2), (4, "Int32", 2))
    m.operator(CONV, [pooled, stores[4], stores[5]], one, *convolution, (3, "Int8", RELU))
    m.operator(RESIZE, [one, size], large, (3, "Bool", True))
    m.operator(ADD, [large, shift], depth, (0, "Int8", NONE))
    with open(f"{folder}/depth.tflite", "wb") as file:
        file.write(m.bytes([image], [depth]))

    x = random.uniform(0, 1, (1, 24, 32, 3)).astype(np.float32)
    y = x.astype(np.float64).transpose(0, 3, 1, 2)
    y = net.relu(net.conv(y, w1.transpose(0, 3, 1, 2), b1, pads=(1, 1, 1, 1)))
    y = net.relu(net.conv(y, w2.transpose(3, 0, 1, 2), b2, pads=(1, 1, 1, 1), groups=8))
    y = net.max_pool(y, (2, 2), (2, 2), (0, 0, 0, 0))
    y = net.relu(net.conv(y, w3.transpose(0, 3, 1, 2), b3))
    y = enlarged(y) + half
    x.tofile(f"{folder}/depth.input.f32")
    y.transpose(0, 2, 3, 1).astype(np.float32).tofile(f"{folder}/depth.expected.f32")


main(sys.argv[1])
