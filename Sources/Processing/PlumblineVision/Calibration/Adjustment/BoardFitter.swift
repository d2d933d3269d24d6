package import PlumblineModel

/// Fits a camera and the shape of the board to views.
///
/// Deterministic: the same views in the same order give the same bits. 50 views of 63 corners take
/// some tenths of a second.
package struct BoardFitter: Sendable {
  /// The fewest views: blocks of neighboring views are the units that vary independently, and five
  /// are needed for a ±.
  package static let minimumViews = AdjustmentSpread.blockCount

  /// The lens model that is assumed.
  package enum Lens: Hashable, Sendable {
    /// None.
    case none
    /// Brown's radial terms, one to three.
    case polynomial(terms: Int)
    /// A cubic spline of so many intervals out to the corner of the image.
    case spline(intervals: Int)
  }

  /// The lens model that is assumed.
  package var lens: Lens
  /// Whether the principal point is estimated, within what is expected of devices.
  package var freesCenter: Bool
  /// Whether the ratio of the focal lengths is estimated.
  package var freesAspect: Bool
  /// Whether Brown's tangential terms are estimated.
  package var freesTangential: Bool
  /// Whether the board may be bent.
  package var freesShape: Bool

  /// Creates a fitter.
  package init(
    lens: Lens = .none, freesCenter: Bool = true, freesAspect: Bool = false,
    freesTangential: Bool = false, freesShape: Bool = true
  ) {
    self.lens = lens
    self.freesCenter = freesCenter
    self.freesAspect = freesAspect
    self.freesTangential = freesTangential
    self.freesShape = freesShape
  }

  /// How far a device's principal point may lie from the middle of the image before it is no
  /// expectation any more: 5 % of the width, sixteen times what is seen on sound devices.
  package static let plausibleCenterShare = 0.05

  /// Fits the free numbers, starting from a camera or from nothing.
  ///
  /// - Parameters:
  ///   - views: Views of one board in the order of time, none mirrored, each with 4 corners or
  ///     more.
  ///   - initial: The camera whose fixed numbers are kept, and whose principal point is expected;
  ///     without one, or where its principal point is far from the middle, the middle is expected
  ///     within 5 % of the width.
  /// - Returns: The fit.
  /// - Throws: ``CalibrationError`` when the views are too few, all alike, or leave a number open.
  package func fit(
    _ views: [BoardView], initial: PinholeIntrinsics? = nil
  ) throws(CalibrationError) -> BoardFit {
    guard views.count >= Self.minimumViews else {
      throw CalibrationError(
        .tooFewViews, expected: "at least \(Self.minimumViews) views with corners of the board",
        found: "\(views.count)")
    }
    let size = views[0].imageSize
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    let away = initial.map { $0.principalPoint - middle } ?? .zero
    let isPlausible =
      initial != nil
      && max(abs(away.x), abs(away.y)) <= Self.plausibleCenterShare * Double(size.width)
    let start = isPlausible ? initial : nil
    // The plain calibrator finds poses and a first focal length, and says best what is missing.
    let rough = try CameraCalibrator(free: .focal, minimumCorners: 4).calibrate(
      views, initial: start.map { CameraModel(intrinsics: $0) })
    var camera = RadialCamera(intrinsics: rough.camera.intrinsics, basis: .none)
    camera = camera.with(lens)
    let unit = Double(size.width) / 640
    let sigma =
      start == nil
      ? Self.plausibleCenterShare * Double(size.width) : BoardAdjustment.centerSigmaPixels * unit
    let adjustment = BoardAdjustment(
      camera: camera, poses: rough.views.map(\.cameraFromBoard),
      offsets: [SIMD3<Double>](repeating: .zero, count: views[0].board.cornerCount),
      views: views.map(ObservedView.init),
      free: AdjustedNumbers(
        aspect: freesAspect, center: freesCenter || start == nil, tangential: freesTangential,
        lensCount: camera.coefficients.count),
      hasShape: freesShape,
      center: (mean: start?.principalPoint ?? middle, sigma: sigma))
    return try Self.settled(adjustment)
  }

  /// Iterates an adjustment to convergence and assesses it.
  static func settled(_ start: BoardAdjustment) throws(CalibrationError) -> BoardFit {
    var adjustment = start
    let (outcome, scale) = adjustment.settle()
    guard outcome != .singular else { throw Self.open }
    guard outcome == .converged else {
      throw CalibrationError(
        .notConverged, expected: "steps that settle",
        found:
          "corners \((adjustment.cost / Double(max(1, adjustment.cornerCount))).squareRoot()) px off"
      )
    }
    guard adjustment.camera.isMonotonic else {
      throw CalibrationError(
        .parameterUnobservable, expected: "corners that determine the lens out to the border",
        found: "a lens that folds the image over")
    }
    guard let spread = AdjustmentSpread(adjustment) else { throw Self.open }
    let fit = BoardFit(adjustment, spread: spread, scale: scale)
    let sigma = fit.focalSigma.plusMinus
    guard sigma <= CameraCalibrator.largestFocalSigma * fit.focal else {
      let percent = (sigma / fit.focal * 1000).rounded() / 10
      throw CameraCalibrator.unobservable("a focal length with ±\(percent) %")
    }
    return fit
  }

  private static var open: CalibrationError {
    CalibrationError(
      .parameterUnobservable,
      expected: "views that determine every free number when a fifth of them is left out",
      found: "equations without a single solution")
  }
}

extension RadialCamera {
  /// The same pinhole with a lens of zeros that has the functions of an assumption.
  func with(_ lens: BoardFitter.Lens) -> RadialCamera {
    switch lens {
    case .none: RadialCamera(intrinsics: intrinsics, basis: .none)
    case .polynomial(let terms):
      RadialCamera(intrinsics: intrinsics, basis: .polynomial(terms: terms))
    case .spline(let intervals):
      // A tenth beyond the corner, whose ideal position lies farther out under a lens that draws
      // inward.
      RadialCamera(
        intrinsics: intrinsics, basis: .spline(intervals: intervals, end: 1.1 * cornerSquare))
    }
  }
}
