extension BoardNotation {
  /// The limits of what can be drawn and found: from two inner corners to more than any printer.
  public static let sides = 3...200
  /// Squares from a tenth of a millimeter to ten meters.
  public static let millimeterSides = 0.1...10_000

  /// Columns and rows from text such as `10x7`.
  static func squares(_ text: String) throws(BoardNotationError) -> (columns: Int, rows: Int) {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1],
      sides.contains(columns), sides.contains(rows)
    else {
      throw BoardNotationError(
        "the squares are columns x rows, each from \(sides.lowerBound) to \(sides.upperBound), "
          + "as in 10x7", found: text)
    }
    return (columns, rows)
  }

  /// A length from text such as `20.875mm`.
  static func millimeters(
    _ text: String, of what: String
  ) throws(BoardNotationError) -> Double {
    for (unit, factor) in [("mm", 1.0), ("cm", 10), ("m", 1000)] where text.hasSuffix(unit) {
      guard let number = Double(text.dropLast(unit.count)),
        millimeterSides.contains(number * factor)
      else { break }
      return number * factor
    }
    throw BoardNotationError(
      "\(what) is a length from 0.1mm to 10m with its unit, as in 25mm", found: text)
  }

  /// What follows the side of a ChArUco board's squares.
  static func pattern(
    _ parts: ArraySlice<String>, squareMillimeters: Double
  ) throws(BoardNotationError) -> CharucoPattern {
    var pattern = CharucoPattern(dictionary: .aruco4x4x50)
    var given: Set<String> = []
    for part in parts {
      let name: String
      if let dictionary = MarkerDictionary.Name(rawValue: part.uppercased()) {
        pattern.dictionary = dictionary
        name = "the dictionary"
      } else if let layout = CharucoPattern.Layout(rawValue: part) {
        pattern.layout = layout
        name = "the layout"
      } else if part.hasPrefix("marker=") {
        let side = try millimeters(String(part.dropFirst(7)), of: "the side of a marker")
        guard side < squareMillimeters else {
          throw BoardNotationError("a marker is smaller than its square", found: part)
        }
        pattern.markerShare = side / squareMillimeters
        name = "the marker's side"
      } else if part.hasPrefix("first=") {
        guard let first = Int(part.dropFirst(6)), first >= 0 else {
          throw BoardNotationError("first= takes a whole number from 0", found: part)
        }
        pattern.firstMarker = first
        name = "the first marker"
      } else {
        throw BoardNotationError(
          "a dictionary such as DICT_4X4_50, legacy, current, marker=15mm or first=0", found: part)
      }
      guard given.insert(name).inserted else {
        throw BoardNotationError("\(name) is given once", found: part)
      }
    }
    return pattern
  }
}
