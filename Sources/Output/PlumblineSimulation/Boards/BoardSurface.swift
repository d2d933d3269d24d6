package import PlumblineModel
package import PlumblineVision

/// A printed board: a flat sheet with the board's squares and a white margin around them.
package struct BoardSurface: SceneSurface {
  /// The board that is printed.
  package let board: Board
  /// The pose of the board in the scene, in the frame of ``Board``.
  package let sceneFromBoard: RigidTransform
  /// The white paper around the squares, in meters.
  package let marginMeters: Double
  /// The paint of unprinted paper.
  package let paper: Paint
  /// The paint of black ink.
  package let ink: Paint
  private let artwork: BoardArtwork
  private let boardFromScene: RigidTransform
  private let normalInScene: SIMD3<Double>
  /// A bounding ball through the corners of the sheet.
  package let bounds: BoundingBall?

  /// Creates a printed board.
  ///
  /// Office paper reflects about 80 % of the light, toner about 4 %.
  ///
  /// - Precondition: The board's dictionary has all of its markers; the margin is not negative.
  package init(
    _ board: Board, sceneFromBoard: RigidTransform, marginMeters: Double = 0.015,
    paper: Paint = Paint(albedo: [0.80, 0.80, 0.78]),
    ink: Paint = Paint(albedo: [0.04, 0.04, 0.04])
  ) {
    precondition(marginMeters >= 0, "a margin of \(marginMeters) m")
    self.board = board
    self.sceneFromBoard = sceneFromBoard
    self.marginMeters = marginMeters
    self.paper = paper
    self.ink = ink
    artwork = BoardArtwork(board)
    boardFromScene = sceneFromBoard.inverse
    normalInScene = -sceneFromBoard.rotation.z
    let half = SIMD3(Double(board.columns), Double(board.rows), 0) * board.squareMeters / 2
    bounds = BoundingBall(
      center: sceneFromBoard * half, radius: length(half + SIMD3(marginMeters, marginMeters, 0)))
  }

  /// The ray parameter of the first hit on the sheet; `nil` when the ray misses it.
  package func firstHit(of ray: Ray) -> Double? {
    let slope = dot(ray.direction, normalInScene)
    guard slope != 0 else { return nil }
    let parameter = dot(sceneFromBoard.translation - ray.origin, normalInScene) / slope
    guard parameter > 1e-9 else { return nil }
    let place = placeInBoard(ray.point(at: parameter))
    let size = SIMD2(Double(board.columns), Double(board.rows)) * board.squareMeters
    guard place.x >= -marginMeters, place.y >= -marginMeters, place.x <= size.x + marginMeters,
      place.y <= size.y + marginMeters
    else { return nil }
    return parameter
  }

  /// The unit normal, pointing to the printed side.
  package func normal(at point: SIMD3<Double>) -> SIMD3<Double> { normalInScene }

  /// The paint at a point of the sheet.
  package func paint(at point: SIMD3<Double>) -> Paint {
    artwork.isBlack(at: placeInBoard(point) / board.squareMeters) ? ink : paper
  }

  /// The mean paint over a pixel; see ``BoardArtwork``.
  package func meanPaint(
    around point: SIMD3<Double>, stepX: SIMD3<Double>, stepY: SIMD3<Double>
  ) -> Paint {
    let axes = sceneFromBoard.rotation
    let share = artwork.inkShare(
      around: placeInBoard(point) / board.squareMeters,
      stepX: SIMD2(dot(axes.x, stepX), dot(axes.y, stepX)) / board.squareMeters,
      stepY: SIMD2(dot(axes.x, stepY), dot(axes.y, stepY)) / board.squareMeters)
    if share == 0 { return paper }
    return share == 1 ? ink : paper.mixed(with: ink, share: share)
  }

  /// The `x` and `y` of a point in the board's frame, in meters.
  private func placeInBoard(_ point: SIMD3<Double>) -> SIMD2<Double> {
    let place = turned(point, by: boardFromScene.rotation) + boardFromScene.translation
    return SIMD2(place.x, place.y)
  }
}

/// The artwork of a board as a function of the position on it.
///
/// Frame: the board's own, in squares: (0, 0) is the outer corner of the top-left square. Outside
/// the squares the paper is white.
struct BoardArtwork: Sendable {
  /// The color of a square without a marker.
  private enum Square {
    static let white = -1
    static let black = -2
  }

  private let columns: Int
  private let rows: Int
  /// The content of each square: black, white, or (from 0 on) the index of its marker in `modules`.
  private let squares: [Int]
  /// The markers in sequence, `side × side` modules each including the black border, 1 for black.
  private let modules: [UInt8]
  private let side: Int
  /// The position of a marker in its square, and the number of modules per square.
  private let markerStart: Double
  private let modulesPerSquare: Double

