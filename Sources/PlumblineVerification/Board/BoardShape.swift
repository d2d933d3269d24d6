import PlumblineModel
import PlumblineVision

/// Where the corners of a real board truly are: no sheet is flat.
///
/// A board that is bent by a tenth of a millimeter moves corners by tenths of a pixel, always the
/// same ones by the same way, which is far above the noise of a corner and does not average out.
/// - Source: K. H. Strobl, G. Hirzinger, More accurate pinhole camera calibration with imperfect
///   planar target, 2011, who estimate the corners together with the camera.
public struct BoardShape: Sendable {
  /// What a board is taken to be before anything is seen: flat within 0.1 mm, in meters.
  ///
  /// One standard deviation. It keeps corners that few views show near their place.
  static let priorSigmaMeters = 1e-4
  /// The fewest views, and the fewest orientations of them, that tell a bent board from a wrong
  /// camera: each corner has three numbers.
  static let minimumViews = 8
  /// See ``minimumViews``.
  static let minimumOrientations = 5

  /// How far each corner is from its place on a flat board, in meters of the board's frame.
  public let offsets: [Int: SIMD3<Double>]

  /// The root mean square distance of the corners from the plane, in meters.
  public var flatnessMeters: Double {
    // In the order of the corners, since sums of rounded numbers depend on it.
    let square = offsets.keys.sorted().reduce(0) { sum, id in
      let z = offsets[id]?.z ?? 0
      return sum + z * z
    }
    return (square / Double(max(offsets.count, 1))).squareRoot()
  }

  /// Where a corner truly is, in meters of the board.
  func corner(_ id: Int, of board: Board) -> SIMD3<Double> {
    board.cornerInBoard(id) + (offsets[id] ?? .zero)
  }

  /// Estimates a shape by turns with the camera; `nil` where the board is flat as far as the views
  /// tell, that is where its shape does not shrink the residuals decisively.
  ///
  /// - Parameters:
  ///   - views: Views freed from the lens.
  ///   - first: The estimate that takes the board for flat.
  ///   - estimate: Estimates again from views.
  init?(
    _ views: [BoardView], first: LensEstimate, estimate: ([BoardView]) -> LensEstimate?
  ) {
    guard views.count >= Self.minimumViews else { return nil }
    var current = first
    var offsets = Self.step(views, current, from: [:])
    guard
      LensComparison.decisiveRatio * Self.rms(views, current, offsets) < first.rmsPixels,
      var last = estimate(Self.flattened(views, current, offsets))
    else { return nil }
    // The turns converge by a factor of about two each; what is left is below 0.01 px.
    for _ in 0..<6 {
      current = last
      offsets = Self.step(views, current, from: offsets)
      guard let next = estimate(Self.flattened(views, current, offsets)) else { return nil }
      last = next
    }
    guard LensComparison.decisiveRatio * last.rmsPixels < first.rmsPixels else { return nil }
    self.offsets = offsets
  }

  /// The views as they would be of a flat board.
  func flattened(_ views: [BoardView], by estimate: LensEstimate) -> [BoardView] {
    Self.flattened(views, estimate, offsets)
  }

  /// One step of Gauss and Newton for the corners, each on its own, the camera and its poses kept.
  private static func step(
    _ views: [BoardView], _ estimate: LensEstimate, from offsets: [Int: SIMD3<Double>]
  ) -> [Int: SIMD3<Double>] {
    let focal = estimate.focal
    let variance = estimate.rmsPixels * estimate.rmsPixels / 2
    let prior = max(variance, 1e-8) / (priorSigmaMeters * priorSigmaMeters)
    var rows: [Int: Rotation] = [:]
    var sides: [Int: SIMD3<Double>] = [:]
    for (view, pose) in zip(views, estimate.cameraFromBoard) {
      let toBoard = pose.rotation.inverse
      for corner in view.corners {
        let offset = offsets[corner.id] ?? .zero
        let point = pose * (view.board.cornerInBoard(corner.id) + offset)
        let miss = corner.pixel - estimate.camera.intrinsics.project(point)
        let ray = SIMD2(point.x, point.y) / point.z
        let scale = focal / point.z
        // The change of column and row by the corner's place, in the frame of the board.
        let column = toBoard * SIMD3(scale, 0, -scale * ray.x)
        let row = toBoard * SIMD3(0, scale, -scale * ray.y)
        var matrix =
          rows[corner.id] ?? Rotation(x: [prior, 0, 0], y: [0, prior, 0], z: [0, 0, prior])
        matrix.x += column * column.x + row * row.x
        matrix.y += column * column.y + row * row.y
        matrix.z += column * column.z + row * row.z
        rows[corner.id] = matrix
        sides[corner.id, default: .zero] += column * miss.x + row * miss.y
      }
    }
    var result: [Int: SIMD3<Double>] = [:]
    for (id, matrix) in rows {
      let offset = offsets[id] ?? .zero
      let side = (sides[id] ?? .zero) - offset * prior
      result[id] = offset + (PlaneFit.solution(of: matrix, side) ?? .zero)
    }
    return result
  }

