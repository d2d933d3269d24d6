import PlumblineIO
import PlumblineModel

/// Converts a Core ML `neuralNetwork` to ONNX, layer by layer.
///
/// Blobs of such networks have five dimensions (sequence, batch, channel, row, column); the batch is one
/// here, so that the first of ONNX's four is the sequence.
///
/// - Source: apple/coremltools, `mlmodel/format/Model.proto` and `NeuralNetwork.proto`, whose comments
///   define each layer.
struct CoreMLConverter {
  /// The converted model and its input.
  struct Result {
    var onnx: [UInt8]
    var inputSize: RasterSize
    /// Whether the image's blue channel comes first.
    var isBGR: Bool
  }

  var graph = ONNXGraphWriter()
  /// The layer that is being converted, for errors.
  var name = ""
  /// The names that exist already, each with what it is called in ONNX.
  private var values: [String: String] = [:]

  static func converted(_ bytes: [UInt8]) throws(InferenceError) -> Result {
    var converter = CoreMLConverter()
    return try converter.convert(bytes)
  }

  private mutating func convert(_ bytes: [UInt8]) throws(InferenceError) -> Result {
    let model = try CoreMLMessage(bytes[...])
    guard let network = try model.message(500), let description = try model.message(2) else {
      let kind = model.has(502) ? "an ML program" : "model type \(model.numbers.last ?? 0)"
      throw InferenceError(
        .unsupported, "model", expected: "a Core ML neuralNetwork", found: kind)
    }
    let input = try inputFeature(description)
    graph.input("image", shape: [1, 3, input.size.height, input.size.width])
    values[input.name] = "image"
    try preprocess(network, input.name, isBGR: input.isBGR)
    let layers = try network.messages(1)
    guard layers.count <= 100_000 else {
      throw InferenceError(
        .malformed, "layers", expected: "at most 100000", found: "\(layers.count)")
    }
    for layer in layers { try convert(layer) }
    let outputs = try description.messages(10)
    guard outputs.count == 1, let name = try outputs[0].texts(1).last, let value = values[name]
    else {
      throw InferenceError(
        .unsupported, "output", expected: "one output that a layer makes",
        found: "\(outputs.count) outputs")
    }
    graph.node("Identity", [value], output: "depth")
    graph.outputOfOpenShape("depth")
    return Result(
      onnx: graph.bytes(name: "Core ML"), inputSize: input.size, isBGR: input.isBGR)
  }

  private func inputFeature(
    _ description: CoreMLMessage
  ) throws(InferenceError) -> (name: String, size: RasterSize, isBGR: Bool) {
    let inputs = try description.messages(1)
    guard inputs.count == 1, let name = try inputs[0].texts(1).last,
      let type = try inputs[0].message(3)
    else {
      throw InferenceError(
        .unsupported, "input", expected: "one input", found: "\(inputs.count)")
    }
    var (width, height, isBGR) = (0, 0, false)
    if let image = try type.message(4) {
      width = try image.integer(1)
      height = try image.integer(2)
      isBGR = try image.integer(3) == 30
    } else if let array = try type.message(5) {
      let shape = try array.integers(1).drop { $0 == 1 }
      if shape.count == 3, shape.first == 3 { (height, width) = (Array(shape)[1], Array(shape)[2]) }
    }
    guard (1...8192).contains(width), (1...8192).contains(height) else {
      throw InferenceError(
        .unsupported, "input \(printable(text: name))",
        expected: "a color image of 1 to 8192 pixels each way", found: "\(width) × \(height)")
    }
    return (name, RasterSize(width: width, height: height), isBGR)
  }

