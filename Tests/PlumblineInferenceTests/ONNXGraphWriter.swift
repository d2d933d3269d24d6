/// Writes a small ONNX file: nodes in the order in which they run, numbers beside them.
///
/// - Source: onnx/onnx, `onnx.proto`, and *Operators* (version 13 of the operators).
struct ONNXGraphWriter {
  private var nodes = ProtobufWriter()
  private var stored = ProtobufWriter()
  private var ports = ProtobufWriter()
  private var nodeCount = 0

  /// Adds a node, and gives the name of its result.
  @discardableResult
  mutating func node(_ type: String, _ inputs: [String], output: String? = nil) -> String {
    let result = output ?? "\(type.lowercased())_\(nodeCount)"
    nodeCount += 1
    var node = ProtobufWriter()
    for input in inputs { node.text(1, input) }
    node.text(2, result)
    node.text(4, type)
    nodes.message(1, node)
    return result
  }

  /// Stores numbers, and gives the name to use them by.
  mutating func store(_ name: String, shape: [Int], _ values: [Float]) -> String {
    var tensor = ProtobufWriter()
    for length in shape { tensor.integer(1, length) }
    tensor.integer(2, 1)
    tensor.text(8, name)
    tensor.data(9, FloatBytes.bytes(values))
    stored.message(5, tensor)
    return name
  }

  /// Names the input; a length under 0 is left open.
  mutating func input(_ name: String, shape: [Int]) {
    var dimensions = ProtobufWriter()
    for length in shape {
      var dimension = ProtobufWriter()
      if length < 0 { dimension.text(2, "any") } else { dimension.integer(1, length) }
      dimensions.message(1, dimension)
    }
    port(11, name, shape: dimensions)
  }

  /// Names an output whose shape the nodes tell.
  mutating func outputOfOpenShape(_ name: String) { port(12, name, shape: nil) }

  private mutating func port(_ number: Int, _ name: String, shape: ProtobufWriter?) {
    var tensor = ProtobufWriter()
    tensor.integer(1, 1)
    if let shape { tensor.message(2, shape) }
    var type = ProtobufWriter()
    type.message(1, tensor)
    var info = ProtobufWriter()
    info.text(1, name)
    info.message(2, type)
    ports.message(number, info)
  }

  /// The whole file.
  func bytes(name: String) -> [UInt8] {
    var title = ProtobufWriter()
    title.text(2, name)
    var operators = ProtobufWriter()
    operators.text(1, "")
    operators.integer(2, 13)
    var model = ProtobufWriter()
    model.integer(1, 8)
    model.text(2, "plumbline")
    model.message(8, operators)
    model.data(7, nodes.bytes + title.bytes + stored.bytes + ports.bytes)
    return model.bytes
  }
}