  private static func flattened(
    _ views: [BoardView], _ estimate: LensEstimate, _ offsets: [Int: SIMD3<Double>]
  ) -> [BoardView] {
    zip(views, estimate.cameraFromBoard).map { view, pose in
      var flat = view
      flat.corners = view.corners.map { corner in
        let place = view.board.cornerInBoard(corner.id)
        let camera = estimate.camera.intrinsics
        let moved = camera.project(pose * (place + (offsets[corner.id] ?? .zero)))
        return BoardCorner(
          id: corner.id, pixel: corner.pixel - moved + camera.project(pose * place))
      }
      return flat
    }
  }

  private static func rms(
    _ views: [BoardView], _ estimate: LensEstimate, _ offsets: [Int: SIMD3<Double>]
  ) -> Double {
    var square = 0.0
    var count = 0
    for (view, pose) in zip(flattened(views, estimate, offsets), estimate.cameraFromBoard) {
      for corner in view.corners {
        let point = pose * view.board.cornerInBoard(corner.id)
        let miss = corner.pixel - estimate.camera.intrinsics.project(point)
        square += (miss * miss).sum()
        count += 1
      }
    }
    return (square / Double(max(count, 1))).squareRoot()
  }
}

extension BoardShape {
  /// The shape with the views of a flat board; `nil` where the board is flat.
  ///
  /// - Parameters:
  ///   - views: As the images show them.
  ///   - flat: The estimate that takes the board for flat.
  ///   - start: The device's own camera.
  /// - Returns: The shape, the views of a flat board, and the estimate from them.
  static func found(
    _ views: [BoardView], _ flat: LensEstimate, start: CameraCalibration?
  ) -> (shape: BoardShape, views: [BoardView], estimate: LensEstimate)? {
    let ideal = flat.freed(views)
    // Squares converge thrice as fast; what is far off is left out or weighed by who asks.
    let estimator = BoardEstimator(start: start?.intrinsics, loss: .squared)
    // The lens is taken out already, whatever it was.
    var last = flat
    let shape = BoardShape(ideal, first: flat) { views in
      guard let next = estimator.estimate(views, lens: .focal) else { return nil }
      last = next
      return next
    }
    guard let shape else { return nil }
    let moves = zip(ideal, shape.flattened(ideal, by: last)).map { before, after in
      zip(before.corners, after.corners).map { $1.pixel - $0.pixel }
    }
    // What the shape moves is tenths of a pixel, which no lens changes by a hundredth.
    let flattened = zip(views, moves).map { view, moves in
      var flat = view
      flat.corners = zip(view.corners, moves).map { corner, move in
        BoardCorner(id: corner.id, pixel: corner.pixel + move)
      }
      return flat
    }
    return (shape, flattened, last)
  }
}

extension LensComparison {
  /// The estimates with half of what the shape of the board changed as a part of their ±, since all
  /// views share the shape and no jackknife over views sees it.
  func widened(by flat: LensComparison) -> [LensEstimate] {
    estimates.map { estimate in
      guard let before = flat.estimates.first(where: { $0.lens == estimate.lens }) else {
        return estimate
      }
      var wide = estimate
      let change = (estimate.focal - before.focal) / 2
      wide.focalSigma = (estimate.focalSigma * estimate.focalSigma + change * change).squareRoot()
      return wide
    }
  }
}
