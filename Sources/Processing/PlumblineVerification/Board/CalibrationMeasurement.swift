public import PlumblineModel
public import PlumblineVision

/// A camera measured for use: what of it was free, what it came to, and how sure each number is.
public struct CalibrationMeasurement: Sendable {
  /// The lens model that is assumed.
  public enum LensChoice: String, Sendable, CaseIterable {
    /// The lens that best predicts frames that were left out.
    case automatic
    /// The device's own table, kept.
    case appleTable = "apple-table"
    /// A polynomial, estimated.
    case polynomial
    /// A spline of the radius, estimated.
    case spline
    /// None.
    case none
  }

  /// The camera, in pixels of the images.
  public let camera: CameraModel
  /// The ± of its numbers; those that were kept have none.
  public let uncertainty: CalibrationUncertainty
  /// The root mean square distance between corners and their projections, in pixels, of the corners
  /// that were not rejected.
  public let rmsPixels: Double
  /// The same of all corners, in pixels.
  public let rmsOfAllPixels: Double
  /// The same of frames that were left out, in pixels; `nil` where the others determine no camera.
  public let leftOutRMSPixels: Double?
  /// The names of the frames it rests on.
  public let frameNames: [String]
  /// Whether the images need no lens: pixels lie where the pinhole sees them.
  public let isRectified: Bool
  /// The lens model that was assumed.
  public let lens: LensChoice

  init(
    fit: BoardFit, table: LensDistortion?, lens: LensChoice, frameNames: [String],
    uncertainty: CalibrationUncertainty
  ) {
    var camera = fit.camera
    if let table { camera.lens = .radial(table) }
    self.camera = camera
    self.uncertainty = uncertainty
    rmsPixels = fit.rmsPixels
    rmsOfAllPixels = fit.rmsOfAllPixels
    leftOutRMSPixels = fit.leftOutFrames()?.rmsPixels
    self.frameNames = frameNames
    isRectified = lens == .none
    self.lens = lens
  }

  /// The camera as a calibration of the images.
  public var calibration: CameraCalibration {
    let distortion: LensDistortion? =
      switch camera.lens {
      case .none: nil
      case .radial(let table): table
      case .polynomial(let radial, _):
        LensDistortion(radialPolynomial: radial, of: camera.intrinsics)
      }
    return CameraCalibration(intrinsics: camera.intrinsics, distortion: distortion)
  }
}

/// Measures a camera from the frames of a verification, which found the frames that moved.
public struct CameraMeasurer: Sendable {
  /// What is estimated besides the focal length and the lens; all else stays as the device says,
  /// the principal point unless frames left out say otherwise.
  public var free: FreeParameters
  /// The lens model that is assumed.
  public var lens: CalibrationMeasurement.LensChoice

  /// Creates a measurer.
  public init(
    free: FreeParameters = .focal, lens: CalibrationMeasurement.LensChoice = .automatic
  ) {
    self.free = free
    self.lens = lens
  }

  /// Measures the camera.
  ///
  /// - Parameter verification: The assessed frames.
  /// - Returns: The camera with its ±.
  /// - Throws: ``CalibrationError`` where the views do not determine it, so that no number goes out
  ///   without its ±.
  public func measure(
    _ verification: CalibrationVerification
  ) throws(CalibrationError) -> CalibrationMeasurement {
    let table = LensEstimate.Lens.tableInverse.table(of: verification.factory?.distortion)
    let choice = lens == .automatic ? verification.lensChoice : lens
    if choice == .appleTable, table == nil {
      throw CalibrationError(
        .parameterUnobservable, expected: "frames that carry the lens's table", found: "none")
    }
    var views = verification.frames.map(\.view)
    if choice == .appleTable, let table { views = views.map { $0.moved(by: table.undistorted) } }
    let fit = try fitter(choice, verification).fit(
      views, initial: verification.factory?.intrinsics)
    guard verification.orientationCount >= CalibrationVerification.minimumOrientations else {
      throw CalibrationError(
        .viewsAlike,
        expected: "a board leaning at least \(CalibrationVerification.minimumOrientations) ways",
        found: "\(verification.orientationCount) in \(views.count) views")
    }
    return CalibrationMeasurement(
      fit: fit, table: choice == .appleTable ? table : nil, lens: choice,
      frameNames: verification.frames.map(\.name),
      uncertainty: uncertainty(of: fit, choice, views, verification))
  }

  private func fitter(
    _ choice: CalibrationMeasurement.LensChoice, _ verification: CalibrationVerification
  ) -> BoardFitter {
    var assumed = BoardFitter.Lens.none
    switch choice {
    case .automatic, .none, .appleTable: break
    case .polynomial:
      assumed = .polynomial(terms: lens == .automatic ? 2 : 3)
    case .spline:
      var intervals = 4
      if case .spline(let count, _)? = verification.measured?.fit.basis { intervals = count }
      assumed = .spline(intervals: intervals)
    }
    // The principal point is freed on request, and where that predicts frames left out better.
    return BoardFitter(
      lens: assumed,
      freesCenter: free.contains(.principalPoint)
        || verification.measured?.fit.centerSigma != nil, freesAspect: free.contains(.aspect),
      freesTangential: free.contains(.tangential))
  }

  /// The ± of each number, with how far a lens that predicts worse than the best moves the focal
  /// length: what its functions leave over in the middle of the image counts as focal length, in
  /// all views alike, so that no scatter over views shows it.
  private func uncertainty(
    of fit: BoardFit, _ choice: CalibrationMeasurement.LensChoice, _ views: [BoardView],
    _ verification: CalibrationVerification
  ) -> CalibrationUncertainty {
    let shift = verification.measured?.centerShift ?? 0
    var focal = fit.focalSigma.adding(LensEstimate.centerShiftShare * shift).plusMinus
    var basis = "\(views.count) views of a board: five blocks left out in turn, with its shape"
    if let best = verification.measured, choice != verification.lensChoice {
      let moved = fit.focal - best.focal
      focal = (focal * focal + moved * moved).squareRoot()
      basis += ", and what the best lens changes"
    }
    var radial: [Double]?
    if case .polynomial = fit.basis { radial = fit.lensSigmas }
    return CalibrationUncertainty(
      focalLengthPixels: SIMD2(repeating: focal), principalPointPixels: fit.centerSigma,
      radialTerms: radial, projection: verification.projection, basis: basis)
  }
}

extension CalibrationVerification {
  /// The lens that the images turned out to have.
  var lensChoice: CalibrationMeasurement.LensChoice {
    switch measured?.lens {
    case .tableInverse?, .tableForward?: .appleTable
    case .radial?: .polynomial
    case .spline?: .spline
    case .focal?, nil: .none
    }
  }
}
