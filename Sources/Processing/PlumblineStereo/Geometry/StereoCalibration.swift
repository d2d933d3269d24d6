public import PlumblineModel
public import PlumblineVision

/// Two cameras and where they stand to each other: all that depth from two images needs.
///
/// Frame: each camera's axes are x right, y down, z forward. "Left" is the image of the
/// depth, wherever the cameras stand: ``StereoRectification`` turns the images so that the
/// other camera is at the right. Each camera has a size of its own.
public struct StereoCalibration: Sendable, Hashable {
  /// The camera that depth is computed for; its lens may be tables, Brown's terms or none.
  public var left: CameraModel
  /// The other camera.
  public var right: CameraModel
  /// Takes a point of the left camera's frame to the right camera's; in meters when ``isMetric``.
  public var rightFromLeft: RigidTransform
  /// Whether the translation is in meters; otherwise its length is made up and depth is relative.
  public var isMetric: Bool
  /// The part of the left image that shows the scene; `nil` for all of it.
  ///
  /// Dual photos taken zoomed are black outside (WWDC 2017, session 507, *clean aperture*).
  public var leftCleanAperture: PixelRectangle?
  /// The part of the right image that shows the scene; `nil` for all of it.
  public var rightCleanAperture: PixelRectangle?
  /// The uncertainty of the numbers; `nil` when not stated.
  public var uncertainty: StereoUncertainty?

  /// Joins two cameras.
  public init(
    left: CameraModel, right: CameraModel, rightFromLeft: RigidTransform, isMetric: Bool = true,
    uncertainty: StereoUncertainty? = nil
  ) {
    self.left = left
    self.right = right
    self.rightFromLeft = rightFromLeft
    self.isMetric = isMetric
    self.uncertainty = uncertainty
  }

  /// Joins two cameras as readers give them.
  public init(
    left: CameraCalibration, right: CameraCalibration, rightFromLeft: RigidTransform,
    isMetric: Bool = true, uncertainty: StereoUncertainty? = nil
  ) {
    self.init(
      left: CameraModel(left), right: CameraModel(right), rightFromLeft: rightFromLeft,
      isMetric: isMetric, uncertainty: uncertainty)
  }

  /// The right camera's center in the left camera's frame.
  package var rightCenterInLeft: SIMD3<Double> {
    -(rightFromLeft.rotation.inverse * rightFromLeft.translation)
  }

  /// The distance between the two cameras' centers; meters where ``isMetric``.
  public var baselineMeters: Double {
    let t = rightFromLeft.translation
    return (t * t).sum().squareRoot()
  }

  /// The same cameras with the roles of the images exchanged.
  package var swapped: StereoCalibration {
    var copy = StereoCalibration(
      left: right, right: left, rightFromLeft: rightFromLeft.inverse, isMetric: isMetric,
      uncertainty: uncertainty)
    copy.leftCleanAperture = rightCleanAperture
    copy.rightCleanAperture = leftCleanAperture
    if let share = uncertainty?.offsetPixels {
      copy.uncertainty?.offsetPixels =
        share * right.intrinsics.focalLength.x / left.intrinsics.focalLength.x
    }
    // Sigmas along the left camera's axes would need the covariance.
    copy.uncertainty?.rotationRadians = nil
    copy.uncertainty?.translationMeters = nil
    return copy
  }

  /// The same cameras for images of other sizes.
  ///
  /// - Throws: `.mismatch` for a size of another shape than its camera's, since how it was cropped is
  ///   not known, and for an empty one.
  public func scaled(left size: RasterSize, right rightSize: RasterSize) throws(StereoError)
    -> StereoCalibration
  {
    var copy = self
    copy.left = try Self.scaled(left, to: size, "left")
    copy.right = try Self.scaled(right, to: rightSize, "right")
    copy.leftCleanAperture = leftCleanAperture?.scaled(from: left.intrinsics.size, to: size)
    copy.rightCleanAperture = rightCleanAperture?.scaled(
      from: right.intrinsics.size, to: rightSize)
    if let offset = uncertainty?.offsetPixels {
      copy.uncertainty?.offsetPixels =
        offset * copy.left.intrinsics.focalLength.x / left.intrinsics.focalLength.x
    }
    return copy
  }

