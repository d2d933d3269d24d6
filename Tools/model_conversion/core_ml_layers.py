"""The layers of a Core ML neuralNetwork, each as nodes of ONNX; `LAYERS` has them by the number of their field."""
from . import core_ml_windows as windows
from .message import Message
from .refusal import Refusal


def activation(layer):
    kind = max(layer.parameters.numbers, default=0)
    inner = (layer.parameters.message(kind) if kind else None) or Message()
    plain = {10: "Relu", 30: "Tanh", 40: "Sigmoid", 60: "Softsign", 70: "Softplus"}
    alpha = {15: "LeakyRelu", 20: "ThresholdedRelu", 50: "Elu"}
    if kind in plain:
        return layer.node(plain[kind])
    if kind in alpha:
        return layer.node(alpha[kind], alpha=inner.float(1))
    if kind == 5:
        return layer.linear(layer.input, inner.float(1), inner.float(2))
    if kind == 25:
        slope = layer.weights(1, inner)
        if slope is None:
            raise Refusal("", "an alpha", "none")
        return layer.node("PRelu", [layer.input, layer.store("alpha", slope, [slope.count, 1, 1])])
    if kind == 31:
        scaled = layer.linear(layer.input, inner.float(2))
        return layer.linear(layer.node("Tanh", [scaled]), inner.float(1))
    if kind == 41:
        return layer.node("HardSigmoid", alpha=inner.float(1), beta=inner.float(2))
    raise Refusal("", "an activation that can be converted", f"activation kind {kind}")


def batch_normalization(layer):
    p = layer.parameters
    channels = p.integer(1)
    is_of_instance = p.integer(5) != 0
    parts = {"gamma": 15, "beta": 16} | ({} if is_of_instance else {"mean": 17, "variance": 18})
    missing = [part for part, number in parts.items() if number not in p]
    if channels <= 0 or missing or (is_of_instance and not p.integer(6)):
        raise Refusal("", "gamma, beta, and a stored mean and variance of each channel", "none, or those of the batch")
    inputs = [layer.input] + [layer.store(part, layer.weights(number), [channels]) for part, number in parts.items()]
    # Left out it is 0 in the file; the format's own comment says 1e-5 for that.
    return layer.node(
        "InstanceNormalization" if is_of_instance else "BatchNormalization", inputs, epsilon=p.float(10, 1e-5))


def unary(layer):
    p = layer.parameters
    value = layer.linear(layer.input, p.float(5, 1.0), p.float(4))
    kind, epsilon = p.integer(1), p.float(3, 1e-6)
    plain = {0: "Sqrt", 4: "Exp", 6: "Abs"}
    if kind in plain:
        return layer.node(plain[kind], [value])
    if kind in (3, 7):
        return layer.node("Pow" if kind == 3 else "Max", [value, layer.floats("alpha", p.float(2))])
    if kind not in (1, 2, 5):
        raise Refusal("", "a function that can be converted", f"function {kind}")
    value = layer.linear(value, offset=epsilon)
    if kind == 5:
        return layer.node("Log", [value])
    return layer.node("Reciprocal", [layer.node("Sqrt", [value]) if kind == 1 else value])


def joined(operator):
    """A sum or product of several inputs, or of one and a number."""
    def convert(layer):
        if len(layer.inputs) == 1:
            return layer.node(operator, [layer.input, layer.floats("alpha", layer.parameters.float(1))])
        value = layer.input
        for other in layer.inputs[1:]:
            value = layer.node(operator, [value, other])
        return value
    return convert


def blob(layer, weights, shape, part):
    """Weights of one number, one for each channel, or channel, row and column."""
    if weights is None or len(shape) not in (1, 3):
        raise Refusal("", f"a {part} with one or three lengths", f"{shape}")
    return layer.store(part, weights, [shape[0], 1, 1] if len(shape) == 1 else shape)


def scale(layer):
    p = layer.parameters
    value = layer.node("Mul", [layer.input, blob(layer, layer.weights(2), p.integers(1), "scale")])
    if not p.integer(3):
        return value
    return layer.node("Add", [value, blob(layer, layer.weights(5), p.integers(4), "bias")])


def bias(layer):
    return layer.node("Add", [layer.input, blob(layer, layer.weights(2), layer.parameters.integers(1), "bias")])


def channel_last(layer):
    return layer.node("Transpose", perm=[0, 2, 3, 1])


def reshape(layer):
    target = layer.parameters.integers(1)
    # Three lengths leave the sequence as it is.
    target = [0] + target if len(target) == 3 else target
    if len(target) != 4 or min(target[1:]) <= 0 or target[0] < 0:
        raise Refusal("", "a target of three or four lengths", f"{target}")
    if layer.parameters.integer(2) != 1:
        return layer.node("Reshape", [layer.input, layer.integers("shape", target)])
    moved = [target[0], target[2], target[3], target[1]]
    value = layer.node("Reshape", [channel_last(layer), layer.integers("shape", moved)])
    return layer.node("Transpose", [value], perm=[0, 3, 1, 2])


def flatten(layer):
    value = channel_last(layer) if layer.parameters.integer(1) == 1 else layer.input
    return layer.node("Reshape", [value, layer.integers("shape", [0, -1, 1, 1])])


def permute(layer):
    axes = layer.parameters.integers(1)
    if sorted(axes) != [0, 1, 2, 3]:
        raise Refusal("", "an order of four dimensions", f"{axes}")
    return layer.node("Transpose", perm=axes)


def concat(layer):
    return layer.node("Concat", layer.inputs, axis=0 if layer.parameters.integer(100) else 1)


def reorganize(layer):
    mode, size = layer.parameters.integer(1), layer.parameters.integer(2)
    if not 2 <= size <= 64 or mode not in (0, 1, 2):
        raise Refusal("", "a known order in blocks of 2 to 64", f"order {mode}, {size}")
    if mode == 0:
        return layer.node("SpaceToDepth", blocksize=size)
    return layer.node("DepthToSpace", blocksize=size, mode="DCR" if mode == 1 else "CRD")


LAYERS = {
    100: windows.convolution, 120: windows.pooling, 130: activation, 140: windows.inner_product,
    160: batch_normalization, 190: windows.crop, 200: windows.padding, 210: windows.upsampling, 220: unary,
    230: joined("Add"), 231: joined("Mul"), 245: scale, 250: bias, 300: reshape, 301: flatten, 310: permute,
    320: concat, 345: reorganize,
}
