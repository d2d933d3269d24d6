import PlumblineInference
import PlumblineModel

/// A network whose outputs a function makes of its input.
struct FakeNetwork: NeuralNetwork {
  var inputs: [TensorDescription]
  var outputs: [TensorDescription] = [TensorDescription(name: "depth", shape: [nil, nil])]
  var body: @Sendable (Tensor) throws(InferenceError) -> Tensor

  init(
    _ card: ModelCard, _ body: @escaping @Sendable (Tensor) throws(InferenceError) -> Tensor
  ) {
    let size = card.inputSize
    inputs = [
      TensorDescription(
        name: "image",
        shape: card.layout == .nchw
          ? [1, 3, size.height, size.width] : [1, size.height, size.width, 3])
    ]
    self.body = body
  }

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] { [try body(tensors[0])] }
}

/// A card of a network that is not there.
func card(
  _ width: Int, _ height: Int, _ meaning: ModelCard.OutputMeaning = .meters,
  layout: ModelCard.Layout = .nhwc, placement: ModelCard.Placement = .scaleFill
) -> ModelCard {
  var card = ModelCard(
    name: "fake", title: "a fake", license: "MIT", origin: "a test",
    inputSize: RasterSize(width: width, height: height), layout: layout, outputMeaning: meaning)
  card.placement = placement
  return card
}
