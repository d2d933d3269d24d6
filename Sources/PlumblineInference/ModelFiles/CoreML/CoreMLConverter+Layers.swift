extension CoreMLConverter {
  /// Converts one layer.
  ///
  /// - Returns: The name of its result in ONNX.
  mutating func result(
    of layer: CoreMLMessage, _ inputs: [String]
  ) throws(InferenceError) -> String {
    // Above 4 are the numbers of the kinds; 10 says whether the layer can be trained on the device.
    let kind = layer.numbers.last(where: { $0 >= 100 }) ?? 0
    let parameters = try layer.message(kind) ?? .empty
    guard let input = inputs.first else {
      throw unsupported("a layer with an input", "kind \(kind) without one")
    }
    switch kind {
    case 100: return try convolution(input, parameters, inputs.count)
    case 120: return try pooling(input, parameters)
    case 130: return try activation(input, parameters)
    case 140: return try innerProduct(input, parameters)
    case 160: return try batchNormalization(input, parameters)
    case 190 where inputs.count == 1: return try crop(input, parameters)
    case 200: return try padding(input, parameters)
    case 210: return try upsampling(input, parameters)
    case 220: return try unary(input, parameters)
    case 230: return try joined("Add", inputs, alone: try parameters.float(1))
    case 231: return try joined("Mul", inputs, alone: try parameters.float(1))
    case 245: return try scale(input, parameters)
    case 250:
      let bias = try blob(parameters.weights(2), shape: parameters.integers(1), "bias")
      return graph.node("Add", [input, bias])
    case 300: return try reshape(input, parameters)
    case 301:
      let ordered = try parameters.integer(1) == 1 ? channelLast(input) : input
      return graph.node("Reshape", [ordered, graph.store("\(name)/shape", [0, -1, 1, 1])])
    case 310: return try permute(input, parameters)
    case 320:
      let isSequence = try parameters.integer(100) != 0
      return graph.node("Concat", inputs, attributes: [("axis", .integer(isSequence ? 0 : 1))])
    case 345: return try reorganize(input, parameters)
    default:
      throw unsupported(
        "a layer that can be converted", "layer kind \(kind) (\(Self.kindName(kind)))")
    }
  }

  /// The name of a layer's kind; `NeuralNetworkLayer` in `NeuralNetwork.proto`.
  private static func kindName(_ kind: Int) -> String {
    let names = [
      150: "embedding", 165: "mvn", 170: "l2normalize", 175: "softmax", 180: "lrn", 190: "crop",
      211: "resizeBilinear", 212: "cropResize", 240: "average", 260: "max", 261: "min",
      270: "dot", 280: "reduce", 290: "loadConstant", 330: "split", 340: "sequenceRepeat",
      350: "slice", 400: "simpleRecurrent", 410: "gru", 420: "uniDirectionalLSTM",
      430: "biDirectionalLSTM", 500: "custom", 880: "addBroadcastable",
      900: "multiplyBroadcastable", 980: "concatND", 985: "transpose", 1140: "reshapeStatic",
    ]
    return names[kind] ?? "unknown"
  }

  /// A sum or product of several inputs, or of one and a number.
  private mutating func joined(
    _ type: String, _ inputs: [String], alone: Float
  ) throws(InferenceError) -> String {
    guard inputs.count > 1 else {
      return graph.node(type, [inputs[0], graph.store("\(name)/alpha", shape: [1], [alone])])
    }
    return inputs.dropFirst().reduce(inputs[0]) { graph.node(type, [$0, $1]) }
  }

  private mutating func scale(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let factor = try blob(parameters.weights(2), shape: parameters.integers(1), "scale")
    let scaled = graph.node("Mul", [input, factor])
    guard try parameters.integer(3) != 0 else { return scaled }
    let bias = try blob(parameters.weights(5), shape: parameters.integers(4), "bias")
    return graph.node("Add", [scaled, bias])
  }

  /// Weights of the shape of a blob: one number, one for each channel, or channel, row and column.
  private mutating func blob(
    _ weights: CoreMLWeights?, shape: [Int], _ part: String
  ) throws(InferenceError) -> String {
    guard let weights, shape.count == 1 || shape.count == 3 else {
      throw unsupported("a \(part) with one or three lengths", "\(shape)")
    }
    return try weights.store(
      in: &graph, "\(name)/\(part)", shape: shape.count == 1 ? [shape[0], 1, 1] : shape)
  }

  private mutating func reshape(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    var target = try parameters.integers(1)
    // Three lengths leave the sequence as it is.
    if target.count == 3 { target.insert(0, at: 0) }
    guard target.count == 4, target.dropFirst().allSatisfy({ $0 > 0 }), target[0] >= 0 else {
      throw unsupported("a target of three or four lengths", "\(target)")
    }
    guard try parameters.integer(2) == 1 else {
      return graph.node("Reshape", [input, graph.store("\(name)/shape", target)])
    }
    let moved = [target[0], target[2], target[3], target[1]]
    let reshaped = graph.node(
      "Reshape", [channelLast(input), graph.store("\(name)/shape", moved)])
    return graph.node("Transpose", [reshaped], attributes: [("perm", .integers([0, 3, 1, 2]))])
  }

  private mutating func channelLast(_ input: String) -> String {
    graph.node("Transpose", [input], attributes: [("perm", .integers([0, 2, 3, 1]))])
  }

  private mutating func permute(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let axes = try parameters.integers(1)
    guard axes.sorted() == [0, 1, 2, 3] else {
      throw unsupported("an order of four dimensions", "\(axes)")
    }
    return graph.node("Transpose", [input], attributes: [("perm", .integers(axes))])
  }

  private mutating func reorganize(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let (mode, size) = (try parameters.integer(1), try parameters.integer(2))
    guard size > 1, size <= 64 else { throw unsupported("blocks of 2 to 64", "\(size)") }
    switch mode {
    case 0:
      return graph.node("SpaceToDepth", [input], attributes: [("blocksize", .integer(size))])
    case 1, 2:
      return graph.node(
        "DepthToSpace", [input],
        attributes: [("blocksize", .integer(size)), ("mode", .text(mode == 1 ? "DCR" : "CRD"))])
    default: throw unsupported("a known order of data", "\(mode)")
    }
  }
}
