import PlumblineModel

/// Estimates a camera from views of a board.
///
/// Deterministic: the same views in the same order give the same bits. 50 views of 63 corners take
/// well below 0.1 s.
package struct CameraCalibrator: Hashable, Sendable {
  /// The fewest views that give an uncertainty: views are the units that vary independently.
  package static let minimumViews = 3
  /// The largest relative standard deviation of a focal length that is still reported.
  ///
  /// Phone makers' numbers are within 7 % even where they are wrong (arXiv 2201.10865, table 2), so
  /// an estimate looser than 5 % can neither confirm nor deny any.
  package static let largestFocalSigma = 0.05
  /// The angle in radians, 3°, up to which views count as one, when they also stand close.
  package static let alikeAngle = 0.052
  /// The share of their distance up to which views stand close.
  package static let alikeShare = 0.05

  /// How wrong a first focal length must be for the boards' leanings to be chosen again.
  private static let doubtfulStart = 0.02

  /// The numbers to estimate.
  package var free: FreeParameters
  /// The loss function, which limits the weight of outliers.
  package var loss: RobustLoss
  /// The fewest corners of a view that is used; views with fewer are skipped and listed.
  package var minimumCorners: Int

  /// Creates a calibrator.
  ///
  /// - Parameters:
  ///   - free: The numbers to estimate; focal length by default.
  ///   - loss: How outliers are met.
  ///   - minimumCorners: The fewest corners of a view; 10 in arXiv 2201.10865, section 5.1.
  /// - Precondition: Something is free, and views have at least 4 corners.
  package init(
    free: FreeParameters = .focal, loss: RobustLoss = .huber, minimumCorners: Int = 10
  ) {
    precondition(!free.parameters.isEmpty, "a calibration needs a free parameter")
    precondition(minimumCorners >= 4, "\(minimumCorners) corners tell no pose")
    self.free = free
    self.loss = loss
    self.minimumCorners = minimumCorners
  }

  /// Estimates the free parameters, starting from a camera or from nothing.
  ///
  /// - Parameters:
  ///   - views: Views of boards, none mirrored; see ``BoardView/unmirrored``.
  ///   - initial: The camera whose fixed numbers are kept; without one the principal point is the
  ///     image's middle, pixels are square, and the focal length comes from the boards' shapes.
  /// - Returns: The camera, the poses and every uncertainty.
  /// - Throws: ``CalibrationError`` when the views leave a free number open, are too few, all alike,
  ///   mirrored, or of another size.
  /// - Precondition: No factor of the polynomial is free when the lens is a table.
  package func calibrate(
    _ views: [BoardView], initial: CameraModel? = nil
  ) throws(CalibrationError) -> CalibrationEstimate {
    let used = try usable(views, size: initial?.intrinsics.size)
    let usedViews = used.map { views[$0] }
    var camera: CameraModel
    if let initial { camera = initial } else { camera = try guessed(from: usedViews) }
    if free.includesLens, case .none = camera.lens {
      camera.lens = .polynomial(radial: .zero, tangential: .zero)
    }
    if case .radial = camera.lens {
      precondition(!free.includesLens, "a lens given as a table stays as given")
    }
    var problem = ReprojectionProblem(
      camera: camera, parameters: free.parameters, views: usedViews.map(ObservedView.init),
      poses: try BoardPose.poses(of: usedViews, numbers: used, camera: camera))
    try descend(&problem, tolerance: 1e-6)
    if abs(problem.camera[.focal] / camera[.focal] - 1) > Self.doubtfulStart {
      // A wrong first focal length can take a board's other leaning for the better one.
      problem.poses = try BoardPose.poses(of: usedViews, numbers: used, camera: problem.camera)
    }
    try descend(&problem, tolerance: 1e-12)
    try requireDistinct(problem.poses)
    let scale = try settle(&problem)
    return try CalibrationEstimate(
      problem, views: usedViews, numbers: used,
      skipped: views.indices.filter { views[$0].corners.count < minimumCorners }, scale: scale)
  }

  private func usable(_ views: [BoardView], size: RasterSize?) throws(CalibrationError) -> [Int] {
    let used = views.indices.filter { views[$0].corners.count >= minimumCorners }
    guard used.count >= Self.minimumViews else {
      throw CalibrationError(
        .tooFewViews,
        expected: "at least \(Self.minimumViews) views of at least \(minimumCorners) corners",
        found: "\(used.count) of \(views.count)")
    }
    let size = size ?? views[used[0]].imageSize
    for index in used {
      guard !views[index].isMirrored else {
        throw CalibrationError(
          .mirroredView, view: index, expected: "an image that is not mirrored",
          found: "a mirror image")
      }
      guard views[index].imageSize == size else {
        throw CalibrationError(
          .unequalSizes, view: index, expected: "an image of \(size)",
          found: "\(views[index].imageSize)")
      }
    }
    return used
  }

  private func guessed(from views: [BoardView]) throws(CalibrationError) -> CameraModel {
    let size = views[0].imageSize
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    guard
      let focal = InitialFocalLength(views, principalPoint: middle, size: size).pixels
    else { throw Self.unobservable("boards that never lean away from the image plane") }
    return CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(repeating: focal), principalPoint: middle, size: size))
  }

  private func descend(
    _ problem: inout ReprojectionProblem, tolerance: Double
  ) throws(CalibrationError) {
    switch problem.minimize(tolerance: tolerance) {
    case .converged: return
    case .singular: throw openParameter
    case .stalled:
      throw CalibrationError(
        .notConverged, expected: "steps that settle within 100",
        found: "corners \((problem.cost / Double(problem.cornerCount)).squareRoot()) px off")
    }
  }

  private var openParameter: CalibrationError {
    if free == .focal { return Self.unobservable("equations without a single solution") }
    return CalibrationError(
      .parameterUnobservable, expected: "views that determine every free parameter",
      found: "equations without a single solution")
  }

  static func unobservable(_ found: String) -> CalibrationError {
    CalibrationError(
      .focalUnobservable, expected: "boards leaning by different angles, 20° and more", found: found
    )
  }

  /// Refuses views of one pose: their errors repeat, and no formula sees that.
  private func requireDistinct(_ poses: [RigidTransform]) throws(CalibrationError) {
    let isAlike = poses.dropFirst().allSatisfy { pose in
      let first = poses[0]
      let apart = pose.translation - first.translation
      let distance = (first.translation * first.translation).sum().squareRoot()
      return pose.rotation.angle(to: first.rotation) < Self.alikeAngle
        && (apart * apart).sum().squareRoot() < Self.alikeShare * distance
    }
    if isAlike {
      throw CalibrationError(
        .viewsAlike, expected: "views from different places",
        found: "\(poses.count) views within 3° and 5 % of the distance")
    }
  }

  /// Weighs corners by their distance until the camera rests; returns the spread of a coordinate.
  private func settle(_ problem: inout ReprojectionProblem) throws(CalibrationError) -> Double {
    var scale = problem.scale
    guard loss != .squared else { return scale }
    for _ in 0..<40 {
      let before = problem.camera
      problem.reweight(loss, scale: scale)
      try descend(&problem, tolerance: 1e-7)
      scale = problem.scale
      let rests = problem.parameters.allSatisfy { parameter in
        // A ten-millionth of its size: for a focal length a thousandth of the least deviation seen.
        let size = max(1, abs(before[parameter]))
        return abs(problem.camera[parameter] - before[parameter]) <= 1e-7 * size
      }
      if rests { break }
    }
    return scale
  }
}