  init(_ board: Board) {
    columns = board.columns
    rows = board.rows
    var squares: [Int] = []
    var modules: [UInt8] = []
    var side = 1
    var share = 0.5
    var dictionary: MarkerDictionary?
    if case .charuco(let pattern) = board.pattern {
      let markers = MarkerDictionary(pattern.dictionary)
      side = markers.side + 2
      share = pattern.markerShare
      dictionary = markers
    }
    for row in 0..<board.rows {
      for column in 0..<board.columns {
        if !board.isWhite(column: column, row: row) {
          squares.append(Square.black)
        } else if let dictionary, let id = board.marker(column: column, row: row) {
          squares.append(modules.count / (side * side))
          modules += Self.modules(of: id, dictionary)
        } else {
          squares.append(Square.white)
        }
      }
    }
    self.squares = squares
    self.modules = modules
    self.side = side
    markerStart = (1 - share) / 2
    modulesPerSquare = Double(side) / share
  }

  /// A marker with its black border, row after row; 1 is black.
  private static func modules(of id: Int, _ dictionary: MarkerDictionary) -> [UInt8] {
    let inside = 0..<dictionary.side
    return (-1...dictionary.side).flatMap { row in
      (-1...dictionary.side).map { column in
        guard inside.contains(row), inside.contains(column) else { return 1 }
        return dictionary.isWhite(column: column, row: row, of: id) ? 0 : 1
      }
    }
  }

  /// The fraction of black ink in a parallelogram around a position, 0 to 1.
  ///
  /// If no edge crosses it, the result is exact. Otherwise it is the mean of 64 positions on a
  /// lattice, no two of which share a row or a column of the parallelogram: an edge parallel to one
  /// of its sides is located to 1/128 of a pixel, other edges better on average.
  /// - Source: The rank-1 lattice `(k/64, frac(19·k/64))`; H. Niederreiter, SIAM 1992, chapter 5.
  ///
  /// - Parameters:
  ///   - center: The center of the parallelogram, in squares.
  ///   - stepX: The step to the next pixel on the right, in squares.
  ///   - stepY: The step to the next pixel below, in squares.
  /// - Returns: The fraction, without unit.
  func inkShare(
    around center: SIMD2<Double>, stepX: SIMD2<Double>, stepY: SIMD2<Double>
  ) -> Double {
    let reach = SIMD2(
      (abs(stepX.x) + abs(stepY.x)) / 2, (abs(stepX.y) + abs(stepY.y)) / 2)
    let low = center - reach
    let high = center + reach
    guard high.x > 0, high.y > 0, low.x < Double(columns), low.y < Double(rows) else { return 0 }
    if let ink = uniformInk(from: low, to: high) { return ink }
    var count = 0
    for sample in 0..<64 {
      let u = (Double(sample) + 0.5) / 64 - 0.5
      let v = (Double((19 * sample) & 63) + 0.5) / 64 - 0.5
      if isBlack(at: center + stepX * u + stepY * v) { count += 1 }
    }
    return Double(count) / 64
  }

  /// Whether a position is black.
  func isBlack(at place: SIMD2<Double>) -> Bool {
    guard place.x >= 0, place.y >= 0, place.x < Double(columns), place.y < Double(rows) else {
      return false
    }
    let column = Int(place.x)
    let row = Int(place.y)
    let square = squares[row * columns + column]
    guard square >= 0 else { return square == Square.black }
    let x = (place.x - Double(column) - markerStart) * modulesPerSquare
    let y = (place.y - Double(row) - markerStart) * modulesPerSquare
    guard x >= 0, y >= 0, x < Double(side), y < Double(side) else { return false }
    return modules[(square * side + Int(y)) * side + Int(x)] != 0
  }

  /// The ink of a rectangle without an edge in it; `nil` if there may be an edge.
  private func uniformInk(from low: SIMD2<Double>, to high: SIMD2<Double>) -> Double? {
    guard low.x >= 0, low.y >= 0, high.x < Double(columns), high.y < Double(rows) else {
      return nil
    }
    let column = Int(low.x)
    let row = Int(low.y)
    guard column == Int(high.x), row == Int(high.y) else { return nil }
    let square = squares[row * columns + column]
    guard square >= 0 else { return square == Square.black ? 1 : 0 }
    let corner = SIMD2(Double(column), Double(row)) + markerStart
    let first = ((low - corner) * modulesPerSquare).rounded(.down)
    let last = ((high - corner) * modulesPerSquare).rounded(.down)
    let end = Double(side)
    if last.x < 0 || last.y < 0 || first.x >= end || first.y >= end { return 0 }
    guard first == last else { return nil }
    return modules[(square * side + Int(first.y)) * side + Int(first.x)] == 0 ? 0 : 1
  }
}
