import PlumblineIO
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
