import PlumblineModel
import PlumblineVision
import Testing

@Suite("Board search")
struct BoardSearchTests {
  private func image(_ board: Board, turn: Double = 0.2, mirrored: Bool = false) -> Raster<UInt8> {
    var shot = SimulatedBoardImage.Shot()
    shot.size = RasterSize(width: 340, height: 300)
    shot.squarePixels = 32
    shot.sampling = 3
    shot.turn = turn
    shot.isMirrored = mirrored
    return SimulatedBoardImage(board, shot).luma
  }

  @Test(
    "Finds dictionary, size, layout and share",
    arguments: [
      (7, 6, MarkerDictionary.Name.arucoOriginal, CharucoPattern.Layout.legacy),
      (7, 6, .aruco4x4x50, .current), (6, 5, .aruco6x6x50, .current),
      (6, 6, .aprilTag36h11, .legacy),
      (5, 7, .aruco5x5x50, .current),
    ])
  func finds(
    columns: Int, rows: Int, name: MarkerDictionary.Name, layout: CharucoPattern.Layout
  ) throws {
    let board = BoardDetectorTests.board(columns, rows, name, share: 0.75, layout: layout)
    let found = try #require(
      BoardSearch().board(
        in: [image(board), image(board, turn: -1, mirrored: true)], squareMeters: 0.02))
    #expect(found.columns == columns && found.rows == rows && found.squareMeters == 0.02)
    guard case .charuco(let pattern) = found.pattern else {
      Issue.record("no markers")
      return
    }
    #expect(pattern.dictionary == name && pattern.layout == layout && pattern.firstMarker == 0)
    // Corners of markers are half a pixel's matter: 0.5 of 32 pixels on either side.
    #expect(abs(pattern.markerShare - 0.75) < 0.03)
  }

  @Test("Says nothing when the end of the board is not seen, or there is none")
  func unsure() {
    let board = BoardDetectorTests.board(7, 6, layout: .legacy)
    var shot = SimulatedBoardImage.Shot()
    shot.sampling = 3
    shot.middle = SIMD2(0.5, 0.85)
    shot.size = RasterSize(width: 320, height: 200)
    let cut = SimulatedBoardImage(board, shot).luma
    #expect(BoardDetector(board: board).view(in: cut) != nil)
    #expect(BoardSearch().board(in: [cut], squareMeters: 1) == nil)
    let flat = Raster<UInt8>(size: RasterSize(width: 90, height: 80), repeating: 7)
    #expect(BoardSearch().board(in: [flat], squareMeters: 1) == nil)
    #expect(BoardSearch().board(in: [], squareMeters: 1) == nil)
    let none = Raster<UInt8>(size: RasterSize(width: 0, height: 0), repeating: 7)
    #expect(BoardSearch().board(in: [none], squareMeters: 1) == nil)
  }
}
