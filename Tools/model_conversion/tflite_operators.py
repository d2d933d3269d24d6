"""The operators of TFLite of which ONNX is made, by their numbers.

Source: tensorflow/lite/schema/schema.fbs for numbers and options; the kernels of tensorflow/lite for what they mean.
"""
import struct

import numpy as np

from .refusal import Refusal

CUSTOM = 32
SAME, VALID = 0, 1
# Ends of `padding` in TfLiteTransposeConvParams, which MediaPipe's operator has: 1 is same, 2 is valid.
CUSTOM_SAME, CUSTOM_VALID = 1, 2


def activated(network, value, options, field):
    """The fused activation behind a value."""
    kind = options.integer(field, "b") if options else 0
    if kind == 0:
        return value
    if kind == 1:
        return network.graph.node("Relu", [value])
    if kind == 3:
        limits = [network.graph.floats("zero", 0.0), network.graph.floats("six", 6.0)]
        limits = [network.graph.node("Squeeze", [limit]) for limit in limits]
        return network.graph.node("Clip", [value, *limits])
    raise Refusal("", "no fused activation, or ReLU or ReLU6", f"activation {kind}")


def padding(network, source, kernel, strides, kind):
    """Rows above, columns left, rows below and columns right, as TensorFlow pads."""
    if kind == VALID:
        return [0, 0, 0, 0]
    if kind != SAME:
        raise Refusal("", "padding SAME or VALID", f"{kind}")
    amounts = []
    for length, size, stride in zip(network.image_shape(source)[1:3], kernel, strides):
        amounts.append(max((-(-length // stride) - 1) * stride + size - length, 0))
    before = [amount // 2 for amount in amounts]
    return before + [amount - half for amount, half in zip(amounts, before)]


def strides_of(options, columns, rows):
    strides = [options.integer(rows, "i"), options.integer(columns, "i")] if options else [0, 0]
    if not all(1 <= stride <= 4096 for stride in strides):
        raise Refusal("", "strides of 1 to 4096", f"{strides}")
    return strides


def weights(network, inputs):
    """The stored weights of four dimensions, and the bias; None without one."""
    kernel = network.constant(inputs[1]) if len(inputs) > 1 else None
    bias = network.constant(inputs[2]) if len(inputs) > 2 and inputs[2] >= 0 else None
    if kernel is None or kernel.ndim != 4 or (bias is not None and bias.ndim != 1):
        raise Refusal("", "stored weights of four dimensions and a bias of one", "others")
    return kernel, bias


def convolution(network, table, inputs, output):
    options = table.table(4)
    kernel, bias = weights(network, inputs)
    return convolved(network, inputs, output, options, kernel.transpose(0, 3, 1, 2), bias, 1, 3, (4, 5))


def by_channel(network, table, inputs, output):
    options = table.table(4)
    kernel, bias = weights(network, inputs)
    groups = network.image_shape(inputs[0])[3]
    if kernel.shape[0] != 1 or kernel.shape[3] % groups:
        raise Refusal("", f"one kernel for each of {groups} channels", f"{list(kernel.shape)}")
    return convolved(network, inputs, output, options, kernel.transpose(3, 0, 1, 2), bias, groups, 4, (5, 6))


def convolved(network, inputs, output, options, kernel, bias, groups, activation, dilations):
    if options is None or any(options.integer(field, "i", 1) != 1 for field in dilations):
        raise Refusal("", "a convolution without dilation", "another")
    if network.image_shape(inputs[0])[3] != kernel.shape[1] * groups:
        raise Refusal("", f"{kernel.shape[1] * groups} channels", f"{network.shape(inputs[0])}")
    strides = strides_of(options, 1, 2)
    values = [network.value(inputs[0]), network.graph.store(f"kernel_{output}", kernel)]
    if bias is not None:
        values.append(network.graph.store(f"bias_{output}", bias))
    pads = padding(network, inputs[0], kernel.shape[2:], strides, options.integer(0, "b"))
    result = network.graph.node(
        "Conv", values, kernel_shape=list(kernel.shape[2:]), strides=strides, pads=pads, group=groups)
    return activated(network, result, options, activation)


def mean_of_windows(network, table, inputs, output):
    options = table.table(4)
    strides = strides_of(options, 1, 2)
    window = [options.integer(4, "i"), options.integer(3, "i")]
    if not all(1 <= size <= 4096 for size in window):
        raise Refusal("", "a window of 1 to 4096", f"{window}")
    pads = padding(network, inputs[0], window, strides, options.integer(0, "b"))
    # Pixels beyond the border do not count.
    result = network.graph.node(
        "AveragePool", [network.value(inputs[0])], kernel_shape=window, strides=strides, pads=pads)
    return activated(network, result, options, 5)


def mean(network, table, inputs, output):
    axes = network.whole_numbers(inputs[1]) if len(inputs) == 2 else None
    options = table.table(4)
    if axes is None or sorted(axes) != [1, 2] or options is None or not options.integer(0, "b"):
        raise Refusal("", "a mean over rows and columns that keeps them", f"one over {axes}")
    return network.graph.node("ReduceMean", [network.value(inputs[0])], axes=[2, 3], keepdims=1)


def transposed(network, table, inputs, output):
    """MediaPipe's transposed convolution with a bias."""
    data = bytes(table.bytes(5))
    if len(data) < 12:
        raise Refusal("", "options of 12 bytes", f"{len(data)}")
    kind, columns, rows = struct.unpack_from("<3i", data)
    kernel, bias = weights(network, inputs)
    height, width = network.image_shape(inputs[0])[1:3]
    wanted = network.image_shape(output)[1:3]
    # Where windows do not overlap, both kinds of padding are the same.
    if kind not in (CUSTOM_SAME, CUSTOM_VALID) or (rows, columns) != kernel.shape[1:3] or (
            [height * rows, width * columns] != wanted) or kernel.shape[3] != network.image_shape(inputs[0])[3]:
        raise Refusal("", "windows that touch without overlapping", f"{kernel.shape} for strides {rows}, {columns}")
    values = [network.value(inputs[0]), network.graph.store(f"kernel_{output}", kernel.transpose(3, 0, 1, 2))]
    if bias is not None:
        values.append(network.graph.store(f"bias_{output}", bias))
    return network.graph.node(
        "ConvTranspose", values, kernel_shape=list(kernel.shape[1:3]), strides=[rows, columns])


def enlarged(network, table, inputs, output):
    options = table.table(4)
    is_aligned = options is not None and options.integer(2, "b") != 0
    has_half_pixels = options is not None and options.integer(3, "b") != 0
    how = "align_corners" if is_aligned else "half_pixel" if has_half_pixels else "asymmetric"
    rows, columns = network.image_shape(output)[1:3]
    sizes = network.graph.integers(f"sizes_{output}", [1, network.image_shape(output)[3], rows, columns])
    return network.graph.node(
        "Resize", [network.value(inputs[0]), "", "", sizes], mode="linear", coordinate_transformation_mode=how)


def pair(operator, activation):
    def convert(network, table, inputs, output):
        if len(inputs) != 2:
            raise Refusal("", "two inputs", f"{len(inputs)}")
        result = network.graph.node(operator, [network.value(index) for index in inputs])
        return activated(network, result, table.table(4), activation)
    return convert


def single(operator):
    def convert(network, table, inputs, output):
        return network.graph.node(operator, [network.value(inputs[0])])
    return convert


def hard_swish(network, table, inputs, output):
    """x · relu6(x + 3) / 6, from what version 13 of ONNX's operators has."""
    value = network.value(inputs[0])
    gate = network.graph.node("HardSigmoid", [value], alpha=1 / 6, beta=0.5)
    return network.graph.node("Mul", [value, gate])


OPERATORS = {
    0: pair("Add", 0), 1: mean_of_windows, 3: convolution, 4: by_channel, 14: single("Sigmoid"), 18: pair("Mul", 0),
    19: single("Relu"), 23: enlarged, 117: hard_swish, 40: mean,
    "Convolution2DTransposeBias": transposed,
}
