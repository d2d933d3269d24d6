/// Equally long rows of numbers, as printed depth maps have them.
public struct JSONNumberRows: Hashable, Sendable {
  /// The length of each row, at least 1.
  public let width: Int
  /// All numbers, row after row; a multiple of `width`.
  public let values: [Float]
}

extension JSONReader {
  /// Reads an array of equally long arrays of numbers, row after row, without a tree; O(*n*).
  ///
  /// - Parameters:
  ///   - maximumCount: The most numbers.
  ///   - divisor: What each is divided by before it is rounded to single precision, so that a unit
  ///     can be changed without a second rounding.
  /// - Returns: The numbers and the length of the rows.
  /// - Throws: `.malformed` for rows of different lengths, none at all, or anything but numbers,
  ///   with row and column; `.limitExceeded` past `maximumCount`.
  public mutating func readNumberRows(
    maximumCount: Int, dividedBy divisor: Double = 1
  ) throws(JSONReadingError) -> JSONNumberRows {
    var values: [Float] = []
    var width: Int?
    var rows = 0
    try openArray()
    while try nextElement() {
      let rowStart = values.count
      do throws(JSONReadingError) {
        try openArray()
        while try nextElement() {
          guard values.count < maximumCount else {
            throw limit("at most \(maximumCount) numbers")
          }
          values.append(Float(try readNumber() / divisor))
          if let width, values.count - rowStart > width { break }
        }
      } catch {
        throw error.inside("column \(values.count - rowStart)").inside("row \(rows)")
      }
      let count = values.count - rowStart
      guard count > 0, count == width ?? count else {
        var error = malformed(width.map { "\($0) numbers, as in the first row" } ?? "numbers")
        error.found = count > width ?? count ? "more" : "\(count)"
        throw error.inside("row \(rows)")
      }
      width = count
      rows += 1
    }
    guard let width else {
      var error = malformed("rows of numbers")
      error.found = "an empty array"
      throw error
    }
    return JSONNumberRows(width: width, values: values)
  }
}
