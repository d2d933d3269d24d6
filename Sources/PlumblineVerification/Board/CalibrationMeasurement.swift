public import PlumblineModel
public import PlumblineVision

/// A camera measured for use: what of it was free, what it came to, and how sure each number is.
public struct CalibrationMeasurement: Sendable {
  /// What is assumed of the lens.
  public enum LensChoice: String, Sendable, CaseIterable {
    /// What the images turn out to have.
    case automatic
    /// The device's own table, kept.
    case appleTable = "apple-table"
    /// A polynomial, estimated.
    case polynomial
    /// None.
    case none
  }

  /// The camera, in pixels of the images.
  public let camera: CameraModel
  /// One standard deviation of its numbers; those that were kept have none.
  public let uncertainty: CalibrationUncertainty
  /// The root mean square distance between corners and their projections, in pixels.
  public let rmsPixels: Double
  /// The names of the frames it rests on.
  public let frameNames: [String]
  /// Whether the images need no lens: pixels lie where the pinhole sees them.
  public let isRectified: Bool

  /// Measures a camera from the frames of a verification, which found the shape of the board and the
  /// frames that moved.
  ///
  /// One view for each place and direction of the camera is used; see ``ViewSelection``.
  /// - Parameters:
  ///   - verification: The judged frames.
  ///   - free: What is estimated besides the lens; all else stays as the device says.
  ///   - lens: What is assumed of the lens.
  /// - Throws: ``CalibrationError`` where the views do not determine it, so that no number goes out
  ///   without its ±.
  public init(
    _ verification: CalibrationVerification, free: FreeParameters = .focal,
    lens: LensChoice = .automatic
  ) throws(CalibrationError) {
    let table = LensEstimate.Lens.tableInverse.table(of: verification.factory?.distortion)
    let choice = lens == .automatic ? verification.lensChoice : lens
    if choice == .appleTable, table == nil {
      throw CalibrationError(
        .parameterUnobservable, expected: "frames that carry the lens's table", found: "none")
    }
    var views = verification.flatViews
    if choice == .appleTable, let table { views = views.map { $0.moved(by: table.undistorted) } }
    let start = verification.factory.map { CameraModel(intrinsics: $0.intrinsics) }
    var parameters = free.union(.focal)
    if choice == .polynomial, parameters.isDisjoint(with: [.radial1, .radial2, .radial3]) {
      parameters.formUnion([.radial1, .radial2, .radial3])
    }
    let calibrator = CameraCalibrator(
      free: parameters, minimumCorners: CalibrationVerification.minimumCorners)
    guard verification.orientationCount >= CalibrationVerification.minimumOrientations,
      let rough = verification.measured?.camera.intrinsics ?? start?.intrinsics
    else {
      // The solver says best why; where it is content, the orientations are too few.
      _ = try calibrator.calibrate(views, initial: start)
      throw CalibrationError(
        .viewsAlike,
        expected: "a board leaning at least \(CalibrationVerification.minimumOrientations) ways",
        found: "\(verification.orientationCount) in \(views.count) views")
    }
    let selected = ViewSelection(views, camera: CameraModel(intrinsics: rough)).selected
    let chosen =
      selected.count >= 2 * CameraCalibrator.minimumViews ? selected : Array(views.indices)
    let estimate = try calibrator.calibrate(chosen.map { views[$0] }, initial: start)
    var camera = estimate.camera
    if choice == .appleTable, let table { camera.lens = .radial(table) }
    self.camera = camera
    rmsPixels = estimate.rmsPixels
    frameNames = chosen.map { verification.frames[$0].name }
    isRectified = choice == .none
    let focal = max(estimate.focalSigma ?? 0, verification.measured?.focalSigma ?? 0)
    let radial = [CameraParameter.radial1, .radial2, .radial3].compactMap { estimate.sigma(of: $0) }
    uncertainty = CalibrationUncertainty(
      focalLengthPixels: SIMD2(repeating: focal),
      principalPointPixels: estimate.sigma(of: .principalPointX).flatMap { x in
        estimate.sigma(of: .principalPointY).map { SIMD2(x, $0) }
      },
      radialTerms: radial.isEmpty ? nil : radial,
      basis:
        "\(chosen.count) views of a board: jackknife over views, and half of what the shape of "
        + "the board changed")
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

extension CalibrationVerification {
  /// The lens that the images turned out to have.
  var lensChoice: CalibrationMeasurement.LensChoice {
    switch measured?.lens {
    case .tableInverse?, .tableForward?: .appleTable
    case .radial?: .polynomial
    case .focal?, nil: .none
    }
  }
}
