internal import PlumblineModel

/// The corners of a ChArUco board found so far in one image, and what predicts the others.
///
/// Places on the board are in squares from its origin, so that a corner's are whole numbers.
struct BoardGrid {
  /// The board, whose marker share is the one that the image shows.
  let board: Board
  /// The marker's side as a share of the square's.
  let markerShare: Double
  /// Pixel of each corner by its number; `nil` where none is known.
  private(set) var corners: [SIMD2<Double>?]
  private var anchors: [Anchor] = []

  /// A position on the board that an image shows at a pixel.
  private struct Anchor {
    var square: SIMD2<Double>
    var pixel: SIMD2<Double>
  }

  /// Where a corner is expected, and how the squares lie there.
  struct Expectation {
    var pixel: SIMD2<Double>
    /// One square along the board's columns and along its rows, in pixels.
    var axes: (x: SIMD2<Double>, y: SIMD2<Double>)

    /// The shorter side of a square in pixels.
    var side: Double {
      min((axes.x * axes.x).sum(), (axes.y * axes.y).sum()).squareRoot()
    }

    /// Expects what a map of squares to pixels says; `nil` near its horizon.
    init?(_ map: PlaneHomography, at square: SIMD2<Double>) {
      pixel = map(square)
      axes.x = map(square + SIMD2(0.5, 0)) - map(square - SIMD2(0.5, 0))
      axes.y = map(square + SIMD2(0, 0.5)) - map(square - SIMD2(0, 0.5))
      let all = SIMD4(lowHalf: axes.x, highHalf: axes.y)
      guard (pixel.x + pixel.y + all.sum()).isFinite, all.max() < 1e5, all.min() > -1e5 else {
        return nil
      }
    }
  }

  /// Starts with the corners of markers.
  init(board: Board, markerShare: Double, graph: MarkerGraph) {
    self.board = board
    self.markerShare = markerShare
    corners = Array(repeating: nil, count: board.cornerCount)
    let margin = (1 - markerShare) / 2
    for (marker, square) in zip(graph.markers, graph.squares) {
      let places = [
        (margin, margin), (1 - margin, margin), (1 - margin, 1 - margin), (margin, 1 - margin),
      ]
      for (place, pixel) in zip(places, marker.corners) {
        let origin = SIMD2(Double(square.x), Double(square.y))
        anchors.append(Anchor(square: origin + SIMD2(place.0, place.1), pixel: pixel))
      }
    }
  }

  /// The corner's position in squares.
  func square(of id: Int) -> SIMD2<Double> {
    let (column, row) = board.gridPosition(ofCorner: id)
    return SIMD2(Double(column + 1), Double(row + 1))
  }

  /// What the neighborhood within some squares says about a corner, itself left out.
  ///
  /// - Returns: `nil` when too little around it is known.
  func expectation(of id: Int, reach: Double, usesMarkers: Bool = true) -> Expectation? {
    let place = square(of: id)
    var from: [SIMD2<Double>] = []
    var to: [SIMD2<Double>] = []
    let (column, row) = board.gridPosition(ofCorner: id)
    let steps = Int(reach)
    for y in max(row - steps, 0)...min(row + steps, board.rows - 2) {
      for x in max(column - steps, 0)...min(column + steps, board.columns - 2) {
        let other = y * (board.columns - 1) + x
        guard other != id, let pixel = corners[other] else { continue }
        from.append(square(of: other))
        to.append(pixel)
      }
    }
    // Corners are ten times as exact as the sides of markers.
    if usesMarkers && from.count < 6 {
      for anchor in anchors {
        let d = anchor.square - place
        guard max(abs(d.x), abs(d.y)) <= reach else { continue }
        from.append(anchor.square)
        to.append(anchor.pixel)
      }
    }
    guard from.count >= (usesMarkers ? 4 : 5) else { return nil }
    return PlaneHomography(from: from, to: to).flatMap { Expectation($0, at: place) }
  }

  /// Sets or removes a corner.
  mutating func set(_ id: Int, _ pixel: SIMD2<Double>?) { corners[id] = pixel }

  /// Whether the squares at the upper left and lower right of a corner are the white ones.
  func isWhiteAtUpperLeft(of id: Int) -> Bool {
    let (column, row) = board.gridPosition(ofCorner: id)
    return board.isWhite(column: column, row: row)
  }
}
