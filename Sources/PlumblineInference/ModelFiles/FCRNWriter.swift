import PlumblineIO
internal import PlumblineModel

/// Writes FCRN as ONNX from its authors' TensorFlow weights: ResNet-50, then four up-projections.
///
/// The counts of channels are those of the weights; the input is 304 × 228 pixels of RGB from 0 to 255,
/// the output 160 × 128 depths in meters.
///
/// - Source: I. Laina et al., *Deeper Depth Prediction with Fully Convolutional Residual Networks*, 3DV
///   2016; iro-cp/FCRN-DepthPrediction, the names of layers and their padding.
struct FCRNWriter {
  /// What the authors' TensorFlow network adds to each variance.
  static let epsilon: Float = 1e-4

  private var weights: [String: [String: PickledArray]]
  private var graph = ONNXGraphWriter()

  /// Converts the weights.
  ///
  /// - Throws: `.malformed` for weights that are missing or of another shape, `.unsupported` with the name
  ///   of a layer that FCRN does not have.
  static func onnx(_ weights: NumPyWeights) throws(InferenceError) -> [UInt8] {
    var writer = FCRNWriter(weights: weights.layers)
    return try writer.write()
  }

  private mutating func write() throws(InferenceError) -> [UInt8] {
    let size = KnownModel.fcrnInputSize
    graph.input("image", shape: [1, 3, size.height, size.width])
    var value = try convolution("image", "conv1", stride: 2)
    value = try relu(normalized(value, "bn_conv1"))
    value = graph.node(
      "MaxPool", [value],
      attributes: [
        ("kernel_shape", .integers([3, 3])), ("strides", .integers([2, 2])),
        ("auto_pad", .text("SAME_UPPER")),
      ])
    for (stage, blocks) in [(2, "abc"), (3, "abcd"), (4, "abcdef"), (5, "abc")] {
      for block in blocks {
        value = try residual(
          value, "\(stage)\(block)", isFirst: block == "a",
          stride: stage > 2 && block == "a" ? 2 : 1)
      }
    }
    value = try normalized(convolution(value, "layer1"), "layer1_BN")
    for name in ["2x", "4x", "8x", "16x"] { value = try upProjected(value, name) }
    value = try convolution(value, "ConvPred")
    graph.node("Relu", [value], output: "depth")
    graph.output("depth", shape: [1, 1, 128, 160])
    if let unknown = weights.keys.min() {
      throw InferenceError(
        .unsupported, printable(text: unknown), expected: "a layer of FCRN",
        found: "one that it does not have")
    }
    return graph.bytes(name: "FCRN")
  }

  /// A bottleneck of ResNet, its first with a projection beside it.
  private mutating func residual(
    _ input: String, _ name: String, isFirst: Bool, stride: Int
  ) throws(InferenceError) -> String {
    var value = try convolution(input, "res\(name)_branch2a", stride: stride)
    value = try relu(normalized(value, "bn\(name)_branch2a"))
    value = try convolution(value, "res\(name)_branch2b")
    value = try relu(normalized(value, "bn\(name)_branch2b"))
    value = try normalized(convolution(value, "res\(name)_branch2c"), "bn\(name)_branch2c")
    var shortcut = input
    if isFirst {
      shortcut = try normalized(
        convolution(input, "res\(name)_branch1", stride: stride), "bn\(name)_branch1")
    }
    return relu(graph.node("Add", [shortcut, value]))
  }

  /// An up-projection: two branches of twice the size, added.
  private mutating func upProjected(
    _ input: String, _ name: String
  ) throws(InferenceError) -> String {
    var value = try relu(unpooled(input, "\(name)_br1"))
    value = try normalized(convolution(value, "layer\(name)_Conv"), "layer\(name)_BN")
    return relu(graph.node("Add", [value, try unpooled(input, "\(name)_br2")]))
  }

  /// Four convolutions, each of which makes every fourth pixel of an image of twice the size.
  ///
  /// A has even rows and columns, B odd rows, C odd columns, D both.
  private mutating func unpooled(_ input: String, _ name: String) throws(InferenceError) -> String {
    let a = try convolution(input, "layer\(name)_ConvA")
    let b = try convolution(input, "layer\(name)_ConvB", pads: [1, 1, 0, 1])
    let c = try convolution(input, "layer\(name)_ConvC", pads: [1, 1, 1, 0])
    let d = try convolution(input, "layer\(name)_ConvD", pads: [1, 1, 0, 0])
    let together = graph.node("Concat", [a, c, b, d], attributes: [("axis", .integer(1))])
    let value = graph.node(
      "DepthToSpace", [together], attributes: [("blocksize", .integer(2)), ("mode", .text("DCR"))])
    return try normalized(value, "layer\(name)_BN")
  }

  private mutating func relu(_ value: String) -> String { graph.node("Relu", [value]) }

  /// A convolution; `pads` are above, left, below and right, half the kernel where not given.
  private mutating func convolution(
    _ input: String, _ name: String, stride: Int = 1, pads: [Int]? = nil
  ) throws(InferenceError) -> String {
    let parts = try layer(name)
    guard let kernel = parts["weights"], kernel.shape.count == 4 else {
      throw missing(name, "weights of 4 dimensions")
    }
    // TensorFlow's order is rows, columns, input, output.
    let tensor = Tensor(shape: kernel.shape, values: kernel.floats()).transposed([3, 2, 0, 1])
    var inputs = [input, graph.store("\(name)/weights", shape: tensor.shape, tensor.values)]
    if let biases = parts["biases"] {
      inputs.append(try vector(biases, count: tensor.shape[0], "\(name)/biases"))
    }
    guard parts.keys.allSatisfy({ $0 == "weights" || $0 == "biases" }) else {
      throw missing(name, "weights and biases alone")
    }
    let (rows, columns) = ((kernel.shape[0] - 1) / 2, (kernel.shape[1] - 1) / 2)
    return graph.node(
      "Conv", inputs,
      attributes: [
        ("kernel_shape", .integers([kernel.shape[0], kernel.shape[1]])),
        ("strides", .integers([stride, stride])),
        ("pads", .integers(pads ?? [rows, columns, rows, columns])),
      ])
  }

  private mutating func normalized(
    _ input: String, _ name: String
  ) throws(InferenceError) -> String {
    let parts = try layer(name)
    var inputs = [input]
    let count = parts["mean"]?.bytes.isEmpty == false ? parts["mean"]?.shape.first : nil
    for part in ["scale", "offset", "mean", "variance"] {
      guard let array = parts[part], let count else { throw missing(name, part) }
      inputs.append(try vector(array, count: count, "\(name)/\(part)"))
    }
    return graph.node(
      "BatchNormalization", inputs, attributes: [("epsilon", .float(Self.epsilon))])
  }

  private mutating func vector(
    _ array: PickledArray, count: Int, _ name: String
  ) throws(InferenceError) -> String {
    guard array.shape == [count] else {
      throw InferenceError(
        .malformed, name, expected: "\(count) numbers", found: "the shape \(array.shape)")
    }
    return graph.store(name, shape: [count], array.floats())
  }

  /// Takes a layer out, so that what is left in the end is unknown.
  private mutating func layer(_ name: String) throws(InferenceError) -> [String: PickledArray] {
    guard let parts = weights.removeValue(forKey: name) else {
      throw missing(name, "this layer of FCRN")
    }
    return parts
  }

  private func missing(_ name: String, _ expected: String) -> InferenceError {
    InferenceError(.malformed, name, expected: expected, found: "none in the file")
  }
}
