import PlumblineIO
extension PickleReader {
  mutating func byte() throws(InferenceError) -> UInt8 {
    guard index < bytes.endIndex else { throw malformed("an opcode", "the end of the file") }
    defer { index += 1 }
    return bytes[index]
  }

  mutating func bytes(_ count: Int) throws(InferenceError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.endIndex - index else {
      throw malformed("\(count) bytes", "\(bytes.endIndex - index)")
    }
    defer { index += count }
    return bytes[index..<(index + count)]
  }

  /// A little-endian number of up to 8 bytes; its sign only where it has all of them.
  mutating func number(_ count: Int) throws(InferenceError) -> Int {
    Int(
      truncatingIfNeeded: try bytes(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  mutating func text(_ count: Int) throws(InferenceError) -> String {
    guard let text = String(validating: try bytes(count), as: UTF8.self) else {
      throw malformed("a text in UTF-8", "other bytes")
    }
    return text
  }

  mutating func line() throws(InferenceError) -> String {
    guard let end = bytes[index...].prefix(257).firstIndex(of: 0x0A) else {
      throw malformed("a name of at most 256 bytes", "a longer one")
    }
    defer { index = end + 1 }
    return printable(bytes[index..<end])
  }

  func malformed(_ expected: String, _ found: String) -> InferenceError {
    InferenceError(.malformed, "pickle/byte \(index)", expected: expected, found: found)
  }
}
