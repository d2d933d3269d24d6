"""A TFLite network with each operator that Tools/convert-model knows, and what it computes in numpy: FOLDER.

Writes segmenter.tflite, segmenter.input.f32 and segmenter.expected.f32. The file is built by flatbuffers; the numbers
are worked out from the definitions of the operators, in double precision.
"""
import struct
import sys

import flatbuffers
import numpy as np

ADD, AVERAGE, CONV, DEPTHWISE, DEQUANTIZE, LOGISTIC, MUL, RELU, RESIZE, CUSTOM, MEAN, HARD_SWISH = (
    0, 1, 3, 4, 6, 14, 18, 19, 23, 32, 40, 117)
FLOAT, HALF, INTEGER = 0, 1, 2
random = np.random.default_rng(12)


def table(builder, fields):
    """A table of fields: (slot, kind, value), kind "o" for the place of something written before."""
    builder.StartObject(max((slot for slot, _, _ in fields), default=-1) + 1)
    for slot, kind, value in fields:
        if kind == "o":
            builder.PrependUOffsetTRelativeSlot(slot, value, 0)
        elif kind == "b":
            builder.PrependInt8Slot(slot, value, 99)
        elif kind == "u":
            builder.PrependUint32Slot(slot, value, 1 << 31)
        else:
            builder.PrependInt32Slot(slot, value, -99)
    return builder.EndObject()


def offsets(builder, places):
    builder.StartVector(4, len(places), 4)
    for place in reversed(places):
        builder.PrependUOffsetTRelative(place)
    return builder.EndVector()


def integers(builder, numbers):
    return builder.CreateNumpyVector(np.array(numbers, np.int32))


class Network:
    def __init__(self, shape):
        self.tensors, self.operators, self.codes = [], [], []
        self.input = self.tensor(shape)

    def tensor(self, shape, kind=FLOAT, data=b""):
        self.tensors.append((list(shape), kind, data))
        return len(self.tensors) - 1

    def stored(self, numbers):
        """Half floats behind a DEQUANTIZE, as MediaPipe's files have them; and the numbers that they are."""
        half = numbers.astype(np.float16)
        source = self.tensor(half.shape, HALF, half.tobytes())
        result = self.add(DEQUANTIZE, [source], half.shape)
        return result, half.astype(np.float64)

    def add(self, code, inputs, shape, options=None, custom=None, name=b""):
        if (code, name) not in self.codes:
            self.codes.append((code, name))
        output = self.tensor(shape)
        self.operators.append((self.codes.index((code, name)), inputs, output, options, custom))
        return output

    def bytes(self, output):
        b = flatbuffers.Builder(0)
        buffers = [table(b, [])]
        tensors = []
        for shape, kind, data in self.tensors:
            number = 0
            if data:
                vector = b.CreateByteVector(data)
                number = len(buffers)
                buffers.append(table(b, [(0, "o", vector)]))
            lengths = integers(b, shape)
            tensors.append(table(b, [(0, "o", lengths), (1, "b", kind), (2, "u", number)]))
        operators = []
        for code, inputs, result, options, custom in self.operators:
            fields = [(0, "u", code), (1, "o", integers(b, inputs)), (2, "o", integers(b, [result]))]
            if options is not None:
                fields.append((4, "o", table(b, options)))
            if custom is not None:
                fields.append((5, "o", b.CreateByteVector(custom)))
            operators.append(table(b, fields))
        graph = [(0, "o", offsets(b, tensors)), (1, "o", integers(b, [self.input])), (2, "o", integers(b, [output])),
                 (3, "o", offsets(b, operators))]
        graph = table(b, graph)
        codes = []
        for number, name in self.codes:
            fields = [(0, "b", min(number, 127)), (3, "i", number)]
            if name:
                fields.append((1, "o", b.CreateString(name)))
            codes.append(table(b, fields))
        model = table(b, [(0, "u", 3), (1, "o", offsets(b, codes)), (2, "o", offsets(b, [graph])),
                          (4, "o", offsets(b, buffers))])
        b.Finish(model, file_identifier=b"TFL3")
        return bytes(b.Output())


