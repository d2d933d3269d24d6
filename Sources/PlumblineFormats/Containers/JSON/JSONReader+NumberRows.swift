import PlumblineModel

extension JSONReader {
  /// Reads an array of equally long arrays of numbers, row after row.
  ///
  /// - Throws: `.malformed` for rows of different lengths, none at all, or anything but numbers,
  ///   with row and column; `.limitExceeded` past `maximumPixels`. O(*n*).
  mutating func readNumberRows(
    maximumPixels: Int
  ) throws(CaptureReadingError) -> Raster<Float> {
    var values: [Float] = []
    var width: Int?
    var rows = 0
    var isFirstRow = true
    try open("[")
    while try nextElement(&isFirstRow) {
      let rowStart = values.count
      var failure: CaptureReadingError?
      do throws(CaptureReadingError) {
        try open("[")
        var isFirst = true
        while try nextElement(&isFirst) {
          guard values.count < maximumPixels else {
            throw limit("at most \(maximumPixels) pixels", "more")
          }
          values.append(Float(try readNumber()))
          if let width, values.count - rowStart > width { break }
        }
      } catch {
        failure = error
      }
      if var failure {
        failure.path += ["row \(rows)", "column \(values.count - rowStart)"]
        throw failure
      }
      let count = values.count - rowStart
      guard count > 0, count == width ?? count else {
        throw CaptureReadingError(
          .malformed, path: path + ["row \(rows)"], offset: malformed("").offset,
          expected: width.map { "\($0) numbers, as in the first row" } ?? "numbers",
          found: count > width ?? count ? "more" : "\(count)")
      }
      width = count
      rows += 1
    }
    guard let width else {
      throw CaptureReadingError(
        .malformed, path: path, offset: malformed("").offset, expected: "rows of numbers",
        found: "an empty array")
    }
    return Raster(size: RasterSize(width: width, height: rows), samples: values)
  }
}
