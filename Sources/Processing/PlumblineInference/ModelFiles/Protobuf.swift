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
