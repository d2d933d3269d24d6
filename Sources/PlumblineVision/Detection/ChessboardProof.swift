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
    // A board of two by two corners has one inner square only.
    guard !steps.isEmpty else { return true }
    // Which color the first square has is not known on boards with an even sum of sides.
    let sign = steps.reduce(0, +) < 0 ? -1.0 : 1
    let sorted = steps.map { sign * $0 }.sorted()
    let least = sorted[sorted.count / 2] / 3
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