/// A first focal length from the shapes of flat boards alone, for square pixels and a known center.
///
/// - Source: Z. Zhang, *A Flexible New Technique for Camera Calibration*, PAMI 22 (2000), equations
///   3 and 4, with the principal point known: each map gives two linear equations for 1/f².
struct InitialFocalLength {
  /// The focal length in pixels, or `nil` when no board leans enough to tell.
  let pixels: Double?

  init(_ views: [BoardView], principalPoint: SIMD2<Double>, size: RasterSize) {
    // In units of the image's longer side all terms are near 1.
    let unit = Double(max(size.width, size.height))
    var square = 0.0
    var product = 0.0
    for view in views {
      let points = view.corners.map { view.board.cornerInBoard($0.id) }
      guard
        let map = PlaneHomography(
          from: points.map { SIMD2($0.x, $0.y) },
          to: view.corners.map { ($0.pixel - principalPoint) / unit })
      else { continue }
      var (x, y, _) = map.columns
      let length = ((x * x).sum() + (y * y).sum()).squareRoot()
      x /= length
      y /= length
      let orthogonal = (x.x * y.x + x.y * y.y, x.z * y.z)
      let equal = (
        x.x * x.x + x.y * x.y - y.x * y.x - y.y * y.y, x.z * x.z - y.z * y.z
      )
      for (image, depth) in [orthogonal, equal] {
        square += image * image
        product -= image * depth
      }
    }
    // With a = image terms, b = depth terms: minimize Σ(w·a + b)², so w = −Σab/Σa².
    let inverseSquare = product / square
    let focal = unit / inverseSquare.squareRoot()
    pixels = focal.isFinite && focal > unit / 20 && focal < unit * 50 ? focal : nil
  }
}
