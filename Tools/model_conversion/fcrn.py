"""FCRN as ONNX from its authors' TensorFlow weights: ResNet-50, then four up-projections.

The counts of channels are those of the weights; the input is 304 × 228 pixels of RGB from 0 to 255, the output
160 × 128 depths in meters. Sources: I. Laina et al., Deeper Depth Prediction with Fully Convolutional Residual
Networks, 3DV 2016; iro-cp/FCRN-DepthPrediction, the names of layers and their padding.
"""
from . import card
from .graph import Graph
from .refusal import Refusal

# What the authors' TensorFlow network adds to each variance.
EPSILON = 1e-4
# The arrays of a normalization, in the order of ONNX.
NORMALIZATION = ("scale", "offset", "mean", "variance")
# Four convolutions make every fourth pixel each: A even rows and columns, B odd rows, C odd columns, D both.
PADS = {"A": [1, 1, 1, 1], "B": [1, 1, 0, 1], "C": [1, 1, 1, 0], "D": [1, 1, 0, 0]}


class Writer:
    def __init__(self, layers):
        self.layers, self.graph = dict(layers), Graph()

    def taken(self, name):
        """A layer, taken out, so that what is left in the end is unknown."""
        if name not in self.layers:
            raise Refusal(name, "this layer of FCRN", "none in the file")
        return self.layers.pop(name)

    def convolution(self, value, name, stride=1, pads=None):
        """A convolution; `pads` are above, left, below and right, half the kernel where not given."""
        parts = self.taken(name)
        if not {"weights"} <= parts.keys() <= {"weights", "biases"} or parts["weights"].ndim != 4:
            raise Refusal(name, "weights of 4 dimensions, and biases", "other arrays")
        # TensorFlow's order is rows, columns, input, output.
        weights = parts["weights"].transpose(3, 2, 0, 1)
        inputs = [value, self.graph.store(f"{name}/weights", weights)]
        if "biases" in parts:
            inputs.append(self.vector(parts["biases"], weights.shape[0], f"{name}/biases"))
        kernel = list(weights.shape[2:])
        half = [(length - 1) // 2 for length in kernel]
        return self.graph.node(
            "Conv", inputs, kernel_shape=kernel, strides=[stride, stride], pads=pads or half + half)

    def normalized(self, value, name):
        parts = self.taken(name)
        for part in NORMALIZATION:
            if part not in parts:
                raise Refusal(name, part, "none in the file")
            if parts[part].ndim != 1 or not parts[part].size:
                raise Refusal(f"{name}/{part}", "a number for each channel", f"the shape {list(parts[part].shape)}")
        count = parts["mean"].size
        inputs = [value, *(self.vector(parts[part], count, f"{name}/{part}") for part in NORMALIZATION)]
        return self.graph.node("BatchNormalization", inputs, epsilon=EPSILON)

    def vector(self, array, count, name):
        if array.shape != (count,):
            raise Refusal(name, f"{count} numbers", f"the shape {list(array.shape)}")
        return self.graph.store(name, array)

    def relu(self, value):
        return self.graph.node("Relu", [value])

    def residual(self, value, name, is_first, stride):
        """A bottleneck of ResNet, its first with a projection beside it."""
        inner = self.normalized(self.convolution(value, f"res{name}_branch2a", stride), f"bn{name}_branch2a")
        inner = self.convolution(self.relu(inner), f"res{name}_branch2b")
        inner = self.relu(self.normalized(inner, f"bn{name}_branch2b"))
        inner = self.normalized(self.convolution(inner, f"res{name}_branch2c"), f"bn{name}_branch2c")
        if is_first:
            value = self.normalized(self.convolution(value, f"res{name}_branch1", stride), f"bn{name}_branch1")
        return self.relu(self.graph.node("Add", [value, inner]))

    def unpooled(self, value, name):
        """Four images of the size, interleaved into one of twice the size."""
        parts = {part: self.convolution(value, f"layer{name}_Conv{part}", pads=pads) for part, pads in PADS.items()}
        together = self.graph.node("Concat", [parts[part] for part in "ACBD"], axis=1)
        twice = self.graph.node("DepthToSpace", [together], blocksize=2, mode="DCR")
        return self.normalized(twice, f"layer{name}_BN")

    def up_projected(self, value, name):
        """Two branches of twice the size, added."""
        inner = self.relu(self.unpooled(value, f"{name}_br1"))
        inner = self.normalized(self.convolution(inner, f"layer{name}_Conv"), f"layer{name}_BN")
        return self.relu(self.graph.node("Add", [inner, self.unpooled(value, f"{name}_br2")]))

    def write(self):
        self.graph.input("image", [1, 3, card.FCRN["input"]["height"], card.FCRN["input"]["width"]])
        value = self.relu(self.normalized(self.convolution("image", "conv1", 2), "bn_conv1"))
        value = self.graph.node("MaxPool", [value], kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER")
        for stage, blocks in [(2, "abc"), (3, "abcd"), (4, "abcdef"), (5, "abc")]:
            for block in blocks:
                stride = 2 if stage > 2 and block == "a" else 1
                value = self.residual(value, f"{stage}{block}", block == "a", stride)
        value = self.normalized(self.convolution(value, "layer1"), "layer1_BN")
        for name in ("2x", "4x", "8x", "16x"):
            value = self.up_projected(value, name)
        self.graph.node("Relu", [self.convolution(value, "ConvPred")], "depth")
        self.graph.output("depth", [1, 1, 128, 160])
        if self.layers:
            raise Refusal(min(self.layers), "a layer of FCRN", "one that it does not have")
        return self.graph.model("FCRN")


def onnx_model(layers):
    """Raises Refusal for layers that are missing, of another shape, or that FCRN does not have."""
    return Writer(layers).write()
