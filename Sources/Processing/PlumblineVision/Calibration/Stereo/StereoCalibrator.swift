import PlumblineModel

/// Estimates two cameras and where they stand to each other from pairs of views of a board.
///
/// All views take part in one sum of squares, so that what the two cameras say about each board
/// agrees. Deterministic: the same pairs in the same order give the same bits.
package struct StereoCalibrator: Hashable, Sendable {
  /// The fewest pairs that give an uncertainty.
  package static let minimumPairs = 3

  /// The numbers of each camera to estimate; none keeps the cameras as given.
  package var free: FreeParameters
  /// The loss function, which limits the weight of outliers.
  package var loss: RobustLoss
  /// The fewest corners of a view; pairs with a poorer view are skipped and listed.
  package var minimumCorners: Int

  /// Creates a calibrator.
  ///
  /// - Parameters:
  ///   - free: The numbers of each camera to estimate: focal length, principal point and two radial
  ///     terms unless said otherwise, as many as a dozen boards tell.
  ///   - loss: How outliers are met.
  ///   - minimumCorners: The fewest corners of a view.
  /// - Precondition: Views have at least 4 corners.
  package init(
    free: FreeParameters = [.focal, .principalPoint, .radial1, .radial2],
    loss: RobustLoss = .huber, minimumCorners: Int = 10
  ) {
    precondition(minimumCorners >= 4, "\(minimumCorners) corners tell no pose")
    self.free = free
    self.loss = loss
    self.minimumCorners = minimumCorners
  }

  /// Estimates both cameras, starting from given ones or from nothing.
  ///
  /// - Parameters:
  ///   - pairs: Views of boards, none mirrored.
  ///   - left: The left camera whose fixed numbers are kept; see `CameraCalibrator`.
  ///   - right: The right camera likewise.
  /// - Returns: Cameras, relative pose and every uncertainty.
  /// - Throws: ``CalibrationError`` where the views leave a number open, are too few or alike, or where
  ///   nothing is free and a camera is not given.
  /// - Precondition: No factor of the polynomial is free when a lens is a table.
  package func calibrate(
    _ pairs: [BoardViewPair], left: CameraModel? = nil, right: CameraModel? = nil
  ) throws(CalibrationError) -> StereoCalibrationEstimate {
    let used = pairs.indices.filter {
      min(pairs[$0].left.corners.count, pairs[$0].right.corners.count) >= minimumCorners
    }
    guard used.count >= Self.minimumPairs else {
      throw CalibrationError(
        .tooFewViews,
        expected: "at least \(Self.minimumPairs) pairs of views of at least "
          + "\(minimumCorners) corners each", found: "\(used.count) of \(pairs.count)")
    }
    for index in used where pairs[index].left.board != pairs[index].right.board {
      throw CalibrationError(
        .noPose, view: index, expected: "one board in both views", found: "two different ones")
    }
    let leftViews = used.map { pairs[$0].left }
    let rightViews = used.map { pairs[$0].right }
    let leftCamera = try camera(of: leftViews, given: left, numbers: used)
    let rightCamera = try camera(of: rightViews, given: right, numbers: used)
    let leftPoses = try BoardPose.poses(of: leftViews, numbers: used, camera: leftCamera)
    let rightPoses = try BoardPose.poses(of: rightViews, numbers: used, camera: rightCamera)
    var problem = StereoProblem(
      left: leftCamera, right: rightCamera,
      rightFromLeft: Self.middle(zip(leftPoses, rightPoses).map { $1 * $0.inverse }),
      parameters: free.parameters, leftViews: leftViews.map(ObservedView.init),
      rightViews: rightViews.map(ObservedView.init), leftFromBoards: leftPoses)
    try descend(&problem, tolerance: 1e-12)
    let scale = try settle(&problem)
    return try StereoCalibrationEstimate(
      problem, pairs: used.map { pairs[$0] }, numbers: used,
      skipped: pairs.indices.filter { !used.contains($0) }, scale: scale)
  }

  /// A camera by itself: the start of both together.
  private func camera(
    of views: [BoardView], given: CameraModel?, numbers: [Int]
  ) throws(CalibrationError) -> CameraModel {
    if free.parameters.isEmpty {
      guard let given else {
        throw CalibrationError(
          .parameterUnobservable, expected: "two cameras where none of their numbers is free",
          found: "a camera that is not given")
      }
      return given
    }
    let calibrator = CameraCalibrator(free: free, loss: loss, minimumCorners: minimumCorners)
    do throws(CalibrationError) {
      return try calibrator.calibrate(views, initial: given).camera
    } catch {
      throw error.view.map { error.inView(numbers[$0]) } ?? error
    }
  }

  /// The transform that turns least from all others: a board taken for leaning the other way does
  /// not move it.
  private static func middle(_ transforms: [RigidTransform]) -> RigidTransform {
    let sums = transforms.map { one in
      transforms.reduce(0) { $0 + $1.rotation.angle(to: one.rotation) }
    }
    let best = sums.indices.min { sums[$0] < sums[$1] } ?? 0
    return transforms[best]
  }

  private func descend(
    _ problem: inout StereoProblem, tolerance: Double
  ) throws(CalibrationError) {
    switch problem.minimize(tolerance: tolerance) {
    case .converged: return
    case .singular:
      throw CalibrationError(
        .parameterUnobservable, expected: "views that determine every free parameter",
        found: "equations without a single solution")
    case .stalled:
      throw CalibrationError(
        .notConverged, expected: "steps that settle within 100",
        found: "corners \((problem.cost / Double(problem.cornerCount)).squareRoot()) px off")
    }
  }

  /// Weighs corners by their distance until the pose rests; returns the spread of a coordinate.
  private func settle(_ problem: inout StereoProblem) throws(CalibrationError) -> Double {
    var scale = problem.scale
    guard loss != .squared else { return scale }
    for _ in 0..<40 {
      let before = problem
      problem.reweight(loss, scale: scale)
      try descend(&problem, tolerance: 1e-7)
      scale = problem.scale
      let moved = problem.rightFromLeft.translation - before.rightFromLeft.translation
      let length = before.rightFromLeft.translation
      let cameras = [(before.left, problem.left), (before.right, problem.right)]
      let rests = cameras.allSatisfy { old, new in
        free.parameters.allSatisfy { abs(new[$0] - old[$0]) <= 1e-7 * max(1, abs(old[$0])) }
      }
      // Ten-millionths, as for the cameras.
      if rests, (moved * moved).sum() <= 1e-14 * (length * length).sum() { break }
    }
    return scale
  }
}
