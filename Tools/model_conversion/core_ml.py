"""A Core ML `neuralNetwork` as ONNX, layer by layer.

Blobs of such networks have five dimensions (sequence, batch, channel, row, column); the batch is one here, so that
the first of ONNX's four is the sequence. Source: apple/coremltools, mlmodel/format/Model.proto and
NeuralNetwork.proto, whose comments define each layer; the numbers here are those of its fields.
"""
import numpy as np

from . import card
from .core_ml_layer import Layer
from .core_ml_layers import LAYERS
from .graph import Graph
from .message import Message
from .refusal import Refusal, printable

RGB, BGR = 20, 30
# What the tool takes, for messages.
WANTED = "a Core ML or TFLite network or FCRN's weights"
# Other color spaces of ImageFeatureType; FeatureTypes.proto.
COLOR_SPACES = {0: "none", 10: "GRAYSCALE", 40: "GRAYSCALE_FLOAT16"}


def onnx_model(data):
    """The model and its card; raises Refusal with the name of a layer that cannot be converted."""
    try:
        model = Message(data)
        network, description = model.message(500), model.message(2)
    except Refusal as error:
        raise Refusal(error.place, WANTED, "another file") from None
    if network is None or description is None:
        if 7 in model:
            raise Refusal("", WANTED, "an ONNX model, which needs no conversion")
        kind = "an ML program" if 502 in model else f"model type {max(model.numbers, default=0)}"
        raise Refusal("model", "a Core ML neuralNetwork", kind)
    graph, values = Graph(), {}
    name, width, height, is_bgr = image_input(description)
    graph.input("image", [1, 3, height, width])
    values[name] = preprocessed(graph, network, is_bgr)
    for layer in network.messages(1):
        convert(graph, values, layer)
    outputs = description.messages(10)
    names = outputs[0].texts(1) if len(outputs) == 1 else []
    if not names or names[-1] not in values:
        raise Refusal("output", "one output that a layer makes", f"{len(outputs)} outputs")
    graph.node("Identity", [values[names[-1]]], "depth")
    graph.output("depth")
    return graph.model("Core ML"), card.of_core_ml(width, height, is_bgr)


def image_input(description):
    """The name of the one input, its width and height, and whether blue comes first."""
    inputs = description.messages(1)
    names = inputs[0].texts(1) if len(inputs) == 1 else []
    kind = inputs[0].message(3) if names else None
    if kind is None:
        raise Refusal("input", "one input", f"{len(inputs)}")
    width = height = 0
    is_bgr = False
    if image := kind.message(4):
        width, height, space = image.integer(1), image.integer(2), image.integer(3)
        if space not in (RGB, BGR):
            found = COLOR_SPACES.get(space, "an unknown one")
            raise Refusal(f"input {printable(names[-1])}", "the color space RGB or BGR", f"{found} ({space})")
        is_bgr = space == BGR
    elif array := kind.message(5):
        shape = array.integers(1)
        while shape[:1] == [1]:
            shape = shape[1:]
        if len(shape) == 3 and shape[0] == 3:
            height, width = shape[1:]
    if not 1 <= width <= 8192 or not 1 <= height <= 8192:
        raise Refusal(
            f"input {printable(names[-1])}", "a color image of 1 to 8192 pixels each way", f"{width} × {height}")
    return names[-1], width, height, is_bgr


def preprocessed(graph, network, is_bgr):
    """Scale and bias of the image, as the model wants them before its first layer."""
    steps = network.messages(2)
    if not steps:
        return "image"
    # The format knows one for each input, and says nothing of a second.
    if len(steps) > 1:
        raise Refusal("preprocessing", "one step for the one input", f"{len(steps)}")
    scaler = steps[0].message(10)
    if scaler is None:
        raise Refusal("preprocessing", "a scale and biases", "a mean image")
    blue, green, red = (scaler.float(number) for number in (20, 21, 22))
    factor = graph.floats("preprocessing/scale", scaler.float(10, 1))
    order = [blue, green, red] if is_bgr else [red, green, blue]
    offsets = graph.store("preprocessing/bias", np.array(order, np.float32).reshape(1, 3, 1, 1))
    return graph.node("Add", [graph.node("Mul", ["image", factor]), offsets])


def convert(graph, values, message):
    """Adds one layer to the graph, and its result to the values that exist."""
    name = printable((message.texts(1) or [""])[-1])
    unknown = [printable(value) for value in message.texts(2) if value not in values]
    if unknown:
        raise Refusal(name, "an input that a layer before it makes", unknown[0])
    outputs = message.texts(3)
    if len(outputs) != 1:
        raise Refusal(name, "a layer with one output", f"{len(outputs)}")
    inputs = [values[value] for value in message.texts(2)]
    # Above 4 are the numbers of the kinds; 10 says whether the layer can be trained on the device.
    kind = max((number for number in message.numbers if number >= 100), default=0)
    try:
        layer = Layer(graph, name, inputs, (message.message(kind) if kind else None) or Message())
        if not inputs:
            raise Refusal("", "a layer with an input", f"kind {kind} without one")
        if kind not in LAYERS:
            raise Refusal("", "a layer that can be converted", f"layer kind {kind} ({NAMES.get(kind, 'unknown')})")
        values[outputs[0]] = LAYERS[kind](layer)
    except Refusal as error:
        raise error.inside(name) from None


# The names of layers that cannot be converted; NeuralNetworkLayer in NeuralNetwork.proto.
NAMES = {
    150: "embedding", 165: "mvn", 170: "l2normalize", 175: "softmax", 180: "lrn", 211: "resizeBilinear",
    212: "cropResize", 240: "average", 260: "max", 261: "min", 270: "dot", 280: "reduce", 290: "loadConstant",
    330: "split", 340: "sequenceRepeat", 350: "slice", 400: "simpleRecurrent", 410: "gru",
    420: "uniDirectionalLSTM", 430: "biDirectionalLSTM", 500: "custom", 880: "addBroadcastable",
    900: "multiplyBroadcastable", 980: "concatND", 985: "transpose", 1140: "reshapeStatic",
}
