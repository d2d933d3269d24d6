public import PlumblineModel

/// One corner of a board as an image shows it.
public struct BoardCorner: Hashable, Sendable {
  /// The number of the corner; see ``Board/cornerInBoard(_:)``.
  package var id: Int
  /// Where it lies, in pixels; the center of the first pixel is (0, 0).
  package var pixel: SIMD2<Double>

  /// Creates a corner.
  package init(id: Int, pixel: SIMD2<Double>) {
    self.id = id
    self.pixel = pixel
  }
}

/// A board as one image shows it.
public struct BoardView: Hashable, Sendable {
  /// The board, with the layout that the image proves.
  public var board: Board
  /// The size of the image.
  public var imageSize: RasterSize
  /// The corners found, by ascending number, each at most once.
  package var corners: [BoardCorner]
  /// Whether the image is a mirror image; corners are in its own pixels all the same.
  public var isMirrored: Bool

  /// Creates a view.
  package init(
    board: Board, imageSize: RasterSize, corners: [BoardCorner], isMirrored: Bool = false
  ) {
    self.board = board
    self.imageSize = imageSize
    self.corners = corners
    self.isMirrored = isMirrored
  }
}

extension BoardView {
  /// The view as the image shows it when it is no mirror image: columns counted from the other side.
  ///
  /// Poses and calibrations refuse a mirrored view, because a mirrored board has no pose. A caller
  /// that takes this one must also take the camera of the unmirrored image.
  package var unmirrored: BoardView {
    guard isMirrored else { return self }
    var view = self
    view.isMirrored = false
    view.corners = corners.map {
      BoardCorner(id: $0.id, pixel: SIMD2(Double(imageSize.width - 1) - $0.pixel.x, $0.pixel.y))
    }
    return view
  }
}

/// A board as two cameras show it at the same moment.
public struct BoardViewPair: Hashable, Sendable {
  /// The left camera's view.
  public var left: BoardView
  /// The right camera's view; it may show other corners of the board.
  public var right: BoardView

  /// Joins two views of one moment.
  package init(left: BoardView, right: BoardView) {
    self.left = left
    self.right = right
  }
}
