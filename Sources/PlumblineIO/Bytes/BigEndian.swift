/// The bytes of a number, highest first.
package func bigEndian<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> [UInt8] {
  (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

extension [UInt8] {
  /// A whole number with its high byte first, in a fixed count of bytes; higher ones are dropped.
  package init(bigEndian value: Int, bytes count: Int) {
    self = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Appends a whole number with its high byte first.
  package mutating func appendBigEndian(_ value: Int, bytes count: Int) {
    for shift in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
  }
}
