/// Writes an ONNX file: nodes in the order in which they run, numbers beside them.
///
/// - Source: onnx/onnx, `onnx.proto`, and *Operators* (version 13 of the operators).
struct ONNXGraphWriter {
  /// The value of a node's attribute.
  enum Attribute {
    case integer(Int)
    case float(Float)
    case integers([Int])
    case text(String)
  }

  /// The storage of numbers.
  enum Numbers {
    case float32
    case float16
  }

  private var nodes = ProtobufWriter()
  private var stored: [UInt8] = []
  private var ports = ProtobufWriter()
  private var storedNames: Set<String> = []
  private var nodeCount = 0

  /// Adds a node, and gives the name of its first result.
  @discardableResult
  mutating func node(
    _ type: String, _ inputs: [String], output: String? = nil,
    attributes: [(String, Attribute)] = []
  ) -> String {
    let result = output ?? "\(type.lowercased())_\(nodeCount)"
    nodeCount += 1
    var node = ProtobufWriter()
    for input in inputs { node.text(1, input) }
    node.text(2, result)
    node.text(4, type)
    for (name, value) in attributes { node.message(5, Self.attribute(name, value)) }
    nodes.message(1, node)
    return result
  }

  private static func attribute(_ name: String, _ value: Attribute) -> ProtobufWriter {
    var attribute = ProtobufWriter()
    attribute.text(1, name)
    switch value {
    case .float(let number):
      attribute.float(2, number)
      attribute.integer(20, 1)
    case .integer(let number):
      attribute.integer(3, number)
      attribute.integer(20, 2)
    case .text(let text):
      attribute.text(4, text)
      attribute.integer(20, 3)
    case .integers(let numbers):
      for number in numbers { attribute.integer(8, number) }
      attribute.integer(20, 7)
    }
    return attribute
  }

  /// Stores numbers as they lie in a file, little-endian, and gives the name to use them by.
  ///
  /// Half floats are stored as such, with a node that widens them.
  mutating func store(
    _ name: String, shape: [Int], _ numbers: Numbers = .float32, bytes: ArraySlice<UInt8>
  ) -> String {
    switch numbers {
    case .float32:
      return storeTensor(name, shape: shape, type: 1) {
        $0 += bytes
      } byteCount: {
        bytes.count
      }
    case .float16:
      let half = storeTensor(name, shape: shape, type: 10) {
        $0 += bytes
      } byteCount: {
        bytes.count
      }
      return node("Cast", [half], attributes: [("to", .integer(1))])
    }
  }

  /// Stores numbers.
  mutating func store(_ name: String, shape: [Int], _ values: [Float]) -> String {
    storeTensor(name, shape: shape, type: 1) { bytes in
      values.withUnsafeBytes { bytes += $0 }
    } byteCount: {
      4 * values.count
    }
  }

  /// Stores whole numbers, such as a shape.
  mutating func store(_ name: String, _ values: [Int]) -> String {
    storeTensor(name, shape: [values.count], type: 7) { bytes in
      for value in values { withUnsafeBytes(of: Int64(value).littleEndian) { bytes += $0 } }
    } byteCount: {
      8 * values.count
    }
  }

  private mutating func storeTensor(
    _ name: String, shape: [Int], type: Int, append: (inout [UInt8]) -> Void,
    byteCount: () -> Int
  ) -> String {
    var unique = name
    while !storedNames.insert(unique).inserted { unique += "_" }
    var head = ProtobufWriter()
    for length in shape { head.integer(1, length) }
    head.integer(2, type)
    head.text(8, unique)
    // The data follow in place, since they may be hundreds of megabytes.
    let count = byteCount()
    head.open(9, byteCount: count)
    var tag = ProtobufWriter()
    tag.open(5, byteCount: head.bytes.count + count)
    stored += tag.bytes
    stored += head.bytes
    append(&stored)
    return unique
  }

  /// Names the input; a length under 0 is left open.
  mutating func input(_ name: String, shape: [Int]) { port(11, name, shape) }

  /// Names an output.
  mutating func output(_ name: String, shape: [Int]) { port(12, name, shape) }

  /// Names an output whose shape the nodes tell.
  mutating func outputOfOpenShape(_ name: String) {
    var tensor = ProtobufWriter()
    tensor.integer(1, 1)
    var type = ProtobufWriter()
    type.message(1, tensor)
    var info = ProtobufWriter()
    info.text(1, name)
    info.message(2, type)
    ports.message(12, info)
  }

  private mutating func port(_ number: Int, _ name: String, _ shape: [Int]) {
    var dimensions = ProtobufWriter()
    for length in shape {
      var dimension = ProtobufWriter()
      if length < 0 { dimension.text(2, "any") } else { dimension.integer(1, length) }
      dimensions.message(1, dimension)
    }
    var tensor = ProtobufWriter()
    tensor.integer(1, 1)
    tensor.message(2, dimensions)
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
    model.open(
      7,
      byteCount: nodes.bytes.count + title.bytes.count + stored.count + ports.bytes.count)
    return model.bytes + nodes.bytes + title.bytes + stored + ports.bytes
  }
}
