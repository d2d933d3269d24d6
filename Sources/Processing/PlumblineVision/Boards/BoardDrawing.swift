/// A board as what is black on it.
///
/// Frame: origin at the outer corner of the top-left square, `x` right, `y` down, in millimeters.
package struct BoardDrawing: Hashable, Sendable {
  /// A black rectangle in millimeters.
  package struct Rectangle: Hashable, Sendable {
    /// The left side.
    package var x: Double
    /// The upper side.
    package var y: Double
    /// From left to right.
    package var width: Double
    /// From top to bottom.
    package var height: Double

    /// Creates a rectangle.
    package init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    /// The same rectangle elsewhere.
    func moved(x: Double, y: Double) -> Rectangle {
      Rectangle(x: self.x + x, y: self.y + y, width: width, height: height)
    }
  }

  /// The width of all squares together, in millimeters.
  package let widthMillimeters: Double
  /// The height of all squares together, in millimeters.
  package let heightMillimeters: Double
  /// What is black: none overlaps another, but many share sides, so fill them as one path.
  package let rectangles: [Rectangle]

  /// Draws a board.
  ///
  /// - Precondition: A ChArUco board's dictionary has enough markers; see
  ///   ``Board/requireEnoughMarkers()``.
  package init(_ board: Board) {
    let side = board.squareMillimeters
    widthMillimeters = Double(board.columns) * side
    heightMillimeters = Double(board.rows) * side
    var rectangles: [Rectangle] = []
    var markers: (dictionary: MarkerDictionary, share: Double)?
    if case .charuco(let pattern) = board.pattern {
      markers = (MarkerDictionary(pattern.dictionary), pattern.markerShare)
    }
    for row in 0..<board.rows {
      for column in 0..<board.columns {
        let (x, y) = (Double(column) * side, Double(row) * side)
        if !board.isWhite(column: column, row: row) {
          rectangles.append(Rectangle(x: x, y: y, width: side, height: side))
        } else if let markers, let id = board.marker(column: column, row: row) {
          let margin = side * (1 - markers.share) / 2
          rectangles += Self.cells(of: id, markers.dictionary, side: side * markers.share).map {
            $0.moved(x: x + margin, y: y + margin)
          }
        }
      }
    }
    self.rectangles = rectangles
  }

  /// The black cells of a marker, neighbors in a row as one, with its border of one cell.
  private static func cells(
    of id: Int, _ dictionary: MarkerDictionary, side: Double
  ) -> [Rectangle] {
    let count = dictionary.side + 2
    let cell = side / Double(count)
    var rectangles: [Rectangle] = []
    for row in 0..<count {
      var start: Int?
      for column in 0...count {
        let isInside = (1...dictionary.side).contains(column) && (1...dictionary.side).contains(row)
        let isBlack =
          column < count
          && !(isInside && dictionary.isWhite(column: column - 1, row: row - 1, of: id))
        if isBlack {
          start = start ?? column
        } else if let first = start {
          rectangles.append(
            Rectangle(
              x: Double(first) * cell, y: Double(row) * cell, width: Double(column - first) * cell,
              height: cell))
          start = nil
        }
      }
    }
    return rectangles
  }
}
