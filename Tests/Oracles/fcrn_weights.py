"""FCRN with random weights, its channels divided: OUT.npy as the authors' file is, INPUT.f32 and EXPECTED.f32.

DIVISOR 1 is the network itself. PROTOCOL is that of the pickle: 2 or 4 as Python 3 writes it, or python2, which the authors' file is:
protocol 2 with texts and bytes alike as strings of bytes.
"""
import pickle
import struct
import sys

import numpy as np

import network_reference as net

EPSILON = 1e-4


def weights(divisor, seed=7):
    random = np.random.default_rng(seed)
    layers = {}

    def width(channels):
        return max(1, channels // divisor)

    def conv(name, rows, columns, inputs, outputs, biased):
        scale = np.sqrt(2 / (rows * columns * inputs))
        layers[name] = {"weights": (random.standard_normal((rows, columns, inputs, outputs)) * scale).astype(np.float32)}
        if biased:
            layers[name]["biases"] = (random.standard_normal(outputs) * 0.1).astype(np.float32)

    def norm(name, channels):
        layers[name] = {
            "mean": (random.standard_normal(channels) * 0.1).astype(np.float32),
            "variance": random.uniform(0.5, 1.5, channels).astype(np.float32),
            "scale": random.uniform(0.5, 1.2, channels).astype(np.float32),
            "offset": (random.standard_normal(channels) * 0.1).astype(np.float32),
        }

    conv("conv1", 7, 7, 3, width(64), True)
    norm("bn_conv1", width(64))
    inputs = width(64)
    for stage, blocks, channels in [(2, "abc", 64), (3, "abcd", 128), (4, "abcdef", 256), (5, "abc", 512)]:
        for block in blocks:
            name = f"{stage}{block}"
            if block == "a":
                conv(f"res{name}_branch1", 1, 1, inputs, width(4 * channels), False)
                norm(f"bn{name}_branch1", width(4 * channels))
            for part, size, a, b in [("a", 1, inputs, channels), ("b", 3, width(channels), channels), ("c", 1, width(channels), 4 * channels)]:
                conv(f"res{name}_branch2{part}", size, size, a, width(b), False)
                norm(f"bn{name}_branch2{part}", width(b))
            inputs = width(4 * channels)
    conv("layer1", 1, 1, inputs, width(1024), True)
    norm("layer1_BN", width(1024))
    for name, a, b in [("2x", 1024, 512), ("4x", 512, 256), ("8x", 256, 128), ("16x", 128, 64)]:
        for branch in ["br1", "br2"]:
            for part, rows, columns in [("A", 3, 3), ("B", 2, 3), ("C", 3, 2), ("D", 2, 2)]:
                conv(f"layer{name}_{branch}_Conv{part}", rows, columns, width(a), width(b), True)
            norm(f"layer{name}_{branch}_BN", width(b))
        conv(f"layer{name}_Conv", 3, 3, width(b), width(b), True)
        norm(f"layer{name}_BN", width(b))
    conv("ConvPred", 3, 3, width(64), 1, True)
    return layers


def run(layers, x):
    """x is 1, 3, rows, columns; what the authors' models/network.py and fcrn.py define."""

    def conv(x, name, stride=1, pads=None):
        parts = layers[name]
        kernel = parts["weights"].astype(np.float64)
        rows, columns = (kernel.shape[0] - 1) // 2, (kernel.shape[1] - 1) // 2
        return net.conv(x, kernel.transpose(3, 2, 0, 1), parts.get("biases"), (stride, stride), pads or (rows, columns, rows, columns))

    def norm(x, name):
        p = layers[name]
        return net.batch_normalization(x, p["scale"], p["offset"], p["mean"], p["variance"], EPSILON)

    def unpool(x, name):
        parts = [conv(x, f"layer{name}_Conv{part}", pads=pads) for part, pads in
                 [("A", (1, 1, 1, 1)), ("B", (1, 1, 0, 1)), ("C", (1, 1, 1, 0)), ("D", (1, 1, 0, 0))]]
        return norm(net.interleave(*parts), f"layer{name}_BN")

    x = net.relu(norm(conv(x, "conv1", 2), "bn_conv1"))
    x = net.max_pool(x, (3, 3), (2, 2), net.same(x.shape[2:], (3, 3), (2, 2)))
    for stage, blocks in [(2, "abc"), (3, "abcd"), (4, "abcdef"), (5, "abc")]:
        for block in blocks:
            name = f"{stage}{block}"
            stride = 2 if stage > 2 and block == "a" else 1
            y = net.relu(norm(conv(x, f"res{name}_branch2a", stride), f"bn{name}_branch2a"))
            y = net.relu(norm(conv(y, f"res{name}_branch2b"), f"bn{name}_branch2b"))
            y = norm(conv(y, f"res{name}_branch2c"), f"bn{name}_branch2c")
            if block == "a":
                x = norm(conv(x, f"res{name}_branch1", stride), f"bn{name}_branch1")
            x = net.relu(x + y)
    x = norm(conv(x, "layer1"), "layer1_BN")
    for name in ["2x", "4x", "8x", "16x"]:
        y = net.relu(unpool(x, f"{name}_br1"))
        y = norm(conv(y, f"layer{name}_Conv"), f"layer{name}_BN")
        x = net.relu(y + unpool(x, f"{name}_br2"))
    return net.relu(conv(x, "ConvPred"))


class Python2Pickler(pickle._Pickler):
    """Writes protocol 2 as Python 2 does, which has one type for texts and bytes."""

    def save_string(self, value):
        data = value.encode() if isinstance(value, str) else value
        short = len(data) < 256
        self.write(b"U" + bytes([len(data)]) if short else b"T" + struct.pack("<I", len(data)))
        self.write(data)
        self.memoize(value)

    dispatch = {**pickle._Pickler.dispatch, str: save_string, bytes: save_string}


def save(path, layers, protocol):
    array = np.empty((), object)
    array[()] = layers
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
        if protocol == "python2":
            Python2Pickler(file, 2).dump(array)
        else:
            pickle.dump(array, file, protocol=int(protocol))


if __name__ == "__main__":
    path, input_path, expected_path, divisor, protocol = sys.argv[1:6]
    layers = weights(int(divisor))
    x = np.random.default_rng(1).uniform(0, 255, (1, 3, 228, 304)).astype(np.float32)
    y = run(layers, x.astype(np.float64))
    save(path, layers, protocol)
    x.tofile(input_path)
    y.astype(np.float32).tofile(expected_path)
