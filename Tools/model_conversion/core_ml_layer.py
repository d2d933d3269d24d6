"""One layer of a Core ML neuralNetwork that is being converted."""
from .core_ml_weights import Weights
from .refusal import Refusal


class Layer:
    """One layer: where it is written, its inputs and its parameters."""

    def __init__(self, graph, name, inputs, parameters):
        self.graph, self.name, self.inputs, self.parameters = graph, name, inputs, parameters
        self.input = inputs[0] if inputs else None

    def node(self, operator, inputs=None, **attributes):
        return self.graph.node(operator, inputs or [self.input], **attributes)

    def weights(self, number, message=None):
        """The weights of a field; None where it is left out."""
        found = (message or self.parameters).message(number)
        return None if found is None else Weights(found)

    def store(self, part, weights, shape, channel_axis=0):
        try:
            return self.graph.store(f"{self.name}/{part}", weights.array(shape, channel_axis))
        except Refusal as error:
            raise error.inside(part) from None

    def floats(self, part, *numbers):
        return self.graph.floats(f"{self.name}/{part}", *numbers)

    def integers(self, part, numbers):
        return self.graph.integers(f"{self.name}/{part}", numbers)

    def pair(self, number, default):
        """Two numbers, rows first."""
        numbers = self.parameters.integers(number) or [default, default]
        if len(numbers) != 2 or not all(1 <= item <= 4096 for item in numbers):
            raise Refusal("", "two numbers from 1 to 4096", f"{numbers}")
        return numbers

    def linear(self, value, factor=1.0, offset=0.0):
        if factor != 1:
            value = self.node("Mul", [value, self.floats("factor", factor)])
        if offset != 0:
            value = self.node("Add", [value, self.floats("offset", offset)])
        return value
