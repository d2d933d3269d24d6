import PlumblineModel

/// Finds a chessboard of known size in an image.
///
/// Saddles that look like corners are linked to squares, and squares grow to a grid as far as
/// spacing, direction and color go on. A board counts as found when the grid spans as many corners
/// as the board has both ways; single ones may be missing where something covers them.
struct ChessboardDetector: Sendable {
  /// The board looked for.
  let board: Board

  /// Creates a detector for a board; markers, if it has any, are ignored.
  init(board: Board) { self.board = board }

  /// How many corners must be found: three of five, but not below 24 where the board has as many,
  /// since texture shows small grids now and then.
  private var leastCorners: Int {
    min(board.cornerCount, max(24, (3 * board.cornerCount + 4) / 5))
  }

  /// The board as an image shows it, or `nil` when it is not seen from edge to edge.
  ///
  /// Corners are numbered as ``ChessboardNumbering`` says.
  func view(in luma: Raster<UInt8>) -> BoardView? {
    // First at about a megapixel, where large images are less blurred, then at half of it.
    var larger: [(luma: Raster<UInt8>, scale: Double)] = []
    var level = (luma: luma, scale: 1.0)
    while level.luma.size.pixelCount > Self.firstLevelPixels {
      larger.append(level)
      level = (level.luma.halved, level.scale * 2)
    }
    if let view = view(at: level, of: luma) { return view }
    if min(level.luma.width, level.luma.height) >= Self.leastSide,
      let view = view(at: (level.luma.halved, level.scale * 2), of: luma)
    {
      return view
    }
    // A small board in a large image.
    for level in larger.reversed() {
      if let view = view(at: level, of: luma) { return view }
    }
    return nil
  }

  /// Images above this are searched in half their size first.
  private static let firstLevelPixels = 1_500_000
  /// Images below this are not halved: a board of eight squares would leave seven pixels each.
  private static let leastSide = 120

  private func view(at level: (luma: Raster<UInt8>, scale: Double), of luma: Raster<UInt8>)
    -> BoardView?
  {
    guard let grid = grid(in: level.luma) else { return nil }
    let corners = refined(grid, scale: level.scale, in: luma)
    guard corners.count >= leastCorners else { return nil }
    return BoardView(board: board, imageSize: luma.size, corners: corners)
  }

  /// The board's saddles by corner number, in pixels of the level.
  private func grid(in luma: Raster<UInt8>) -> [Int: Saddle]? {
    let links = SaddleLinks(SaddleFinder().saddles(in: luma))
    let needed = leastCorners
    guard links.saddles.count >= max(4, needed / 2) else { return nil }
    return luma.samples.withUnsafeBufferPointer { pixels in
      let window = PixelWindow(
        pixels: pixels, width: luma.width, height: luma.height, stride: luma.rowStride)
      var taken = [Bool](repeating: false, count: links.saddles.count)
      let numbering = ChessboardNumbering(board: board)
      for index in links.saddles.indices where !taken[index] {
        for square in links.squares(at: index, taken: taken) {
          var used = taken
          for corner in square.values { used[corner] = true }
          var grid = SaddleGrid(
            seed: square.mapValues { links.saddles[$0] }, reach: max(board.columns, board.rows) + 1)
          grid.grow(with: links.saddles, taken: &used, in: window, complete: board.cornerCount)
          // What grew once grows the same from its other squares.
          if grid.saddles.count > 8 { taken = used }
          if grid.saddles.count >= needed,
            let numbered = numbering.numbered(grid.saddles, least: needed),
            ChessboardProof(board: board).accepts(numbered, in: window)
          {
            return numbered
          }
          if taken[index] { break }
        }
      }
      return nil
    }
  }

  /// The corners in the whole image, each refined with what its neighbors leave of room.
  private func refined(
    _ saddles: [Int: Saddle], scale: Double, in luma: Raster<UInt8>
  ) -> [BoardCorner] {
    luma.samples.withUnsafeBufferPointer { pixels in
      let window = PixelWindow(
        pixels: pixels, width: luma.width, height: luma.height, stride: luma.rowStride)
      return saddles.keys.sorted().compactMap { id in
        guard let pixel = saddles[id]?.pixel else { return nil }
        let (column, row) = board.gridPosition(ofCorner: id)
        var spacing = Double.infinity
        for (x, y) in [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)] {
          guard x >= 0, y >= 0, x < board.columns - 1, y < board.rows - 1,
            let other = saddles[y * (board.columns - 1) + x]?.pixel
          else { continue }
          let way = other - pixel
          spacing = min(spacing, (way * way).sum().squareRoot())
        }
        let start = (pixel + 0.5) * scale - 0.5
        return CornerRefinement(squarePixels: spacing * scale).refined(start, in: window).map {
          BoardCorner(id: id, pixel: $0)
        }
      }
    }
  }
}

extension Raster where Sample == UInt8 {
  /// Every two by two pixels as one, their mean; an odd last row or column is left out.
  fileprivate var halved: Raster {
    let half = RasterSize(width: width / 2, height: height / 2)
    return samples.withUnsafeBufferPointer { pixels in
      Raster(size: half) { x, y in
        let first = 2 * y * rowStride + 2 * x
        let sum =
          Int(pixels[first]) + Int(pixels[first + 1]) + Int(pixels[first + rowStride])
          + Int(pixels[first + rowStride + 1])
        return UInt8((sum + 2) >> 2)
      }
    }
  }
}
