"""Core ML networks of one kind of layer each, and FCRN, with what they compute: FOLDER [DIVISOR].

Writes NAME.mlmodel, NAME.input.f32 and NAME.expected.f32 for each, and prints "NAME height width".
Networks are built by coremltools; what they compute is worked out in numpy from their weights.
"""
import logging
import sys
import warnings

import numpy as np

logging.disable(logging.CRITICAL)
warnings.filterwarnings("ignore")
import coremltools as ct
from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder, quantization_utils

import fcrn_weights
import network_reference as net

# coremltools tells what it does on standard output, which is for the answer.
answer, sys.stdout = sys.stdout, sys.stderr

H, W = 6, 8
random = np.random.default_rng(3)


def weights(*shape):
    return random.standard_normal(shape).astype(np.float32)


def new(height=H, width=W):
    return NeuralNetworkBuilder([("image", datatypes.Array(3, height, width))], [("depth", datatypes.Array(1))])


def save(name, builder, expected, x, biases=None, quantized=None, **scaler):
    spec = builder.spec
    if scaler:
        builder.set_pre_processing_parameters(image_input_names=["image"], **scaler)
    height, width = x.shape[2:]
    # As Apple's file has it: the input is an image.
    feature = spec.description.input[0]
    feature.type.imageType.width, feature.type.imageType.height = width, height
    feature.type.imageType.colorSpace = ct.proto.FeatureTypes_pb2.ImageFeatureType.BGR if scaler.get("is_bgr") else ct.proto.FeatureTypes_pb2.ImageFeatureType.RGB
    spec = quantized(spec) if quantized else spec
    with open(f"{sys.argv[1]}/{name}.mlmodel", "wb") as file:
        file.write(spec.SerializeToString())
    x.astype(np.float32).tofile(f"{sys.argv[1]}/{name}.input.f32")
    np.ascontiguousarray(expected, np.float32).tofile(f"{sys.argv[1]}/{name}.expected.f32")
    print(name, height, width, file=answer)


def case(name, add, compute, height=H, width=W, **rest):
    builder = new(height, width)
    x = random.uniform(-1, 1, (1, 3, height, width)).astype(np.float32)
    add(builder)
    save(name, builder, compute(x.astype(np.float64)), x, **rest)


