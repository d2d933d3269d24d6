extension CoreMLConverter {
  /// How many numbers an image gets at each side: above, left, below, right, or by a rule.
  private enum Border {
    case amounts([Int])
    case same(isUpper: Bool)
  }

  mutating func convolution(
    _ input: String, _ parameters: CoreMLMessage, _ inputCount: Int
  ) throws(InferenceError) -> String {
    guard inputCount == 1, let weights = try parameters.weights(90) else {
      throw unsupported("a convolution with stored weights", "other ones")
    }
    let output = try parameters.integer(1)
    let kernelChannels = try parameters.integer(2)
    let groups = max(1, try parameters.integer(10))
    let kernel = try pair(parameters, 20, or: 3)
    let stride = try pair(parameters, 30, or: 1)
    let dilation = try pair(parameters, 40, or: 1)
    let isTransposed = try parameters.integer(60) != 0
    guard output > 0, kernelChannels > 0, output.isMultiple(of: groups), !parameters.has(100) else {
      throw unsupported("a convolution whose output's shape follows", "one that is given")
    }
    let shape =
      isTransposed
      ? [kernelChannels, output / groups] + kernel : [output, kernelChannels] + kernel
    var inputs = [
      input,
      try weights.store(
        in: &graph, "\(name)/weights", shape: shape,
        channelAxis: isTransposed && groups == 1 ? 1 : 0),
    ]
    if try parameters.integer(70) != 0, let bias = try parameters.weights(91) {
      inputs.append(try bias.store(in: &graph, "\(name)/bias", shape: [output]))
    }
    var attributes: [(String, ONNXGraphWriter.Attribute)] = [
      ("kernel_shape", .integers(kernel)), ("strides", .integers(stride)),
      ("dilations", .integers(dilation)), ("group", .integer(groups)),
    ]
    switch try border(parameters, valid: 50, same: 51) {
    case .amounts(let amounts): attributes.append(("pads", .integers(amounts)))
    case .same(let isUpper) where !isTransposed:
      attributes.append(("auto_pad", .text(isUpper ? "SAME_UPPER" : "SAME_LOWER")))
    case .same(let isUpper):
      // The output is the input times the stride; what is over is cut.
      let over = zip(zip(kernel, dilation), stride).map { ($0.0 - 1) * $0.1 + 1 - $1 }
      guard over.allSatisfy({ $0 >= 0 }) else {
        throw unsupported("a kernel at least as long as its stride", "\(kernel)")
      }
      let less = over.map { $0 / 2 }
      let more = over.map { $0 - $0 / 2 }
      attributes.append(("pads", .integers(isUpper ? less + more : more + less)))
    }
    return graph.node(isTransposed ? "ConvTranspose" : "Conv", inputs, attributes: attributes)
  }

  mutating func pooling(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let type = try parameters.integer(1)
    guard type == 0 || type == 1 else { throw unsupported("maximum or average", "type \(type)") }
    if try parameters.integer(60) != 0 {
      return graph.node(type == 0 ? "GlobalMaxPool" : "GlobalAveragePool", [input])
    }
    var attributes: [(String, ONNXGraphWriter.Attribute)] = [
      ("kernel_shape", .integers(try pair(parameters, 10, or: 3))),
      ("strides", .integers(try pair(parameters, 20, or: 1))),
    ]
    if let rounded = try parameters.message(32) {
      let amounts = try rounded.integers(10)
      guard amounts.isEmpty || amounts.count == 2, amounts.allSatisfy({ (0...4096).contains($0) })
      else { throw unsupported("two amounts of padding", "\(amounts)") }
      let both = amounts.isEmpty ? [0, 0] : amounts
      attributes += [("pads", .integers(both + both)), ("ceil_mode", .integer(1))]
    } else {
      switch try border(parameters, valid: 30, same: 31) {
      case .amounts(let amounts): attributes.append(("pads", .integers(amounts)))
      case .same(let isUpper):
        attributes.append(("auto_pad", .text(isUpper ? "SAME_UPPER" : "SAME_LOWER")))
      }
    }
    if type == 1 {
      attributes.append(("count_include_pad", .integer(try parameters.integer(50) == 0 ? 1 : 0)))
    }
    return graph.node(type == 0 ? "MaxPool" : "AveragePool", [input], attributes: attributes)
  }

  mutating func innerProduct(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let (inputChannels, outputChannels) = (try parameters.integer(1), try parameters.integer(2))
    guard let weights = try parameters.weights(20), inputChannels > 0, outputChannels > 0,
      try parameters.integer(22) == 0
    else { throw unsupported("stored weights", "none, or dynamic ones") }
    var inputs = [
      input,
      try weights.store(
        in: &graph, "\(name)/weights", shape: [outputChannels, inputChannels, 1, 1]),
    ]
    if try parameters.integer(10) != 0, let bias = try parameters.weights(21) {
      inputs.append(try bias.store(in: &graph, "\(name)/bias", shape: [outputChannels]))
    }
    return graph.node("Conv", inputs, attributes: [("kernel_shape", .integers([1, 1]))])
  }

  mutating func crop(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let amounts =
      try parameters.message(1).map { (message) throws(InferenceError) in
        try edges(message)
      } ?? [0, 0, 0, 0]
    let starts = graph.store("\(name)/starts", [amounts[0], amounts[1]])
    // Counted from the end; as far as possible where nothing is cut.
    let ends = graph.store(
      "\(name)/ends", [amounts[2], amounts[3]].map { $0 == 0 ? Int(Int32.max) : -$0 })
    return graph.node("Slice", [input, starts, ends, graph.store("\(name)/axes", [2, 3])])
  }

  mutating func padding(
    _ input: String, _ parameters: CoreMLMessage
  ) throws(InferenceError) -> String {
    let edge =
      try parameters.message(10).map { (message) throws(InferenceError) in
        try edges(message)
      } ?? [0, 0, 0, 0]
    let amounts = graph.store("\(name)/pads", [0, 0, edge[0], edge[1], 0, 0, edge[2], edge[3]])
    let mode = parameters.has(2) ? "reflect" : parameters.has(3) ? "edge" : "constant"
    let value = try parameters.message(1)?.float(1) ?? 0
    let fill = graph.store("\(name)/value", shape: [], [value])
    return graph.node(
      "Pad", mode == "constant" ? [input, amounts, fill] : [input, amounts],
      attributes: [("mode", .text(mode))])
  }

  /// Two numbers, rows first.
  func pair(
    _ parameters: CoreMLMessage, _ number: Int, or standard: Int
  ) throws(InferenceError) -> [Int] {
    let numbers = try parameters.integers(number)
    if numbers.isEmpty { return [standard, standard] }
    guard numbers.count == 2, numbers.allSatisfy({ (1...4096).contains($0) }) else {
      throw unsupported("two numbers from 1 to 4096", "\(numbers)")
    }
    return numbers
  }

  private func border(
    _ parameters: CoreMLMessage, valid: Int, same: Int
  ) throws(InferenceError) -> Border {
    if let rule = try parameters.message(same) { return .same(isUpper: try rule.integer(1) == 0) }
    guard let amounts = try parameters.message(valid)?.message(1) else {
      return .amounts([0, 0, 0, 0])
    }
    return .amounts(try edges(amounts))
  }

  /// What is added or cut above, left, below and right.
  private func edges(_ amounts: CoreMLMessage) throws(InferenceError) -> [Int] {
    let sides = try amounts.messages(10)
    if sides.isEmpty { return [0, 0, 0, 0] }
    guard sides.count == 2 else { throw unsupported("amounts of two dimensions", "\(sides.count)") }
    let numbers = [
      try sides[0].integer(1), try sides[1].integer(1), try sides[0].integer(2),
      try sides[1].integer(2),
    ]
    guard numbers.allSatisfy({ (0...4096).contains($0) }) else {
      throw unsupported("amounts from 0 to 4096", "\(numbers)")
    }
    return numbers
  }
}
