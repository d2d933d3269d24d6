public import PlumblineIO
public import PlumblineVision

/// The description of a board, for `board.json`.
///
/// Schema `plumbline.board/1`, described in `Documentation/formats/board-json.md`.
public struct BoardDocument: Sendable {
  /// The version of the schema; it changes when the meaning of a member changes.
  public static let schema = "plumbline.board/1"

  /// The board.
  public var board: Board

  /// Creates the document of a board.
  public init(_ board: Board) { self.board = board }

  /// The document as JSON.
  public var json: JSONValue {
    var pattern: CharucoPattern?
    if case .charuco(let markers) = board.pattern { pattern = markers }
    return [
      "schema": .string(Self.schema),
      "notation": .string(BoardNotation(board).text),
      "kind": .string(pattern == nil ? "chessboard" : "charuco"),
      "columns": .integer(board.columns),
      "rows": .integer(board.rows),
      "squareMillimeters": .number(board.squareMillimeters),
      "dictionary": .string(pattern?.dictionary.rawValue),
      "layout": .string(pattern?.layout.rawValue),
      "markerMillimeters": .number(pattern.map { $0.markerShare * board.squareMillimeters }),
      "firstMarker": .integer(pattern?.firstMarker),
    ]
  }

  /// Reads a document; unknown keys and `notation`, which is for people, are ignored.
  ///
  /// - Throws: `.malformed` with the key that is missing or wrong, `.unsupported` for another
  ///   schema or an unknown dictionary, and errors of the JSON reader.
  public init(parsing bytes: [UInt8]) throws(JSONReadingError) {
    let document = try JSONValue(parsing: bytes)
    guard let schema = document["schema"]?.string else {
      throw JSONReadingError(
        .malformed, path: ["schema"], expected: "\"\(Self.schema)\"",
        found: document["schema"]?.kind ?? "nothing")
    }
    guard schema == Self.schema else {
      throw JSONReadingError(
        .unsupported, path: ["schema"], expected: "\"\(Self.schema)\"", found: "another schema")
    }
    let columns = try Self.integer("columns", of: document, in: BoardNotation.sides)
    let rows = try Self.integer("rows", of: document, in: BoardNotation.sides)
    let side = try Self.length(
      "squareMillimeters", of: document, in: BoardNotation.millimeterSides)
    switch document["kind"]?.string {
    case "chessboard":
      board = Board(
        columns: columns, rows: rows, squareMeters: side / 1000, pattern: .chessboard)
    case "charuco":
      let marker = try Self.length("markerMillimeters", of: document, in: side / 100...side * 0.99)
      board = Board(
        columns: columns, rows: rows, squareMeters: side / 1000,
        pattern: .charuco(
          CharucoPattern(
            dictionary: try Self.word("dictionary", of: document), markerShare: marker / side,
            layout: try Self.word("layout", of: document),
            firstMarker: try Self.integer("firstMarker", of: document, in: 0...1_000_000))))
      do throws(BoardNotationError) { try board.requireEnoughMarkers() } catch {
        throw JSONReadingError(
          .malformed, path: ["dictionary"], expected: error.expected, found: error.found)
      }
    default:
      throw JSONReadingError(
        .malformed, path: ["kind"], expected: "\"chessboard\" or \"charuco\"",
        found: document["kind"]?.kind ?? "nothing")
    }
  }

  private static func integer(
    _ key: String, of document: JSONValue, in range: ClosedRange<Int>
  ) throws(JSONReadingError) -> Int {
    guard let value = document[key]?.integer, range.contains(value) else {
      throw wrong(
        key, of: document,
        expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  private static func length(
    _ key: String, of document: JSONValue, in range: ClosedRange<Double>
  ) throws(JSONReadingError) -> Double {
    guard let value = document[key]?.number, range.contains(value) else {
      throw wrong(
        key, of: document, expected: "millimeters from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, of document: JSONValue
  ) throws(JSONReadingError) -> Word where Word.RawValue == String {
    guard let text = document[key]?.string else {
      throw wrong(key, of: document, expected: "a string")
    }
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw JSONReadingError(
        .unsupported, path: [key], expected: "one of \(known)", found: "another word")
    }
    return word
  }

  private static func wrong(
    _ key: String, of document: JSONValue, expected: String
  ) -> JSONReadingError {
    let value = document[key]
    let found = value?.number.map { "\($0)" } ?? value?.kind ?? "nothing"
    return JSONReadingError(.malformed, path: [key], expected: expected, found: found)
  }
}
