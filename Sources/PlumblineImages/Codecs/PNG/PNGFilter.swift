import PlumblineIO
import PlumblineModel

/// The five row filters of PNG (ISO/IEC 15948 §9).
enum PNGFilter: UInt8 {
  case none = 0
  case sub = 1
  case up = 2
  case average = 3
  case paeth = 4

  /// Undoes the filter of every row in place.
  ///
  /// - Parameters:
  ///   - rows: For each row its filter byte and its bytes.
  ///   - header: What gives the length of rows and pixels.
  ///   - offset: The file offset for errors.
  /// - Throws: `.malformed` for a filter that does not exist. O(*n*).
  static func undo(
    _ rows: inout [UInt8], header: PNGHeader, offset: Int
  ) throws(CaptureReadingError) {
    let length = header.bytesPerRow
    let step = header.bytesPerPixel
    // The row above the first one counts as zeros.
    var above = [UInt8](repeating: 0, count: length)
    for y in 0..<header.size.height {
      let start = y * (length + 1) + 1
      guard let filter = PNGFilter(rawValue: rows[start - 1]) else {
        throw CaptureReadingError(
          .malformed, path: ["PNG", "row \(y)"], offset: offset, expected: "a filter from 0 to 4",
          found: "\(rows[start - 1])")
      }
      let row = start..<start + length
      // One closure for each filter keeps the choice out of the loop over bytes.
      switch filter {
      case .none: break
      case .sub: add(to: &rows, row, above, step) { a, _, _ in a }
      case .up: add(to: &rows, row, above, step) { _, b, _ in b }
      case .average:
        add(to: &rows, row, above, step) { a, b, _ in
          UInt8(truncatingIfNeeded: (UInt16(a) + UInt16(b)) / 2)
        }
      case .paeth: add(to: &rows, row, above, step, paeth)
      }
      above.replaceSubrange(0..<length, with: rows[row])
    }
  }

  /// Adds to each byte of a row what `prediction` makes of its left, upper and upper-left bytes.
  @inline(__always)
  private static func add(
    to rows: inout [UInt8], _ row: Range<Int>, _ above: [UInt8], _ step: Int,
    _ prediction: (UInt8, UInt8, UInt8) -> UInt8
  ) {
    for i in 0..<min(step, row.count) { rows[row.lowerBound + i] &+= prediction(0, above[i], 0) }
    guard step < row.count else { return }
    for i in step..<row.count {
      let left = rows[row.lowerBound + i - step]
      rows[row.lowerBound + i] &+= prediction(left, above[i], above[i - step])
    }
  }

  /// The neighbor that lies nearest to left + above − upper left (ISO/IEC 15948 §9.4).
  @inline(__always)
  private static func paeth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
    let estimate = Int(a) + Int(b) - Int(c)
    let toLeft = abs(estimate - Int(a))
    let toAbove = abs(estimate - Int(b))
    let toAboveLeft = abs(estimate - Int(c))
    if toLeft <= toAbove && toLeft <= toAboveLeft { return a }
    return toAbove <= toAboveLeft ? b : c
  }
}