def padded(x, window, strides):
    """TensorFlow's SAME: as many windows as strides begin in the image, what lacks is more behind than before."""
    amounts = []
    for length, size, stride in zip(x.shape[:2], window, strides):
        total = max((-(-length // stride) - 1) * stride + size - length, 0)
        amounts.append((total // 2, total - total // 2))
    return np.pad(x, amounts + [(0, 0)]), amounts


def windows(x, window, strides):
    rows = range(0, x.shape[0] - window[0] + 1, strides[0])
    columns = range(0, x.shape[1] - window[1] + 1, strides[1])
    return [[x[r:r + window[0], c:c + window[1]] for c in columns] for r in rows]


def convolved(x, kernel, bias, strides):
    padded_x, _ = padded(x, kernel.shape[1:3], strides)
    return np.array([[np.einsum("hwi,ohwi->o", w, kernel) + bias for w in row]
                     for row in windows(padded_x, kernel.shape[1:3], strides)])


def by_channel(x, kernel, bias, strides):
    padded_x, _ = padded(x, kernel.shape[1:3], strides)
    return np.array([[(w * kernel[0]).sum((0, 1)) + bias for w in row]
                     for row in windows(padded_x, kernel.shape[1:3], strides)])


def enlarged(x, has_half_pixels):
    rows, columns = (2 * length for length in x.shape[:2])
    result = np.zeros((rows, columns, x.shape[2]))
    for r in range(rows):
        for c in range(columns):
            y, z = ((r + 0.5) / 2 - 0.5, (c + 0.5) / 2 - 0.5) if has_half_pixels else (r / 2, c / 2)
            y, z = np.clip(y, 0, x.shape[0] - 1), np.clip(z, 0, x.shape[1] - 1)
            top, left = int(y), int(z)
            below, right = min(top + 1, x.shape[0] - 1), min(left + 1, x.shape[1] - 1)
            result[r, c] = ((1 - y + top) * ((1 - z + left) * x[top, left] + (z - left) * x[top, right])
                            + (y - top) * ((1 - z + left) * x[below, left] + (z - left) * x[below, right]))
    return result


def main(folder):
    rows, columns = 12, 10
    image = random.uniform(0, 1, (rows, columns, 3)).astype(np.float32)
    x = image.astype(np.float64)
    net = Network([1, rows, columns, 3])

    kernel, k = net.stored(random.normal(size=(8, 3, 3, 3)))
    bias, b = net.stored(random.normal(size=8))
    conv = [(0, "b", 0), (1, "i", 2), (2, "i", 2), (4, "i", 1), (5, "i", 1)]
    y = net.add(CONV, [net.input, kernel, bias], [1, 6, 5, 8], conv)
    x = convolved(x, k, b, (2, 2))
    y = net.add(HARD_SWISH, [y], [1, 6, 5, 8])
    x = x * np.clip(x + 3, 0, 6) / 6

    kernel, k = net.stored(random.normal(size=(1, 5, 3, 8)))
    bias, b = net.stored(random.normal(size=8))
    depthwise = [(0, "b", 0), (1, "i", 1), (2, "i", 1), (3, "i", 1), (4, "b", 3), (5, "i", 1), (6, "i", 1)]
    deep = net.add(DEPTHWISE, [y, kernel, bias], [1, 6, 5, 8], depthwise)
    deep_x = np.clip(by_channel(x, k, b, (1, 1)), 0, 6)

    pool = [(0, "b", 1), (1, "i", 5), (2, "i", 6), (3, "i", 5), (4, "i", 6)]
    mean = net.add(AVERAGE, [deep], [1, 1, 1, 8], pool)
    axes = net.tensor([2], INTEGER, np.array([1, 2], np.int32).tobytes())
    other = net.add(MEAN, [deep, axes], [1, 1, 1, 8], [(0, "b", 1)])
    both = net.add(ADD, [mean, other], [1, 1, 1, 8], [(0, "b", 1)])
    gate = net.add(LOGISTIC, [both], [1, 1, 1, 8])
    gate_x = 1 / (1 + np.exp(-np.maximum(2 * deep_x.mean((0, 1)), 0)))
    y = net.add(MUL, [deep, gate], [1, 6, 5, 8])
    x = deep_x * gate_x
    offset, o = net.stored(random.normal(size=(1, 1, 1, 8)))
    y = net.add(RELU, [net.add(ADD, [y, offset], [1, 6, 5, 8])], [1, 6, 5, 8])
    x = np.maximum(x + o[0], 0)

    for half in (True, False):
        options = [(2, "b", 0), (3, "b", int(half))]
        size = [12, 10] if half else [24, 20]
        sizes = net.tensor([2], INTEGER, np.array(size, np.int32).tobytes())
        y = net.add(RESIZE, [y, sizes], [1, *size, 8], options)
        x = enlarged(x, half)

    kernel, k = net.stored(random.normal(size=(1, 2, 2, 8)))
    bias, b = net.stored(random.normal(size=1))
    y = net.add(CUSTOM, [y, kernel, bias], [1, 48, 40, 1], custom=struct.pack("<3i", 1, 2, 2),
                name=b"Convolution2DTransposeBias")
    x = np.einsum("rci,ohwi->rhcwo", x, k).reshape(48, 40, 1) + b
    y = net.add(LOGISTIC, [y], [1, 48, 40, 1])
    x = 1 / (1 + np.exp(-x))

    with open(f"{folder}/segmenter.tflite", "wb") as file:
        file.write(net.bytes(y))
    image.tofile(f"{folder}/segmenter.input.f32")
    x.astype(np.float32).tofile(f"{folder}/segmenter.expected.f32")


if __name__ == "__main__":
    main(sys.argv[1])
