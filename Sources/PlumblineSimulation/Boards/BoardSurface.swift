public import PlumblineModel
public import PlumblineVision

/// A printed board: a flat sheet with the board's squares and a white margin around them.
public struct BoardSurface: SceneSurface {
  /// The board that is printed.
  public let board: Board
  /// The pose of the board; its own frame is that of ``Board``.
  public let sceneFromBoard: RigidTransform
  /// The white paper around the squares, in meters.
  public let marginMeters: Double
  /// The paper where nothing is printed.
  public let paper: Paint
  /// The black of the printer.
  public let ink: Paint
  private let artwork: BoardArtwork
  private let boardFromScene: RigidTransform
  private let normalInScene: SIMD3<Double>
  /// The ball through the corners of the sheet.
  public let bounds: BoundingBall?

  /// Prints a board.
  ///
  /// Office paper reflects about 80 % of the light, toner about 4 %.
  ///
  /// - Precondition: The board's dictionary has all of its markers; the margin is not negative.
  public init(
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

  /// The parameter of the point of the sheet ahead of the ray; `nil` when it misses.
  public func firstHit(of ray: Ray) -> Double? {
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

  /// The unit normal, towards the reader of the board.
  public func normal(at point: SIMD3<Double>) -> SIMD3<Double> { normalInScene }

  /// The paint at a point of the sheet.
  public func paint(at point: SIMD3<Double>) -> Paint {
    artwork.isBlack(at: placeInBoard(point) / board.squareMeters) ? ink : paper
  }

  /// The mean paint over a pixel; see ``BoardArtwork``.
  public func meanPaint(
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
