import PlumblineModel

/// The five row filters of PNG (ISO/IEC 15948 §9), done and undone.
enum PNGFilter: UInt8, CaseIterable {
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
    let firstRow = [UInt8](repeating: 0, count: length)
    for y in 0..<header.size.height {
      let start = y * (length + 1) + 1
      guard let filter = PNGFilter(rawValue: rows[start - 1]) else {
        throw CaptureReadingError(
          .malformed, path: ["PNG", "row \(y)"], offset: offset, expected: "a filter from 0 to 4",
          found: "\(rows[start - 1])")
      }
      if filter == .none { continue }
      for i in 0..<length {
        let left = i >= step ? rows[start + i - step] : 0
        let above = y > 0 ? rows[start + i - length - 1] : firstRow[i]
        let aboveLeft = y > 0 && i >= step ? rows[start + i - length - 1 - step] : 0
        rows[start + i] &+= filter.prediction(left: left, above: above, aboveLeft: aboveLeft)
      }
    }
  }

  /// What the filter expects of a byte from its three neighbors.
  @inline(__always)
  func prediction(left a: UInt8, above b: UInt8, aboveLeft c: UInt8) -> UInt8 {
    switch self {
    case .none: return 0
    case .sub: return a
    case .up: return b
    case .average: return UInt8(truncatingIfNeeded: (Int(a) + Int(b)) / 2)
    case .paeth:
      let estimate = Int(a) + Int(b) - Int(c)
      let toLeft = abs(estimate - Int(a))
      let toAbove = abs(estimate - Int(b))
      let toAboveLeft = abs(estimate - Int(c))
      if toLeft <= toAbove && toLeft <= toAboveLeft { return a }
      return toAbove <= toAboveLeft ? b : c
    }
  }
}
