import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct BoardMarkerTests {
  private func board(_ columns: Int, _ rows: Int, _ layout: CharucoPattern.Layout) -> Board {
    Board(
      columns: columns, rows: rows, squareMeters: 1,
      pattern: .charuco(
        CharucoPattern(dictionary: .arucoOriginal, markerShare: 0.7, layout: layout)))
  }

  @Test(
    "Markers lie where OpenCV has them, in both layouts",
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"),
    arguments: [(10, 8), (5, 7), (6, 7), (7, 6), (2, 2)])
  func equalsOpenCV(columns: Int, rows: Int) throws {
    for layout in CharucoPattern.Layout.allCases {
      let board = board(columns, rows, layout)
      let answer = try PythonPeer.run(
        "marker_dictionary.py", "board", "\(columns)", "\(rows)", layout.rawValue, "0.7")
      let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == board.whiteSquareCount)
      for line in lines {
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        let corners = try #require(board.markerCornersInBoard(Int(numbers[0])))
        let flat = corners.flatMap { [$0.x, $0.y] }
        // OpenCV's corners are single precision, printed in six decimals.
        #expect(zip(flat, numbers.dropFirst()).allSatisfy { abs($0 - $1) < 2e-6 }, "\(line)")
      }
    }
  }

  @Test(
    "Squares and markers name each other", arguments: [(10, 8), (5, 7), (7, 6), (6, 7), (3, 2)])
  func squaresAndMarkers(columns: Int, rows: Int) {
    for layout in CharucoPattern.Layout.allCases {
      let board = board(columns, rows, layout)
      var next = 0
      for row in 0..<rows {
        for column in 0..<columns {
          let marker = board.marker(column: column, row: row)
          #expect(marker == (board.isWhite(column: column, row: row) ? next : nil))
          guard marker != nil else { continue }
          let square = board.square(ofMarker: next)
          #expect(square?.column == column && square?.row == row)
          next += 1
        }
      }
      #expect(next == board.whiteSquareCount)
      #expect(board.square(ofMarker: next) == nil && board.square(ofMarker: .min) == nil)
    }
  }
}