  private static func scaled(
    _ camera: CameraModel, to size: RasterSize, _ name: String
  ) throws(StereoError) -> CameraModel {
    if camera.intrinsics.size == size { return camera }
    guard camera.intrinsics.matchesAspect(of: size) else {
      throw StereoError(
        .mismatch,
        expected: "a \(name) image of the shape of its calibration, \(camera.intrinsics.size)",
        found: "\(size)")
    }
    return camera.scaled(to: size)
  }
}

extension PixelRectangle {
  /// The pixels of another size that lie wholly inside.
  fileprivate func scaled(from source: RasterSize, to target: RasterSize) -> PixelRectangle {
    func range(_ start: Int, _ count: Int, _ from: Int, _ to: Int) -> (Int, Int) {
      let first = (start * to + from - 1) / from
      let end = (start + count) * to / from
      return (min(first, to), max(0, end - first))
    }
    let (x, width) = range(x, size.width, source.width, target.width)
    let (y, height) = range(y, size.height, source.height, target.height)
    return PixelRectangle(x: x, y: y, width: width, height: height)
  }
}

/// How well the geometry of two cameras is known: one standard deviation each.
///
/// A missing number is `nil`, which counts as 0 in the ± of a depth: the ± says so in its basis.
public struct StereoUncertainty: Hashable, Sendable {
  /// Sigma of the baseline, in the unit of the baseline (meters where it is metric).
  public var baselineMeters: Double?
  /// Sigma of the focal length relative to it, without unit.
  public var focalLengthShare: Double?
  /// Sigma of the pixel disparity of infinity, in pixels of the left camera: what is left open by
  /// both principal points and by the angle between the cameras.
  public var offsetPixels: Double?
  /// Sigma of the turn of `rightFromLeft` about the right camera's axes, in radians.
  public var rotationRadians: SIMD3<Double>?
  /// Sigma of the translation of `rightFromLeft`, in meters where it is metric.
  public var translationMeters: SIMD3<Double>?
  /// How far corresponding points are off each other's epipolar line, root mean square in pixels.
  public var epipolarPixels: Double?
  /// Where the numbers come from, in words, such as `covariance of 13 pairs of views`.
  public var basis: String

  /// Creates an uncertainty from its parts.
  package init(
    baselineMeters: Double? = nil, focalLengthShare: Double? = nil, offsetPixels: Double? = nil,
    rotationRadians: SIMD3<Double>? = nil, translationMeters: SIMD3<Double>? = nil,
    epipolarPixels: Double? = nil, basis: String
  ) {
    self.baselineMeters = baselineMeters
    self.focalLengthShare = focalLengthShare
    self.offsetPixels = offsetPixels
    self.rotationRadians = rotationRadians
    self.translationMeters = translationMeters
    self.epipolarPixels = epipolarPixels
    self.basis = basis
  }
}

extension StereoCalibration {
  /// Takes the estimate from boards, with its ±.
  public init(_ estimate: StereoCalibrationEstimate) {
    let focal = estimate.left[.focal]
    self.init(
      left: estimate.left, right: estimate.right, rightFromLeft: estimate.rightFromLeft,
      uncertainty: StereoUncertainty(
        baselineMeters: estimate.baselineSigma,
        focalLengthShare: estimate.leftSigma(of: .focal).map { $0 / focal },
        offsetPixels: estimate.offsetSigmaPixels, rotationRadians: estimate.sigmaRotation,
        translationMeters: estimate.sigmaTranslation,
        epipolarPixels: estimate.epipolarRMSPixels,
        basis: "covariance of \(estimate.pairs.count) pairs of views of a board, the larger one of "
          + "formal and jackknife"))
  }
}
