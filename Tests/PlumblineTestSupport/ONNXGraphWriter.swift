/// Writes a small ONNX file: nodes in the order in which they run, numbers beside them.
///
/// - Source: onnx/onnx, `onnx.proto`, and *Operators* (version 13 of the operators).
package struct ONNXGraphWriter {
  private var nodes = ProtobufWriter()
  private var stored = ProtobufWriter()
  private var ports = ProtobufWriter()
  private var nodeCount = 0

  /// Begins an empty graph.
  package init() {}

  /// Adds a node, and gives the name of its result.
  ///
  /// - Parameters:
  ///   - type: The operator.
  ///   - inputs: The names that it takes.
  ///   - output: The name of the result; one is made unless given.
  ///   - whole: Attributes of one whole number.
  ///   - lists: Attributes of several.
  /// - Returns: The name of the result.
  @discardableResult
  package mutating func node(
    _ type: String, _ inputs: [String], output: String? = nil, whole: [String: Int] = [:],
    lists: [String: [Int]] = [:]
  ) -> String {
    let result = output ?? "\(type.lowercased())_\(nodeCount)"
    nodeCount += 1
    var node = ProtobufWriter()
    for input in inputs { node.text(1, input) }
    node.text(2, result)
    node.text(4, type)
    for (name, value) in whole.sorted(by: { $0.key < $1.key }) {
      var attribute = ProtobufWriter()
      attribute.text(1, name)
      attribute.integer(3, value)
      attribute.integer(20, 2)
      node.message(5, attribute)
    }
    for (name, values) in lists.sorted(by: { $0.key < $1.key }) {
      var attribute = ProtobufWriter()
      attribute.text(1, name)
      for value in values { attribute.integer(8, value) }
      attribute.integer(20, 7)
      node.message(5, attribute)
    }
    nodes.message(1, node)
    return result
  }

  /// Stores numbers, and gives the name to use them by.
  package mutating func store(_ name: String, shape: [Int], _ values: [Float]) -> String {
    var tensor = ProtobufWriter()
    for length in shape { tensor.integer(1, length) }
    tensor.integer(2, 1)
    tensor.text(8, name)
    tensor.data(9, FloatBytes.bytes(values))
    stored.message(5, tensor)
    return name
  }

  /// Names an input; a length under 0 is left open.
  ///
  /// The type is that of `TensorProto.DataType`, 1 for floats.
  package mutating func input(_ name: String, shape: [Int], type: Int = 1) {
    var dimensions = ProtobufWriter()
    for length in shape {
      var dimension = ProtobufWriter()
      if length < 0 { dimension.text(2, "any") } else { dimension.integer(1, length) }
      dimensions.message(1, dimension)
    }
    port(11, name, shape: dimensions, type: type)
  }

  /// Names an output whose shape the nodes tell.
  package mutating func outputOfOpenShape(_ name: String) { port(12, name, shape: nil) }

  private mutating func port(
    _ number: Int, _ name: String, shape: ProtobufWriter?, type: Int = 1
  ) {
    var tensor = ProtobufWriter()
    tensor.integer(1, type)
    if let shape { tensor.message(2, shape) }
    var typed = ProtobufWriter()
    typed.message(1, tensor)
    var info = ProtobufWriter()
    info.text(1, name)
    info.message(2, typed)
    ports.message(number, info)
  }

  /// The whole file.
  package func bytes(name: String) -> [UInt8] {
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
