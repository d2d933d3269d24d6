extension [UInt8] {
  /// Appends a whole number with its low byte first.
  package mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
