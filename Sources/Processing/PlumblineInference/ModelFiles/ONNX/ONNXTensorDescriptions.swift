import PlumblineIO

/// A stored tensor's name and size, after its data was found to be as long as the size says.
struct ONNXTensorHeader {
  let name: String
  let elementCount: Int

  init(_ bytes: ArraySlice<UInt8>) throws(InferenceError) {
    var lengths: [Int] = []
    var type = 0
    var name = ""
    var rawCount: Int?
    var numberCount = 0
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1:
        try field.appendIntegers(to: &lengths, atMost: ONNXModel.Limit.rank, "dimensions")
      case 2: type = try field.integer("a type")
      case 4: numberCount += try field.countOfNumbers(width: 4, "floats")
      case 5, 7, 11: numberCount += try field.countOfNumbers(width: nil, "whole numbers")
      case 6: numberCount += 1
      case 8: name = try field.text("a tensor's name")
      case 9: rawCount = try field.bytes("a tensor's data").count
      case 10: numberCount += try field.countOfNumbers(width: 8, "floats")
      case 13, 14:
        if field.number == 14, try field.integer("a place") == 0 { break }
        throw InferenceError(
          .unsupported, printable(text: name), expected: "a model in one file",
          found: "a tensor in another file (external_data)")
      default: break
      }
    }
    self.name = name
    guard let count = lengths.countOfElements(atMost: ONNXModel.Limit.elements) else {
      throw InferenceError(
        .malformed, "tensor \(printable(text: name))",
        expected: "at most \(ONNXModel.Limit.elements) numbers", found: "the shape \(lengths)")
    }
    elementCount = count
    let needed = Self.bitsOfType[type].map { (count * $0 + 7) / 8 }
    let isSound =
      if let rawCount { needed == rawCount && numberCount == 0 } else {
        // Two numbers are kept for a complex one; small ones lie several to a number.
        switch type {
        case 14, 15: numberCount == 2 * count
        case 21, 22, 23: numberCount == (count + 1) / 2
        case 25, 26: numberCount == (count + 3) / 4
        default: numberCount == count
        }
      }
    guard type == 8 || needed != nil, isSound else {
      throw InferenceError(
        .malformed, "tensor \(printable(text: name))",
        expected: "data for the shape \(lengths) of type \(type)",
        found: rawCount.map { "\($0) bytes" } ?? "\(numberCount) numbers")
    }
  }

  /// The bits of one number; `TensorProto.DataType`.
  private static let bitsOfType: [Int: Int] = [
    1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32, 13: 64, 14: 64,
    15: 128, 16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 21: 4, 22: 4, 23: 4, 24: 8, 25: 2, 26: 2,
  ]
}

extension ONNXReader {
  /// The name and shape of an input, an output or a value between; at the border (`isBorder`) it must
  /// be a tensor with a known count of dimensions.
  func valueInfo(
    _ bytes: ArraySlice<UInt8>, isBorder: Bool
  ) throws(InferenceError) -> TensorDescription {
    var name = ""
    var shape: [Int?]?
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      if field.number == 1 { name = try field.text("a name") }
      if field.number == 2 { shape = try tensorShape(of: try field.bytes("a type")) }
    }
    guard shape != nil || !isBorder else {
      throw InferenceError(
        .unsupported, "input \(printable(text: name))", expected: "a tensor with a shape",
        found: "none")
    }
    return TensorDescription(name: name, shape: shape ?? [])
  }

  /// The shape inside a type; `nil` where there is none.
  private func tensorShape(of bytes: ArraySlice<UInt8>) throws(InferenceError) -> [Int?]? {
    var shape: [Int?]?
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      guard field.number == 1 else { continue }
      var tensor = ProtobufReader(try field.bytes("a tensor's type"))
      while let part = try tensor.next() {
        if part.number == 2 { shape = try lengths(try part.bytes("a shape")) }
      }
    }
    return shape
  }

  private func lengths(_ bytes: ArraySlice<UInt8>) throws(InferenceError) -> [Int?] {
    var lengths: [Int?] = []
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      guard field.number == 1 else { continue }
      var length: Int?
      var dimension = ProtobufReader(try field.bytes("a dimension"))
      while let part = try dimension.next() {
        guard part.number == 1 else { continue }
        let value = try part.integer("a length")
        guard (0...ONNXModel.Limit.elements).contains(value) else {
          throw InferenceError(
            .malformed, "byte \(part.offset)",
            expected: "a length up to \(ONNXModel.Limit.elements)", found: "\(value)")
        }
        length = value
      }
      lengths.append(length)
      guard lengths.count <= ONNXModel.Limit.rank else {
        throw InferenceError(
          .malformed, "byte \(field.offset)",
          expected: "at most \(ONNXModel.Limit.rank) dimensions", found: "more")
      }
    }
    return lengths
  }
}
