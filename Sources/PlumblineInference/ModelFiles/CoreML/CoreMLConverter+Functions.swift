extension CoreMLConverter {
  mutating func activation(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let kind = parameters.numbers.last ?? 0
    let inner = try parameters.message(kind) ?? .empty
    let plain = [10: "Relu", 30: "Tanh", 40: "Sigmoid", 60: "Softsign", 70: "Softplus"]
    if let type = plain[kind] { return graph.node(type, [input]) }
    switch kind {
    case 5:
      return try linear(input, factor: inner.float(1), offset: inner.float(2))
    case 15:
      return graph.node("LeakyRelu", [input], attributes: [("alpha", .float(try inner.float(1)))])
    case 20:
      return graph.node(
        "ThresholdedRelu", [input], attributes: [("alpha", .float(try inner.float(1)))])
    case 25:
      guard let alpha = try inner.weights(1) else { throw unsupported("an alpha", "none") }
      let slope = try alpha.store(in: &graph, "\(name)/alpha", shape: [alpha.count, 1, 1])
      return graph.node("PRelu", [input, slope])
    case 31:
      let scaled = try linear(input, factor: inner.float(2), offset: 0)
      return try linear(graph.node("Tanh", [scaled]), factor: inner.float(1), offset: 0)
    case 41:
      return graph.node(
        "HardSigmoid", [input],
        attributes: [("alpha", .float(try inner.float(1))), ("beta", .float(try inner.float(2)))])
    case 50:
      return graph.node("Elu", [input], attributes: [("alpha", .float(try inner.float(1)))])
    default: throw unsupported("an activation that can be converted", "activation kind \(kind)")
    }
  }

  mutating func batchNormalization(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let channels = try parameters.integer(1)
    guard channels > 0, let gamma = try parameters.weights(15),
      let beta = try parameters.weights(16)
    else { throw unsupported("gamma and beta of each channel", "none") }
    var inputs = [
      input, try gamma.store(in: &graph, "\(name)/gamma", shape: [channels]),
      try beta.store(in: &graph, "\(name)/beta", shape: [channels]),
    ]
    // Left out it is 0 in the file; the format's own comment says 1e-5 for that.
    let epsilon = parameters.has(10) ? try parameters.float(10) : 1e-5
    if try parameters.integer(5) != 0 {
      guard try parameters.integer(6) != 0 else {
        throw unsupported("a stored mean and variance", "ones of the batch")
      }
      return graph.node(
        "InstanceNormalization", inputs, attributes: [("epsilon", .float(epsilon))])
    }
    guard let mean = try parameters.weights(17), let variance = try parameters.weights(18) else {
      throw unsupported("a stored mean and variance", "none")
    }
    inputs.append(try mean.store(in: &graph, "\(name)/mean", shape: [channels]))
    inputs.append(try variance.store(in: &graph, "\(name)/variance", shape: [channels]))
    return graph.node("BatchNormalization", inputs, attributes: [("epsilon", .float(epsilon))])
  }

  /// Enlarges by whole factors.
  ///
  /// The bilinear one takes the place `i / factor` for pixel `i` by default, which is ONNX's
  /// `asymmetric`.
  mutating func upsampling(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let factors = try pair(parameters, 1, or: 1).map { Float($0) }
    guard !parameters.has(7) else { throw unsupported("whole factors", "fractional ones") }
    let scales = graph.store("\(name)/scales", shape: [4], [1, 1] + factors)
    let isNearest = try parameters.integer(5) == 0
    let places = ["asymmetric", "align_corners", "half_pixel"]
    let mode = try parameters.integer(6)
    guard places.indices.contains(mode) else { throw unsupported("a known mode", "\(mode)") }
    return graph.node(
      "Resize", [input, "", scales],
      attributes: isNearest
        ? [
          ("mode", .text("nearest")), ("nearest_mode", .text("floor")),
          ("coordinate_transformation_mode", .text("asymmetric")),
        ]
        : [("mode", .text("linear")), ("coordinate_transformation_mode", .text(places[mode]))])
  }

  mutating func unary(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let alpha = try parameters.float(2)
    let epsilon = parameters.has(3) ? try parameters.float(3) : 1e-6
    let factor = parameters.has(5) ? try parameters.float(5) : 1
    let value = linear(input, factor: factor, offset: try parameters.float(4))
    switch try parameters.integer(1) {
    case 0: return graph.node("Sqrt", [value])
    case 1:
      let root = graph.node("Sqrt", [linear(value, factor: 1, offset: epsilon)])
      return graph.node("Reciprocal", [root])
    case 2: return graph.node("Reciprocal", [linear(value, factor: 1, offset: epsilon)])
    case 3:
      return graph.node("Pow", [value, graph.store("\(name)/alpha", shape: [1], [alpha])])
    case 4: return graph.node("Exp", [value])
    case 5: return graph.node("Log", [linear(value, factor: 1, offset: epsilon)])
    case 6: return graph.node("Abs", [value])
    case 7:
      return graph.node("Max", [value, graph.store("\(name)/alpha", shape: [1], [alpha])])
    case let kind: throw unsupported("a function that can be converted", "function \(kind)")
    }
  }

  private mutating func linear(_ input: String, factor: Float, offset: Float) -> String {
    var value = input
    if factor != 1 {
      value = graph.node("Mul", [value, graph.store("\(name)/factor", shape: [1], [factor])])
    }
    if offset != 0 {
      value = graph.node("Add", [value, graph.store("\(name)/offset", shape: [1], [offset])])
    }
    return value
  }
}

extension CoreMLWeights {
  /// The number of stored values.
  var count: Int {
    switch form {
    case .float32: bytes.count / 4
    case .float16: bytes.count / 2
    case .codes(let bits): bytes.count * 8 / bits
    }
  }
}
