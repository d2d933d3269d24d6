import PlumblineModel
import PlumblineNumerics

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

/// Whether a grid of saddles is a chessboard and not a texture.
///
/// On a board, squares hardly change from one to the next, and every black square is darker than
/// all white squares beside it by about the same. Fabric and foliage fail one or the other.
struct ChessboardProof {
  /// The board that the corners are numbered for.
  let board: Board

  /// Whether shape and brightness of nearly all squares are a board's.
  ///
  /// - Parameters:
  ///   - corners: The saddles by corner number.
  ///   - window: The image they are from.
  /// - Returns: Whether both tests pass.
  func accepts(_ corners: [Int: Saddle], in window: PixelWindow) -> Bool {
    isSmooth(corners) && isCheckered(corners, in: window)
  }

  /// The pixel of a corner, if there is such a corner and it was found.
  private func pixel(_ column: Int, _ row: Int, _ corners: [Int: Saddle]) -> SIMD2<Double>? {
    guard column >= 0, row >= 0, column < board.columns - 1, row < board.rows - 1 else {
      return nil
    }
    return corners[row * (board.columns - 1) + column]?.pixel
  }

  /// Whether each corner lies near the middle of its neighbors on both sides: within 0.15 of their
  /// distance, which perspective reaches where one square is a third longer than the next.
  private func isSmooth(_ corners: [Int: Saddle]) -> Bool {
    corners.keys.allSatisfy { id in
      let (column, row) = board.gridPosition(ofCorner: id)
      return [(1, 0), (0, 1)].allSatisfy { x, y in
        guard let middle = pixel(column, row, corners),
          let before = pixel(column - x, row - y, corners),
          let after = pixel(column + x, row + y, corners)
        else { return true }
        let (bend, length) = (before + after - 2 * middle, after - before)
        return (bend * bend).sum() < 0.15 * 0.15 * (length * length).sum()
      }
    }
  }

  /// Whether black is darker than white across nearly all edges, by a third of the median at least.
  private func isCheckered(_ corners: [Int: Saddle], in window: PixelWindow) -> Bool {
    var levels: [Int: Double] = [:]
    for row in 0..<(board.rows - 2) {
      for column in 0..<(board.columns - 2) {
        let around = [(0, 0), (1, 0), (0, 1), (1, 1)].compactMap {
          pixel(column + $0.0, row + $0.1, corners)
        }
        guard around.count == 4 else { continue }
        levels[row * board.columns + column] = level(at: around.reduce(.zero, +) / 4, in: window)
      }
    }
    var steps: [Double] = []
    for (square, level) in levels {
      let (column, row) = (square % board.columns, square / board.columns)
      for other in [square + 1, square + board.columns] {
        guard let beside = levels[other] else { continue }
        steps.append((column + row).isMultiple(of: 2) ? level - beside : beside - level)
      }
    }
    // Which color the first square has is not known on boards with an even sum of sides.
    let sign = steps.reduce(0, +) < 0 ? -1.0 : 1
    let sorted = steps.map { sign * $0 }.sorted()
    // A board of two by two corners has one inner square only.
    guard let middle = sorted.middleOfSorted else { return true }
    let least = middle / 3
    return sorted.count { $0 < least } <= sorted.count / 20
  }

  /// The mean of three by three pixels.
  private func level(at pixel: SIMD2<Double>, in window: PixelWindow) -> Double? {
    guard pixel.x >= 1, pixel.y >= 1, pixel.x < Double(window.width - 2),
      pixel.y < Double(window.height - 2)
    else { return nil }
    let (x, y) = (Int(pixel.x.rounded()), Int(pixel.y.rounded()))
    var sum = 0
    for row in (y - 1)...(y + 1) {
      for column in (x - 1)...(x + 1) { sum += Int(window.pixels[row * window.stride + column]) }
    }
    return Double(sum) / 9
  }
}
