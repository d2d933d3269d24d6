import PlumblineExport
import PlumblineIO
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct BoardDocumentTests {
  static let lines = [
    "chessboard:10x7:25mm", "charuco:10x8:20.875mm:DICT_ARUCO_ORIGINAL:legacy:marker=15mm:first=3",
  ]

  @Test("What is written is read back", arguments: lines)
  func roundTrip(line: String) throws {
    let board = try BoardNotation(parsing: line).board
    let bytes = JSONWriter().bytes(BoardDocument(board).json)
    let again = try BoardDocument(parsing: bytes).board
    #expect(BoardNotation(again).text == line)
    #expect(JSONWriter().bytes(BoardDocument(again).json) == bytes)
  }

  @Test(
    "A wrong value is refused with its key",
    arguments: [
      (#""kind": "charuco""#, #""kind": "round""#, "kind"),
      (#""columns": 10"#, #""columns": 10.5"#, "columns"),
      (#""columns": 10"#, #""columns": 1000000000"#, "columns"),
      (#""rows": 8"#, #""rows": null"#, "rows"),
      (#""squareMillimeters": 20.0"#, #""squareMillimeters": -1"#, "squareMillimeters"),
      (#""markerMillimeters": 15.0"#, #""markerMillimeters": 20"#, "markerMillimeters"),
      (#""DICT_4X4_50""#, #""DICT_4X4_51""#, "dictionary"),
      (#""current""#, #""old""#, "layout"),
      (#""firstMarker": 0"#, #""firstMarker": 45"#, "dictionary"),
      (#""firstMarker": 0"#, #""firstMarker": -1"#, "firstMarker"),
      ("plumbline.board/1", "plumbline.board/2", "schema"),
    ])
  func refused(sound: String, wrong: String, key: String) throws {
    let board = try BoardNotation(parsing: "charuco:10x8:20mm").board
    let text = JSONWriter().text(BoardDocument(board).json)
    let lines: [String] = text.split(separator: "\n").map { line in
      line.contains("notation") ? String(line) : String(line).replacing(sound, with: wrong)
    }
    let changed = lines.joined(separator: "\n")
    #expect(changed.contains(wrong))
    let error = #expect(throws: JSONReadingError.self) {
      try BoardDocument(parsing: Array(changed.utf8))
    }
    #expect(error?.path == [key], "\(String(describing: error))")
  }

  @Test func otherDocumentsAreRefused() {
    for text in ["", "{}", "[]", "null", #"{"schema": 1}"#] {
      #expect(throws: JSONReadingError.self) { try BoardDocument(parsing: Array(text.utf8)) }
    }
  }
}
