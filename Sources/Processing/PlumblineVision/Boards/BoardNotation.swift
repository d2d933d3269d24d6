import PlumblineModel

/// A board in one line, as users write it:
/// `charuco:10x8:20.875mm:DICT_4X4_50:legacy:marker=15mm:first=0`, `chessboard:10x7:25mm`.
///
/// Numbers before and after the `x` count squares, columns first, not inner corners. Lengths are in
/// `mm`, `cm` or `m`. After the side, in any order and each at most once: a dictionary (else
/// `DICT_4X4_50`), `legacy` or `current` (else current), `marker=` with the side of a marker (else
/// three quarters of the square's), `first=` with the number of the first marker (else 0). Capital
/// letters count as small ones.
public struct BoardNotation: Hashable, Sendable {
  /// The board that is meant.
  public var board: Board

  /// Takes a board.
  public init(_ board: Board) { self.board = board }

  /// Reads a line.
  ///
  /// - Throws: What is wrong with it, in a sentence for the user.
  public init(parsing text: String) throws(BoardNotationError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
      $0.lowercased()
    }
    guard let kind = parts.first, kind == "charuco" || kind == "chessboard" else {
      throw BoardNotationError("a board starts with charuco: or chessboard:", found: text)
    }
    guard parts.count >= 3 else {
      throw BoardNotationError(
        "squares and their side follow, as in \(kind):10x7:25mm", found: text)
    }
    let (columns, rows) = try Self.squares(parts[1])
    let side = try Self.millimeters(parts[2], of: "the side of a square")
    guard kind == "charuco" else {
      guard parts.count == 3 else {
        throw BoardNotationError("nothing follows the side of a chessboard", found: parts[3])
      }
      board = Board(
        columns: columns, rows: rows, squareMeters: side / 1000, pattern: .chessboard)
      return
    }
    board = Board(
      columns: columns, rows: rows, squareMeters: side / 1000,
      pattern: .charuco(try Self.pattern(parts[3...], squareMillimeters: side)))
    try board.requireEnoughMarkers()
  }

  /// The board's line; reading it gives the same board, up to the last digits of lengths.
  public var text: String {
    let size = "\(board.columns)x\(board.rows):\(Self.text(board.squareMillimeters))mm"
    guard case .charuco(let pattern) = board.pattern else { return "chessboard:\(size)" }
    var text = "charuco:\(size):\(pattern.dictionary.rawValue)"
    if pattern.layout == .legacy { text += ":legacy" }
    if pattern.markerShare != 0.75 {
      text += ":marker=\(Self.text(pattern.markerShare * board.squareMillimeters))mm"
    }
    if pattern.firstMarker != 0 { text += ":first=\(pattern.firstMarker)" }
    return text
  }

  /// A length in millimeters with at most four decimals, which is a ten-thousandth of a millimeter.
  private static func text(_ millimeters: Double) -> String {
    var digits = millimeters.fixed(4)
    guard digits.contains(".") else { return digits }
    while digits.hasSuffix("0") { digits.removeLast() }
    if digits.hasSuffix(".") { digits.removeLast() }
    return digits
  }
}

extension Board {
  /// The side of a square in millimeters.
  package var squareMillimeters: Double { (squareMeters * 1e9).rounded() / 1e6 }

  /// Refuses a ChArUco board with more white squares than its dictionary has markers.
  ///
  /// - Throws: What is wrong, in a sentence for the user.
  package func requireEnoughMarkers() throws(BoardNotationError) {
    guard case .charuco(let pattern) = pattern else { return }
    let available = MarkerDictionary(pattern.dictionary).count
    guard pattern.firstMarker <= available, whiteSquareCount <= available - pattern.firstMarker
    else {
      throw BoardNotationError(
        "\(pattern.dictionary.rawValue) has \(available) markers",
        found: "a board that needs \(whiteSquareCount) from number \(pattern.firstMarker) on")
    }
  }
}

/// An error when a line is no board.
public struct BoardNotationError: Error, Hashable, Sendable {
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error.
  public init(_ expected: String, found: String) {
    self.expected = expected
    self.found = found
  }
}

extension BoardNotationError: CustomStringConvertible {
  /// One sentence.
  public var description: String { "\(expected); found \"\(found)\"" }
}

extension BoardNotation {
  /// The limits of what can be drawn and found: from two inner corners to more than any printer.
  public static let sides = 3...200
  /// Squares from a tenth of a millimeter to ten meters.
  package static let millimeterSides = 0.1...10_000

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