def conv_case(name, channels=4, kernel=(3, 3), groups=1, stride=(1, 1), dilation=(1, 1), border="valid",
              pads=(0, 0, 0, 0), has_bias=True, quantized=None, change=lambda w: w, upper=True):
    w = weights(channels, 3 // groups, *kernel)
    b = weights(channels) if has_bias else None
    top, left, bottom, right = pads

    def add(builder):
        builder.add_convolution(
            "layer", 3 // groups, channels, *kernel, *stride, border, groups, w.transpose(2, 3, 1, 0), b, has_bias,
            input_name="image", output_name="depth", dilation_factors=list(dilation), padding_top=top, padding_left=left,
            padding_bottom=bottom, padding_right=right, same_padding_asymmetry_mode="BOTTOM_RIGHT_HEAVY" if upper else "TOP_LEFT_HEAVY")

    def compute(x):
        extent = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
        p = net.same(x.shape[2:], extent, stride, upper) if border == "same" else pads
        return net.conv(x, change(w), b, stride, p, dilation, groups)

    case(name, add, compute, quantized=quantized)


def deconv_case(name, size, border, pad, crop):
    w, b = weights(3, 2, size, size), weights(2)
    case(name, lambda m: m.add_convolution(
        "layer", 3, 2, size, size, 2, 2, border, 1, w.transpose(2, 3, 0, 1), b, True, True, input_name="image",
        output_name="depth", padding_top=pad, padding_left=pad, padding_bottom=pad, padding_right=pad),
        lambda x: net.deconv(x, w, b, (2, 2), crop))


def half(spec):
    return ct.models.utils._convert_neural_network_spec_weights_to_fp16(spec)


def codes(bits, mode, kept):
    """Quantizes, and keeps what the codes mean: coremltools' own decoder gives it."""
    def apply(spec):
        layers = spec.neuralNetwork.layers
        quantization_utils._quantize_spec_weights(spec, bits, mode)
        decoded = type(layers[0].convolution.weights)()
        decoded.CopyFrom(layers[0].convolution.weights)
        p = layers[0].convolution
        quantization_utils._dequantize_wp(decoded, (p.outputChannels, p.kernelChannels, *p.kernelSize))
        kept.append(np.array(decoded.floatValue, np.float32).reshape(p.outputChannels, p.kernelChannels, *p.kernelSize))
        return spec
    return apply


def quantized_case(name, bits, mode):
    w, b = weights(5, 3, 3, 3), weights(5)
    builder = new()
    builder.add_convolution("layer", 3, 5, 3, 3, 1, 1, "valid", 1, w.transpose(2, 3, 1, 0), b, True, input_name="image", output_name="depth")
    kept = []
    spec = codes(bits, mode, kept)(builder.spec)
    bias = spec.neuralNetwork.layers[0].convolution.bias
    if bias.HasField("quantization"):
        quantization_utils._dequantize_wp(bias, (5,))
    b = np.array(bias.floatValue, np.float32)
    x = random.uniform(-1, 1, (1, 3, H, W)).astype(np.float32)
    save(name, builder, net.conv(x.astype(np.float64), kept[0], b), x)


def layer_cases():
    conv_case("convolution")
    conv_case("convolution_valid", kernel=(2, 3), pads=(1, 2, 0, 1), stride=(2, 1), has_bias=False)
    conv_case("convolution_same", kernel=(4, 3), stride=(2, 2), border="same")
    conv_case("convolution_same_lower", kernel=(4, 3), stride=(2, 2), border="same", upper=False)
    conv_case("convolution_dilated", dilation=(2, 2), border="same")
    conv_case("convolution_dilated_odd", kernel=(2, 4), dilation=(3, 1), border="same")
    conv_case("convolution_dilated_odd_lower", kernel=(2, 4), dilation=(3, 1), border="same", upper=False)
    conv_case("convolution_groups", channels=6, groups=3)
    conv_case("convolution_half", quantized=half, change=lambda w: w.astype(np.float16).astype(np.float32))
    for bits in range(1, 9):
        quantized_case(f"linear_{bits}", bits, "_linear_quantization")
        quantized_case(f"table_{bits}", bits, "_lookup_table_quantization_linear")
    deconv_case("deconvolution", 4, "valid", 1, (1, 1, 1, 1))
    deconv_case("deconvolution_same", 4, "same", 0, (1, 1, 1, 1))
    deconv_case("deconvolution_same_odd", 3, "same", 0, (0, 0, 1, 1))
    case("max_pool", lambda m: m.add_pooling("layer", 3, 3, 2, 2, "MAX", "SAME", "image", "depth"),
         lambda x: net.max_pool(x, (3, 3), (2, 2), net.same((H, W), (3, 3), (2, 2))))
    case("max_pool_last", lambda m: m.add_pooling("layer", 3, 3, 2, 2, "MAX", "INCLUDE_LAST_PIXEL", "image", "depth"),
         lambda x: net.max_pool(x, (3, 3), (2, 2), (0, 0, 1, 1)))
    case("average_pool", lambda m: m.add_pooling("layer", 2, 2, 2, 2, "AVERAGE", "VALID", "image", "depth"),
         lambda x: net.window(x, (2, 2), (2, 2), (0, 0, 0, 0)).mean((4, 5)))
    case("global_pool", lambda m: m.add_pooling("layer", 1, 1, 1, 1, "AVERAGE", "VALID", "image", "depth", is_global=True),
         lambda x: x.mean((2, 3), keepdims=True))
    s, o, mean, variance = weights(3), weights(3), weights(3), np.abs(weights(3)) + 0.1
    case("batch_normalization", lambda m: m.add_batchnorm("layer", 3, s, o, mean, variance, "image", "depth", epsilon=1e-3),
         lambda x: net.batch_normalization(x, s, o, mean, variance, 1e-3))
    for name, parameters, function in [
        ("RELU", None, net.relu), ("LEAKYRELU", [0.3], lambda x: np.where(x < 0, 0.3 * x, x)), ("TANH", None, np.tanh),
        ("LINEAR", [2.0, 0.5], lambda x: 2 * x + 0.5), ("SIGMOID", None, lambda x: 1 / (1 + np.exp(-x))),
        ("ELU", 0.7, lambda x: np.where(x < 0, 0.7 * (np.exp(x) - 1), x)), ("SOFTPLUS", None, lambda x: np.log1p(np.exp(x))),
        ("SCALED_TANH", [1.5, 0.5], lambda x: 1.5 * np.tanh(0.5 * x)), ("SOFTSIGN", None, lambda x: x / (1 + np.abs(x))),
        ("SIGMOID_HARD", [0.3, 0.4], lambda x: np.clip(0.3 * x + 0.4, 0, 1)), ("THRESHOLDEDRELU", 0.2, lambda x: np.where(x > 0.2, x, 0)),
    ]:
        case(f"activation_{name.lower()}", lambda m: m.add_activation("layer", name, "image", "depth", parameters), function)
    slope = weights(3)
    case("activation_prelu", lambda m: m.add_activation("layer", "PRELU", "image", "depth", slope),
         lambda x: np.where(x < 0, slope[None, :, None, None] * x, x))
    case("scale", lambda m: m.add_scale("layer", s, o, True, "image", "depth", [3], [3]),
         lambda x: x * s[None, :, None, None] + o[None, :, None, None])
    case("bias", lambda m: m.add_bias("layer", o, "image", "depth", [3]), lambda x: x + o[None, :, None, None])

    def twice(add):
        def build(m):
            m.add_activation("first", "LINEAR", "image", "other", [0.5, 0.25])
            add(m)
        return build
    other = lambda x: 0.5 * x + 0.25
    case("add", twice(lambda m: m.add_elementwise("layer", ["image", "other"], "depth", "ADD")), lambda x: x + other(x))
    case("add_one", lambda m: m.add_elementwise("layer", ["image"], "depth", "ADD", 0.75), lambda x: x + 0.75)
    case("multiply", twice(lambda m: m.add_elementwise("layer", ["image", "other"], "depth", "MULTIPLY")), lambda x: x * other(x))
    case("concat", twice(lambda m: m.add_elementwise("layer", ["image", "other"], "depth", "CONCAT")), lambda x: np.concatenate([x, other(x)], 1))
    case("sequence_concat", twice(sequence), lambda x: np.concatenate([x, other(x)], 0))
    case("reshape", lambda m: m.add_reshape("layer", "image", "depth", (W, 3, H), 0), lambda x: x.reshape(1, W, 3, H))
    case("reshape_last", lambda m: m.add_reshape("layer", "image", "depth", (4, 2 * H, 3), 1),
         lambda x: x.transpose(0, 2, 3, 1).reshape(1, 2 * H, 3, 4).transpose(0, 3, 1, 2))
    case("reshape_sequence", lambda m: m.add_reshape("layer", "image", "depth", (3, 1, H, W), 0), lambda x: x.reshape(3, 1, H, W))
    case("permute", lambda m: m.add_permute("layer", (1, 0, 3, 2), "image", "depth"), lambda x: x.transpose(1, 0, 3, 2))
    case("flatten", lambda m: m.add_flatten("layer", 0, "image", "depth"), lambda x: x.reshape(1, -1, 1, 1))
    case("padding", lambda m: m.add_padding("layer", 1, 2, 0, 1, 0.5, "image", "depth"),
         lambda x: np.pad(x, ((0, 0), (0, 0), pad_rows, pad_columns), constant_values=0.5))
    case("crop", lambda m: m.add_crop("layer", 1, 2, 0, 1, [0, 0], ["image"], "depth"),
         lambda x: x[:, :, crop_rows[0]: H - crop_rows[1], crop_columns[0]: W - crop_columns[1]])
    case("upsample", lambda m: m.add_upsample("layer", 2, 3, "image", "depth", "NN"), lambda x: x.repeat(2, 2).repeat(3, 3))
    case("upsample_bilinear", lambda m: m.add_upsample("layer", 2, 2, "image", "depth", "BILINEAR"), lambda x: bilinear(bilinear(x, 2), 3))
    case("pixel_shuffle", shuffle, lambda x: net.interleave(x[:, 0:1], x[:, 2:3], x[:, 1:2], x[:, 0:1]))
    for mode, function in [("sqrt", np.sqrt), ("rsqrt", lambda x: 1 / np.sqrt(x + 1e-6)), ("inverse", lambda x: 1 / (x + 1e-6)),
                           ("power", lambda x: x ** 1.5), ("exp", np.exp), ("log", lambda x: np.log(x + 1e-6)), ("abs", np.abs),
                           ("threshold", lambda x: np.maximum(x, 1.5))]:
        case(f"unary_{mode}", lambda m: m.add_unary("layer", "image", "depth", mode, 1.5, 2.5, 0.5, 1e-6), lambda x: function(0.5 * x + 2.5))
    w2, b2 = weights(4, 3), weights(4)

    def product(m):
        m.add_pooling("first", 1, 1, 1, 1, "AVERAGE", "VALID", "image", "pooled", is_global=True)
        m.add_inner_product("layer", w2, b2, 3, 4, True, "pooled", "depth")
    case("inner_product", product, lambda x: np.einsum("nchw,oc->nohw", x.mean((2, 3), keepdims=True), w2) + b2[None, :, None, None])
    case("preprocessing", lambda m: m.add_activation("layer", "LINEAR", "image", "depth", [1.0, 0.0]),
         lambda x: x / 127.5 + np.array([-0.25, -0.5, -0.75])[None, :, None, None],
         image_scale=1 / 127.5, red_bias=-0.25, green_bias=-0.5, blue_bias=-0.75, is_bgr=False)


# Left, right, top, bottom is the order of coremltools.
pad_rows, pad_columns = (0, 1), (1, 2)
crop_rows, crop_columns = (0, 1), (1, 2)


def sequence(m):
    m.add_elementwise("layer", ["image", "other"], "depth", "CONCAT")
    m.spec.neuralNetwork.layers[-1].concat.sequenceConcat = True


def shuffle(m):
    # A, C, B, D in the order of PIXEL_SHUFFLE: row by row.
    w = np.zeros((1, 1, 3, 4), np.float32)
    for output, channel in enumerate([0, 1, 2, 0]):
        w[0, 0, channel, output] = 1
    m.add_convolution("first", 3, 4, 1, 1, 1, 1, "valid", 1, w, None, False, input_name="image", output_name="four")
    m.add_reorganize_data("layer", "four", "depth", "PIXEL_SHUFFLE", 2)


def bilinear(x, axis):
    position = np.minimum(np.arange(2 * x.shape[axis]) / 2, x.shape[axis] - 1)
    low = np.floor(position).astype(int)
    high = np.minimum(low + 1, x.shape[axis] - 1)
    shape = [1] * 4
    shape[axis] = -1
    part = (position - low).reshape(shape)
    return x.take(low, axis) * (1 - part) + x.take(high, axis) * part


def fcrn(divisor):
    """FCRN from the same weights as the authors' array, as a converter to Core ML would lay it out."""
    layers = fcrn_weights.weights(divisor)
    m = new(228, 304)
    count = [0]

    def name():
        count[0] += 1
        return f"value_{count[0]}"

    def conv(x, key, stride=1, pads=None, rename=None):
        parts = layers[key]
        k = parts["weights"]
        rows, columns = (k.shape[0] - 1) // 2, (k.shape[1] - 1) // 2
        top, left, bottom, right = pads or (rows, columns, rows, columns)
        y = name()
        m.add_convolution(key, k.shape[2], k.shape[3], k.shape[0], k.shape[1], stride, stride, "valid", 1, k, parts.get("biases"), "biases" in parts,
                          input_name=x, output_name=y, padding_top=top, padding_left=left, padding_bottom=bottom, padding_right=right)
        return y

    def norm(x, key):
        p, y = layers[key], name()
        m.add_batchnorm(key, len(p["mean"]), p["scale"], p["offset"], p["mean"], p["variance"], x, y, epsilon=1e-4)
        return y

    def relu(x, output=None):
        y = output or name()
        m.add_activation(f"relu_{y}", "RELU", x, y)
        return y

    def add(a, b):
        y = name()
        m.add_elementwise(f"add_{y}", [a, b], y, "ADD")
        return y

    def unpool(x, key):
        parts = [conv(x, f"layer{key}_Conv{p}", pads=pads) for p, pads in [("A", (1, 1, 1, 1)), ("B", (1, 1, 0, 1)), ("C", (1, 1, 1, 0)), ("D", (1, 1, 0, 0))]]
        four, y = name(), name()
        m.add_elementwise(f"concat_{four}", [parts[0], parts[2], parts[1], parts[3]], four, "CONCAT")
        m.add_reorganize_data(f"up_{y}", four, y, "DEPTH_TO_SPACE", 2)
        return norm(y, f"layer{key}_BN")

    x = relu(norm(conv("image", "conv1", 2), "bn_conv1"))
    m.add_pooling("pool1", 3, 3, 2, 2, "MAX", "SAME", x, "pool1")
    x = "pool1"
    for stage, blocks in [(2, "abc"), (3, "abcd"), (4, "abcdef"), (5, "abc")]:
        for block in blocks:
            key = f"{stage}{block}"
            stride = 2 if stage > 2 and block == "a" else 1
            y = relu(norm(conv(x, f"res{key}_branch2a", stride), f"bn{key}_branch2a"))
            y = relu(norm(conv(y, f"res{key}_branch2b"), f"bn{key}_branch2b"))
            y = norm(conv(y, f"res{key}_branch2c"), f"bn{key}_branch2c")
            if block == "a":
                x = norm(conv(x, f"res{key}_branch1", stride), f"bn{key}_branch1")
            x = relu(add(x, y))
    x = norm(conv(x, "layer1"), "layer1_BN")
    for key in ["2x", "4x", "8x", "16x"]:
        y = relu(unpool(x, f"{key}_br1"))
        y = norm(conv(y, f"layer{key}_Conv"), f"layer{key}_BN")
        x = relu(add(y, unpool(x, f"{key}_br2")))
    relu(conv(x, "ConvPred"), "depth")
    x = np.random.default_rng(1).uniform(0, 255, (1, 3, 228, 304)).astype(np.float32)
    return m, x, fcrn_weights.run(layers, x.astype(np.float64))


if __name__ == "__main__":
    layer_cases()
    if len(sys.argv) > 2:
        builder, x, expected = fcrn(int(sys.argv[2]))
        save("fcrn", builder, expected, x)
        save("fcrn_half", builder, expected, x, quantized=half)
