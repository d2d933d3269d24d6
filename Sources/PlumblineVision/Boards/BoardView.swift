public import PlumblineModel

/// One corner of a board as an image shows it.
public struct BoardCorner: Hashable, Sendable {
  /// The number of the corner; see ``Board/cornerInBoard(_:)``.
  public var id: Int
  /// Where it lies, in pixels; the center of the first pixel is (0, 0).
  public var pixel: SIMD2<Double>

  /// Creates a corner.
  public init(id: Int, pixel: SIMD2<Double>) {
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
  public var corners: [BoardCorner]
  /// Whether the image is a mirror image; corners are in its own pixels all the same.
  public var isMirrored: Bool

  /// Creates a view.
  public init(board: Board, imageSize: RasterSize, corners: [BoardCorner], isMirrored: Bool = false)
  {
    self.board = board
    self.imageSize = imageSize
    self.corners = corners
    self.isMirrored = isMirrored
  }
}
