"""The layers of a Core ML neuralNetwork that look at windows of an image or change its size."""
import numpy as np

from .message import Message
from .refusal import Refusal


def edges(amounts):
    """What is added or cut above, left, below and right."""
    sides = amounts.messages(10) if amounts else []
    if not sides:
        return [0, 0, 0, 0]
    if len(sides) != 2:
        raise Refusal("", "amounts of two dimensions", f"{len(sides)}")
    numbers = [sides[0].integer(1), sides[1].integer(1), sides[0].integer(2), sides[1].integer(2)]
    if not all(0 <= number <= 4096 for number in numbers):
        raise Refusal("", "amounts from 0 to 4096", f"{numbers}")
    return numbers


def border(parameters, valid, same):
    """The amounts at each side, or None and the rule by which the output's size is the input's by the stride."""
    rule = parameters.message(same)
    if rule is not None:
        return None, "SAME_UPPER" if rule.integer(1) == 0 else "SAME_LOWER"
    around = parameters.message(valid)
    return edges(around.message(1) if around else None), None


def amounts_of(rule, kernel, dilation, stride):
    """What a deconvolution cuts, so that its output is the input times the stride; for a stride of 1 also what a
    convolution adds."""
    over = [(k - 1) * d + 1 - s for k, d, s in zip(kernel, dilation, stride)]
    if min(over) < 0:
        raise Refusal("", "a kernel at least as long as its stride", f"{kernel}")
    less = [amount // 2 for amount in over]
    more = [amount - amount // 2 for amount in over]
    return less + more if rule == "SAME_UPPER" else more + less


def convolution(layer):
    p = layer.parameters
    weights = layer.weights(90)
    if len(layer.inputs) != 1 or weights is None:
        raise Refusal("", "a convolution with stored weights", "other ones")
    output, channels, groups = p.integer(1), p.integer(2), max(1, p.integer(10))
    kernel, stride, dilation = layer.pair(20, 3), layer.pair(30, 1), layer.pair(40, 1)
    is_transposed = p.integer(60) != 0
    if output <= 0 or channels <= 0 or output % groups or 100 in p:
        raise Refusal("", "a convolution whose output's shape follows", "one that is given")
    shape = [channels, output // groups] if is_transposed else [output, channels]
    inputs = [layer.input, layer.store("weights", weights, shape + kernel, int(is_transposed and groups == 1))]
    if p.integer(70) and 91 in p:
        inputs.append(layer.store("bias", layer.weights(91), [output]))
    amounts, rule = border(p, valid=50, same=51)
    # ONNX Runtime knows no rule together with a dilation.
    if rule and (is_transposed or (stride == [1, 1] and dilation != [1, 1])):
        amounts = amounts_of(rule, kernel, dilation, stride)
    padding = {"auto_pad": rule} if amounts is None else {"pads": amounts}
    return layer.node(
        "ConvTranspose" if is_transposed else "Conv", inputs, kernel_shape=kernel, strides=stride,
        dilations=dilation, group=groups, **padding)


def pooling(layer):
    p = layer.parameters
    if p.integer(1) not in (0, 1):
        raise Refusal("", "maximum or average", f"type {p.integer(1)}")
    operator = ["MaxPool", "AveragePool"][p.integer(1)]
    if p.integer(60):
        return layer.node("Global" + operator)
    attributes = {"kernel_shape": layer.pair(10, 3), "strides": layer.pair(20, 1)}
    rounded = p.message(32)
    if rounded is not None:
        amounts = rounded.integers(10) or [0, 0]
        if len(amounts) != 2 or not all(0 <= amount <= 4096 for amount in amounts):
            raise Refusal("", "two amounts of padding", f"{amounts}")
        attributes |= {"pads": amounts + amounts, "ceil_mode": 1}
    else:
        amounts, rule = border(p, valid=30, same=31)
        attributes |= {"auto_pad": rule} if amounts is None else {"pads": amounts}
    if operator == "AveragePool":
        attributes["count_include_pad"] = int(p.integer(50) == 0)
    return layer.node(operator, **attributes)


def inner_product(layer):
    p = layer.parameters
    inputs, outputs = p.integer(1), p.integer(2)
    weights = layer.weights(20)
    if weights is None or inputs <= 0 or outputs <= 0 or p.integer(22):
        raise Refusal("", "stored weights", "none, or dynamic ones")
    values = [layer.input, layer.store("weights", weights, [outputs, inputs, 1, 1])]
    if p.integer(10) and 21 in p:
        values.append(layer.store("bias", layer.weights(21), [outputs]))
    return layer.node("Conv", values, kernel_shape=[1, 1])


def crop(layer):
    if len(layer.inputs) != 1:
        raise Refusal("", "a layer that can be converted", "layer kind 190 (crop) of two inputs")
    top, left, bottom, right = edges(layer.parameters.message(1))
    # Counted from the end; as far as possible where nothing is cut.
    ends = [-amount if amount else (1 << 31) - 1 for amount in (bottom, right)]
    starts = layer.integers("starts", [top, left])
    return layer.node("Slice", [layer.input, starts, layer.integers("ends", ends), layer.integers("axes", [2, 3])])


def padding(layer):
    p = layer.parameters
    top, left, bottom, right = edges(p.message(10))
    inputs = [layer.input, layer.integers("pads", [0, 0, top, left, 0, 0, bottom, right])]
    mode = "reflect" if 2 in p else "edge" if 3 in p else "constant"
    if mode == "constant":
        value = (p.message(1) or Message()).float(1)
        inputs.append(layer.graph.store(f"{layer.name}/value", np.array(value, np.float32)))
    return layer.node("Pad", inputs, mode=mode)


def upsampling(layer):
    """Enlarges by whole factors; a bilinear one takes the place `i / factor` for pixel `i` by default."""
    p = layer.parameters
    if 7 in p:
        raise Refusal("", "whole factors", "fractional ones")
    places = dict(enumerate(["asymmetric", "align_corners", "half_pixel"]))
    if p.integer(6) not in places:
        raise Refusal("", "a known mode", f"{p.integer(6)}")
    scales = layer.floats("scales", 1, 1, *layer.pair(1, 1))
    how = {"mode": "linear", "coordinate_transformation_mode": places[p.integer(6)]}
    if p.integer(5) == 0:
        how = {"mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
    return layer.node("Resize", [layer.input, "", scales], **how)