  /// Scale and bias of the image, as the model wants them before its first layer.
  private mutating func preprocess(
    _ network: CoreMLMessage, _ input: String, isBGR: Bool
  ) throws(InferenceError) {
    for step in try network.messages(2) {
      guard let scaler = try step.message(10) else {
        throw InferenceError(
          .unsupported, "preprocessing", expected: "a scale and biases", found: "a mean image")
      }
      let scale = scaler.has(10) ? try scaler.float(10) : 1
      let blue = try scaler.float(20)
      let green = try scaler.float(21)
      let red = try scaler.float(22)
      let factor = graph.store("preprocessing/scale", shape: [1], [scale])
      let offsets = graph.store(
        "preprocessing/bias", shape: [1, 3, 1, 1], isBGR ? [blue, green, red] : [red, green, blue])
      let scaled = graph.node("Mul", ["image", factor])
      values[input] = graph.node("Add", [scaled, offsets])
    }
  }

  private mutating func convert(_ layer: CoreMLMessage) throws(InferenceError) {
    name = printable(text: try layer.texts(1).last ?? "")
    var inputs: [String] = []
    for input in try layer.texts(2) {
      guard let value = values[input] else {
        throw InferenceError(
          .malformed, name, expected: "an input that a layer before it makes",
          found: printable(text: input))
      }
      inputs.append(value)
    }
    let outputs = try layer.texts(3)
    guard outputs.count == 1 else {
      throw InferenceError(
        .unsupported, name, expected: "a layer with one output", found: "\(outputs.count)")
    }
    do throws(InferenceError) {
      values[outputs[0]] = try result(of: layer, inputs)
    } catch {
      throw error.subject == name ? error : error.inside(name)
    }
  }

  func unsupported(_ expected: String, _ found: String) -> InferenceError {
    InferenceError(.unsupported, name, expected: expected, found: found)
  }
}

/// The fields of one message of a Core ML model by their numbers; messages inside stay bytes.
struct CoreMLMessage {
  private var fields: [Int: [ProtobufReader.Field]] = [:]

  /// A message without fields.
  static let empty = CoreMLMessage()

  private init() {}

  init(_ bytes: ArraySlice<UInt8>) throws(InferenceError) {
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() { fields[field.number, default: []].append(field) }
  }

  /// Whether a field is there.
  func has(_ number: Int) -> Bool { fields[number] != nil }

  /// The numbers of all fields.
  var numbers: [Int] { fields.keys.sorted() }

  /// A message inside; the last where there are several, as protobuf has it.
  func message(_ number: Int) throws(InferenceError) -> CoreMLMessage? {
    guard let field = fields[number]?.last else { return nil }
    return try CoreMLMessage(try field.bytes("a message"))
  }

  /// The messages of a repeated field.
  func messages(_ number: Int) throws(InferenceError) -> [CoreMLMessage] {
    var messages: [CoreMLMessage] = []
    for field in fields[number] ?? [] {
      messages.append(try CoreMLMessage(try field.bytes("a message")))
    }
    return messages
  }

  /// The texts of a repeated field.
  func texts(_ number: Int) throws(InferenceError) -> [String] {
    var texts: [String] = []
    for field in fields[number] ?? [] { texts.append(try field.text("a name")) }
    return texts
  }

  /// Whole numbers of a repeated field.
  func integers(_ number: Int) throws(InferenceError) -> [Int] {
    var list: [Int] = []
    for field in fields[number] ?? [] {
      try field.appendIntegers(to: &list, atMost: 64, "whole numbers")
    }
    return list
  }

  /// A whole number; 0 where it is left out.
  func integer(_ number: Int) throws(InferenceError) -> Int {
    try fields[number]?.last?.integer("a whole number") ?? 0
  }

  /// A float; 0 where it is left out.
  func float(_ number: Int) throws(InferenceError) -> Float {
    try fields[number]?.last?.float("a float") ?? 0
  }

  /// The weights of a field.
  func weights(_ number: Int) throws(InferenceError) -> CoreMLWeights? {
    guard let field = fields[number]?.last else { return nil }
    return try CoreMLWeights(try field.bytes("weights"))
  }
}
