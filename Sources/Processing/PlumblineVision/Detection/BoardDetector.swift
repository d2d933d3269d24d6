package import PlumblineModel

/// Finds a known calibration board in images.
package struct BoardDetector: Sendable {
  /// The board looked for; of a ChArUco board the layout and the marker share are only hints.
  package let board: Board
  private let pattern: PatternDetection

  /// What the board's pattern is found by.
  private enum PatternDetection {
    case chessboard(ChessboardDetector)
    case charuco(CharucoDetection)
  }

  /// Prepares for a board; O(*n*) of its markers.
  package init(board: Board) {
    self.board = board
    switch board.pattern {
    case .chessboard: pattern = .chessboard(ChessboardDetector(board: board))
    case .charuco(let charuco):
      pattern = .charuco(CharucoDetection(board: board, pattern: charuco))
    }
  }

  /// The board as an image shows it, or `nil` when the image does not prove it.
  ///
  /// A ChArUco board may be turned, partly outside, seen in a mirror, blurred and unevenly lit. Its
  /// layout is found out: the view's board carries the one that the image proves. At least two
  /// neighboring markers and four corners must be seen. Corners without a readable marker beside
  /// them are found too when the squares around them are. ChArUco boards of more than 65,536 squares
  /// are not looked for.
  ///
  /// - Parameter luma: Gray levels of any size; where the longer side is above 2,500 pixels the
  ///   board is looked for in a reduced image and its corners are refined in the full one.
  /// - Returns: Corners in pixels of the image, by ascending number.
  /// - Complexity: O(*n*) of the pixels; about 1 ms for 640×480.
  package func view(in luma: Raster<UInt8>) -> BoardView? {
    switch pattern {
    case .chessboard(let detector): detector.view(in: luma)
    case .charuco(let detection): view(of: detection, in: luma)
    }
  }

  private func view(of charuco: CharucoDetection, in luma: Raster<UInt8>) -> BoardView? {
    let (squares, overflows) = board.columns.multipliedReportingOverflow(by: board.rows)
    guard min(luma.width, luma.height) >= 16, !overflows, squares <= Self.mostSquares else {
      return nil
    }
    let factor = (max(luma.width, luma.height) + Self.longestSide - 1) / Self.longestSide
    guard min(luma.width, luma.height) / factor >= 16 else { return nil }
    guard let best = sighting(charuco, in: luma, factor: factor) else { return nil }
    let grid =
      best.factor == 1
      ? best.sighting.grid : enlarged(best.sighting.grid, by: best.factor, in: luma)
    let corners = grid.corners.enumerated().compactMap { id, pixel in
      pixel.map { BoardCorner(id: id, pixel: $0) }
    }
    guard corners.count >= 4 else { return nil }
    return BoardView(
      board: grid.board, imageSize: luma.size, corners: corners,
      isMirrored: best.sighting.isMirrored)
  }

  /// The best of a few attempts: the first ends the search when it rests on enough markers.
  private func sighting(
    _ charuco: CharucoDetection, in luma: Raster<UInt8>, factor: Int
  ) -> (sighting: CharucoDetection.Sighting, factor: Int)? {
    var best: (sighting: CharucoDetection.Sighting, factor: Int)?
    // Blur breaks borders at half the contrast; noise and blur that hide markers at full size may
    // not at half of it.
    for scale in [factor, 2 * factor] {
      if scale > factor && min(luma.width, luma.height) / scale < Self.leastHalvedSide { break }
      let reduced = luma.reduced(by: scale)
      for percent in [50, 70] {
        guard let sighting = charuco.sighting(in: reduced, brightPercent: percent) else { continue }
        if sighting.cornerCount > best?.sighting.cornerCount ?? 0 { best = (sighting, scale) }
        if sighting.markerCount >= Self.enoughMarkers { return best }
      }
    }
    return best
  }

  /// No image shows more squares of a ChArUco board.
  private static let mostSquares = 1 << 16
  /// From so many markers on the corners spread as far as the board does.
  private static let enoughMarkers = 6

  /// The longest side in which boards are looked for.
  private static let longestSide = 2500
  /// The shorter side that half of an image must have to be worth a look.
  private static let leastHalvedSide = 200

  /// Corners of a reduced image, refined in the full one.
  private func enlarged(_ small: BoardGrid, by factor: Int, in luma: Raster<UInt8>) -> BoardGrid {
    let scale = Double(factor)
    var grid = small
    // The center of a reduced pixel lies between those of its square.
    for id in small.corners.indices {
      grid.set(id, small.corners[id].map { ($0 + 0.5) * scale - 0.5 })
    }
    let finder = CharucoCorners(luma: luma)
    var refined = grid
    for id in grid.corners.indices {
      guard let pixel = grid.corners[id],
        var expected = grid.expectation(of: id, reach: 2, usesMarkers: false)
      else {
        refined.set(id, nil)
        continue
      }
      expected.pixel = pixel
      refined.set(id, finder.corner(id, expected, in: grid))
    }
    return refined
  }
}
