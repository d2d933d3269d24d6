/// Reads the fields of one protobuf message, bounds-checked, without a schema.
///
/// - Source: protobuf.dev, *Encoding*.
struct ProtobufReader {
  /// The value of a field, by its wire type.
  enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    case bytes(ArraySlice<UInt8>)

    /// Its kind in words.
    var kind: String {
      switch self {
      case .varint: "a variable-length number"
      case .fixed64: "a 64-bit number"
      case .fixed32: "a 32-bit number"
      case .bytes: "bytes"
      }
    }
  }

  /// One field: its number and what it carries.
  struct Field {
    let number: Int
    let value: Value
    /// The offset of its tag in the file.
    let offset: Int
  }

  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// The next field; `nil` at the end.
  mutating func next() throws(InferenceError) -> Field? {
    if index == bytes.endIndex { return nil }
    let offset = index
    let tag = try readVarint("a field's tag")
    // Numbers go up to 2²⁹ − 1, and 0 is none.
    guard tag >> 3 >= 1, tag >> 3 < 1 << 29 else {
      throw malformed(at: offset, expected: "a field number from 1", found: "\(tag >> 3)")
    }
    let value: Value
    switch tag & 7 {
    case 0: value = .varint(try readVarint("a number"))
    case 1: value = .fixed64(try readFixed(8))
    case 2:
      let count = try readVarint("a length")
      guard count <= UInt64(bytes.endIndex - index) else {
        throw malformed(
          at: offset, expected: "\(count) bytes of field \(tag >> 3)",
          found: "\(bytes.endIndex - index)")
      }
      value = .bytes(bytes[index..<(index + Int(count))])
      index += Int(count)
    case 5: value = .fixed32(UInt32(truncatingIfNeeded: try readFixed(4)))
    default:
      throw malformed(at: offset, expected: "a wire type of protobuf 3", found: "\(tag & 7)")
    }
    return Field(number: Int(tag >> 3), value: value, offset: offset)
  }

  private mutating func readVarint(_ what: String) throws(InferenceError) -> UInt64 {
    var value: UInt64 = 0
    let start = index
    for shift in stride(from: 0, to: 64, by: 7) {
      guard index < bytes.endIndex else {
        throw malformed(at: start, expected: what, found: "the end of its message")
      }
      let byte = bytes[index]
      index += 1
      // The tenth byte has room for one bit.
      guard shift < 63 || byte <= 1 else { break }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    throw malformed(at: start, expected: what, found: "more than 64 bits")
  }

  private mutating func readFixed(_ count: Int) throws(InferenceError) -> UInt64 {
    guard bytes.endIndex - index >= count else {
      throw malformed(
        at: index, expected: "\(count) bytes of a number", found: "\(bytes.endIndex - index)")
    }
    var value: UInt64 = 0
    for place in 0..<count { value |= UInt64(bytes[index + place]) << UInt64(8 * place) }
    index += count
    return value
  }

  private func malformed(at offset: Int, expected: String, found: String) -> InferenceError {
    InferenceError(.malformed, "byte \(offset)", expected: expected, found: found)
  }
}
