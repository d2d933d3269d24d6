/// Writes the fields of one protobuf message in the order in which they are given.
///
/// - Source: protobuf.dev, *Encoding*.
package struct ProtobufWriter {
  /// The bytes that were written so far.
  package private(set) var bytes: [UInt8] = []

  /// Begins an empty message.
  package init() {}

  /// Adds a whole number.
  package mutating func integer(_ number: Int, _ value: Int) {
    tag(number, 0)
    varint(UInt64(bitPattern: Int64(value)))
  }

  /// Adds a text.
  package mutating func text(_ number: Int, _ value: String) { data(number, Array(value.utf8)) }

  /// Adds a message.
  package mutating func message(_ number: Int, _ value: ProtobufWriter) {
    data(number, value.bytes)
  }

  /// Adds bytes.
  package mutating func data(_ number: Int, _ value: [UInt8]) {
    tag(number, 2)
    varint(UInt64(value.count))
    bytes += value
  }

  private mutating func tag(_ number: Int, _ wireType: UInt64) {
    varint(UInt64(number) << 3 | wireType)
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
