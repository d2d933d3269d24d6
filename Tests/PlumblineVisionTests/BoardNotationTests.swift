import PlumblineVision
import Testing

@Suite struct BoardNotationTests {
  @Test func everyPartIsRead() throws {
    let line = "ChArUco:10x8:20.875mm:dict_aruco_original:LEGACY:marker=15mm:first=3"
    let board = try BoardNotation(parsing: line).board
    #expect(board.columns == 10 && board.rows == 8)
    #expect(abs(board.squareMeters - 0.020875) < 1e-12, "meters")
    guard case .charuco(let pattern) = board.pattern else {
      Issue.record("not a ChArUco board")
      return
    }
    #expect(pattern.dictionary == .arucoOriginal)
    #expect(pattern.layout == .legacy)
    #expect(abs(pattern.markerShare - 15 / 20.875) < 1e-12)
    #expect(pattern.firstMarker == 3)
    let chessboard = try BoardNotation(parsing: "chessboard:10x7:2.5cm").board
    #expect(chessboard == Board(columns: 10, rows: 7, squareMeters: 0.025, pattern: .chessboard))
  }

  @Test(
    "A board's line is read as the same line",
    arguments: [
      "chessboard:10x7:25mm", "chessboard:3x200:0.1mm", "charuco:10x8:20.875mm:DICT_4X4_50",
      "charuco:10x8:20.875mm:DICT_ARUCO_ORIGINAL:legacy:marker=15mm:first=3",
    ])
  func roundTrip(line: String) throws {
    #expect(try BoardNotation(parsing: line).text == line)
  }

  @Test(
    "A wrong line is refused with what is wrong",
    arguments: [
      ("", "starts with"), ("board:10x7:25mm", "starts with"), ("chessboard", "follow"),
      ("chessboard:10x7", "follow"), ("chessboard:10:25mm", "columns x rows"),
      ("chessboard:2x7:25mm", "columns x rows"), ("chessboard:10x201:25mm", "columns x rows"),
      ("chessboard:10x7:25", "unit"), ("chessboard:10x7:nanmm", "unit"),
      ("chessboard:10x7:-5mm", "unit"), ("chessboard:10x7:1e9m", "unit"),
      ("chessboard:10x7:25mm:legacy", "nothing follows"),
      ("charuco:10x8:20mm:DICT_9X9", "dictionary"),
      ("charuco:10x8:20mm:marker=20mm", "smaller"), ("charuco:10x8:20mm:first=-1", "whole number"),
      ("charuco:10x8:20mm:legacy:current", "given once"),
      ("charuco:20x10:20mm:DICT_4X4_50", "50 markers"),
      ("charuco:10x8:20mm:first=9223372036854775807", "50 markers"),
    ])
  func refused(line: String, reason: String) {
    let error = #expect(throws: BoardNotationError.self) { try BoardNotation(parsing: line) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }
}
