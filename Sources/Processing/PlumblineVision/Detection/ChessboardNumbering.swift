/// Gives the corners of a grid the numbers of a chessboard.
///
/// What an image of a plain chessboard proves, and what it does not:
///
/// - With an odd sum of columns and rows, such as 10 × 7, color separates the two ways up: the
///   square beside corner 0 is black. Numbering is unique.
/// - With an even sum, such as 8 × 6, half a turn shows the same image; of a board with as many
///   rows as columns every quarter turn that keeps the colors does. The one with corner 0 nearest to
///   the image's top-left corner is taken (least x + y), so the same image always gives the same
///   numbers, but a turned camera may not.
/// - A mirror image is never detected: numbers always run so that columns, rows and the viewing
///   direction are right-handed, as if the image were none.
struct ChessboardNumbering {
  /// The board whose numbers are given.
  let board: Board

  /// Identifies the corners that the saddles are.
  ///
  /// - Parameters:
  ///   - saddles: The saddles by position in a grid that may be turned, mirrored and moved.
  ///   - least: How many corners must be there.
  /// - Returns: The saddles by corner number; `nil` when it is not certain.
  func numbered(_ saddles: [SaddleGrid.Place: Saddle], least: Int) -> [Int: Saddle]? {
    let (columns, rows) = (board.columns - 1, board.rows - 1)
    let sizes = columns == rows ? [(columns, rows)] : [(columns, rows), (rows, columns)]
    let windows = sizes.flatMap { self.windows(width: $0.0, height: $0.1, over: saddles) }
    guard let most = windows.map(\.count).max(), most >= least else { return nil }
    let best = windows.filter { $0.count == most }
    // Two windows that show as much leave open which squares are the first.
    guard best.count == 1, let window = best.first, saddles.count - most <= most / 10
    else { return nil }
    return orders(of: window, saddles)
      .min { ($0.isColorWrong ? 1 : 0, $0.start) < ($1.isColorWrong ? 1 : 0, $1.start) }?.corners
  }

  /// A part of the grid as large as the board.
  private struct Window {
    var origin: SaddleGrid.Place
    var width: Int
    var height: Int
    var count: Int
  }

  /// Every position of a window in which saddles touch all four sides.
  private func windows(
    width: Int, height: Int, over saddles: [SaddleGrid.Place: Saddle]
  ) -> [Window] {
    let (xs, ys) = (saddles.keys.map(\.x), saddles.keys.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
      right - left + 1 >= width, bottom - top + 1 >= height
    else { return [] }
    var windows: [Window] = []
    for y in top...(bottom - height + 1) {
      for x in left...(right - width + 1) {
        let inside = saddles.keys.filter {
          $0.x >= x && $0.y >= y && $0.x < x + width && $0.y < y + height
        }
        guard inside.contains(where: { $0.x == x }), inside.contains(where: { $0.y == y }),
          inside.contains(where: { $0.x == x + width - 1 }),
          inside.contains(where: { $0.y == y + height - 1 })
        else { continue }
        windows.append(Window(origin: [x, y], width: width, height: height, count: inside.count))
      }
    }
    return windows
  }

  /// One way to number the corners.
  private struct Order {
    var corners: [Int: Saddle]
    var isColorWrong: Bool
    /// Where corner 0 is, as x + y in pixels.
    var start: Double
  }

  private func orders(of window: Window, _ saddles: [SaddleGrid.Place: Saddle]) -> [Order] {
    let (columns, rows) = (board.columns - 1, board.rows - 1)
    var orders: [Order] = []
    let last = SaddleGrid.Place(window.width - 1, window.height - 1)
    for columnStep in SaddleGrid.steps {
      for rowStep in SaddleGrid.steps where (columnStep &* rowStep).wrappedSum() == 0 {
        let isTransposed = columnStep.x == 0
        guard (isTransposed ? window.height : window.width) == columns else { continue }
        let sum = columnStep &+ rowStep
        let first = SaddleGrid.Place(sum.x < 0 ? last.x : 0, sum.y < 0 ? last.y : 0)
        var corners: [Int: Saddle] = [:]
        var votes = 0
        var turn = 0.0
        for row in 0..<rows {
          for column in 0..<columns {
            let place = window.origin &+ first &+ columnStep &* column &+ rowStep &* row
            guard let saddle = saddles[place] else { continue }
            corners[row * columns + column] = saddle
            guard let right = saddles[place &+ columnStep], let below = saddles[place &+ rowStep]
            else { continue }
            let (x, y) = (right.pixel - saddle.pixel, below.pixel - saddle.pixel)
            turn += x.x * y.y - x.y * y.x
            // The square up and left of corner (column, row) is black where their sum is even.
            votes += saddle.isBright(toward: x + y) == ((column + row) % 2 == 0) ? -1 : 1
          }
        }
        guard turn > 0, let start = startOf(corners, columns: columns) else { continue }
        orders.append(Order(corners: corners, isColorWrong: votes < 0, start: start))
      }
    }
    return orders
  }

  /// Where numbering starts, as x + y of the first corner found, in pixels.
  private func startOf(_ corners: [Int: Saddle], columns: Int) -> Double? {
    corners.min { $0.key < $1.key }.map { $0.value.pixel.sum() }
  }
}
