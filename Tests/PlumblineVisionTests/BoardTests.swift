import PlumblineVision
import Testing

@Suite struct BoardTests {
  @Test func cornersAreNumberedRowAfterRow() {
    let board = Board(columns: 10, rows: 8, squareMeters: 0.02, pattern: .chessboard)
    #expect(board.cornerCount == 63)
    #expect(board.cornerInBoard(0) == [0.02, 0.02, 0])
    #expect(board.cornerInBoard(9) == [0.02, 0.04, 0])
  }
}
