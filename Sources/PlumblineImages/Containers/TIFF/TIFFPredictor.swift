import PlumblineIO

/// Undoes the differences that a writer took before it packed a row.
///
/// - Source: Adobe, *TIFF Revision 6.0*, section 14 (2); *TIFF Technical Note 3*, 2005 (3).
enum TIFFPredictor: Int {
  case none = 1
  /// Each number is the difference to the one at its left, as an integer.
  case horizontal = 2
  /// Bytes of one significance stand together, highest first, each as the difference to its left.
  case floatingPoint = 3

  /// Restores rows in place, each in the file's byte order; O(*n*).
  ///
  /// - Precondition: The bytes are whole rows.
  func undo(
    _ bytes: inout [UInt8], rowBytes: Int, type: NumberType, endianness: ByteReader.Endianness
  ) {
    let step = type.byteCount
    switch self {
    case .none: return
    case .horizontal:
      for row in stride(from: 0, to: bytes.count, by: rowBytes) {
        for start in stride(from: row + step, to: row + rowBytes, by: step) {
          var carry = 0
          for place in 0..<step {
            // From the lowest byte on, so that the carry runs upward.
            let index = start + (endianness == .little ? place : step - 1 - place)
            let sum = Int(bytes[index]) + Int(bytes[index - step]) + carry
            bytes[index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
          }
        }
      }
    case .floatingPoint:
      let count = rowBytes / step
      for row in stride(from: 0, to: bytes.count, by: rowBytes) {
        for index in row + 1..<row + rowBytes { bytes[index] &+= bytes[index - 1] }
        let planes = Array(bytes[row..<row + rowBytes])
        for x in 0..<count {
          for place in 0..<step {
            let byte = endianness == .big ? place : step - 1 - place
            bytes[row + x * step + byte] = planes[place * count + x]
          }
        }
      }
    }
  }
}
