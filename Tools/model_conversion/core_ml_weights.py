"""The numbers of one field of a Core ML layer, in whichever of the forms they are stored.

Source: apple/coremltools, mlmodel/format/NeuralNetwork.proto, WeightParams.
"""
import math

import numpy as np

from .refusal import Refusal


def floats(message, number):
    data = message.data(number)
    if len(data) % 4:
        raise Refusal("", "floats", f"{len(data)} bytes")
    return np.frombuffer(data, "<f4")


class Weights:
    def __init__(self, message):
        if 31 in message:
            raise Refusal("int8RawValue", "weights without dynamic quantization", "8-bit dynamic ones")
        self.bits, self.quantization = 0, None
        codes, quantization = message.data(30), message.message(40)
        # A description without codes is left behind where a tool has expanded them.
        if len(codes) and quantization:
            self.bits, self.quantization = quantization.integer(1), quantization
            if not 1 <= self.bits <= 8 or not (101 in quantization or 102 in quantization):
                raise Refusal("quantization", "1 to 8 bits, linear or with a table", f"{self.bits} bits")
            self.stored = np.frombuffer(codes, np.uint8)
        elif 1 in message:
            self.stored = floats(message, 1)
        elif 2 in message:
            if len(message.data(2)) % 2:
                raise Refusal("", "half floats", f"{len(message.data(2))} bytes")
            self.stored = np.frombuffer(message.data(2), "<f2")
        else:
            raise Refusal("weights", "numbers", "none")

    @property
    def count(self):
        return self.stored.size * 8 // self.bits if self.bits else self.stored.size

    def array(self, shape, channel_axis=0):
        """The numbers in a shape; along `channel_axis` each channel may have a scale of its own."""
        count = math.prod(shape)
        expected = (count * self.bits + 7) // 8 if self.bits else count
        if count <= 0 or self.stored.size != expected:
            raise Refusal("", f"{count} weights for the shape {list(shape)}", f"{self.count}")
        return self.expanded(shape, channel_axis) if self.bits else self.stored.reshape(shape)

    def codes(self, count):
        """Codes follow each other from the highest bit of each byte on."""
        if self.bits == 8:
            return self.stored
        places = np.unpackbits(self.stored)[:count * self.bits].reshape(count, self.bits)
        padded = np.zeros((count, 8), np.uint8)
        padded[:, 8 - self.bits:] = places
        return np.packbits(padded)

    def expanded(self, shape, channel_axis):
        """The numbers that codes mean: entries of a table, or `code·scale + bias` of each channel."""
        codes = self.codes(math.prod(shape)).reshape(shape)
        if 102 in self.quantization:
            table = floats(self.quantization.message(102), 1)
            if table.size != 1 << self.bits:
                raise Refusal("quantization", f"a table of {1 << self.bits}", f"{table.size}")
            return table[codes]
        linear = self.quantization.message(101)
        scale, bias = floats(linear, 1), floats(linear, 2)
        channels = shape[channel_axis]
        if scale.size not in (1, channels) or bias.size not in (0, 1, channels):
            raise Refusal("quantization", f"1 or {channels} scales and biases", f"{scale.size} and {bias.size}")
        along = [-1] + [1] * (len(shape) - channel_axis - 1)
        bias = bias if bias.size else np.zeros(1, np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            return codes.astype(np.float32) * scale.reshape(along) + bias.reshape(along)
