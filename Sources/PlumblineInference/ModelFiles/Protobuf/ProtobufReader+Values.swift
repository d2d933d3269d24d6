extension ProtobufReader.Field {
  /// The message or bytes that it must carry.
  func bytes(_ what: String) throws(InferenceError) -> ArraySlice<UInt8> {
    guard case .bytes(let bytes) = value else { throw wrong(what) }
    return bytes
  }

  /// A text; a name of at most 1,024 bytes that is UTF-8.
  func text(_ what: String) throws(InferenceError) -> String {
    let bytes = try bytes(what)
    guard bytes.count <= 1024, let text = String(validating: bytes, as: UTF8.self) else {
      throw InferenceError(
        .malformed, "byte \(offset)", expected: "\(what) of at most 1024 bytes in UTF-8",
        found: "\(bytes.count) bytes")
    }
    return text
  }

  /// A whole number, negative ones in two's complement.
  func integer(_ what: String) throws(InferenceError) -> Int {
    guard case .varint(let number) = value else { throw wrong(what) }
    return Int(Int64(bitPattern: number))
  }

  /// A 32-bit float.
  func float(_ what: String) throws(InferenceError) -> Float {
    guard case .fixed32(let number) = value else { throw wrong(what) }
    return Float(bitPattern: number)
  }

  /// Whole numbers of a repeated field, packed or one by one, appended to a list that has a limit.
  func appendIntegers(
    to list: inout [Int], atMost limit: Int, _ what: String
  ) throws(InferenceError) {
    switch value {
    case .varint(let number): list.append(Int(Int64(bitPattern: number)))
    case .bytes(let bytes):
      var number: UInt64 = 0
      var shift: UInt64 = 0
      for byte in bytes {
        guard shift < 64 else { throw wrong(what) }
        number |= UInt64(byte & 0x7F) << shift
        shift += 7
        guard byte < 0x80 else { continue }
        list.append(Int(Int64(bitPattern: number)))
        (number, shift) = (0, 0)
        guard list.count <= limit else { break }
      }
      guard shift == 0 else { throw wrong(what) }
    default: throw wrong(what)
    }
    guard list.count <= limit else {
      throw InferenceError(
        .malformed, "byte \(offset)", expected: "at most \(limit) numbers of \(what)",
        found: "more")
    }
  }

  /// How many numbers of some bytes (`nil`: of variable length) a repeated field carries, packed or one
  /// by one.
  func countOfNumbers(width: Int?, _ what: String) throws(InferenceError) -> Int {
    switch (value, width) {
    case (.varint, nil), (.fixed32, 4), (.fixed64, 8): return 1
    case (.bytes(let bytes), let width?):
      guard bytes.count.isMultiple(of: width) else { throw wrong(what) }
      return bytes.count / width
    case (.bytes(let bytes), nil):
      let count = bytes.withUnsafeBytes { $0.reduce(0) { $0 + ($1 < 0x80 ? 1 : 0) } }
      guard bytes.last.map({ $0 < 0x80 }) ?? true else { throw wrong(what) }
      return count
    default: throw wrong(what)
    }
  }

  private func wrong(_ what: String) -> InferenceError {
    InferenceError(.malformed, "byte \(offset)", expected: what, found: value.kind)
  }
}

extension InferenceError {
  /// The same error with a structure named around its position.
  func inside(_ name: String) -> InferenceError {
    var copy = self
    copy.subject = subject.isEmpty ? name : "\(name)/\(subject)"
    return copy
  }
}
