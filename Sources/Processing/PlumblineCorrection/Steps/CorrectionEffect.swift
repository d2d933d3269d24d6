package import PlumblineModel

/// What a correction changes, in numbers: how far the capture was off before it, and how far off it
/// may still be.
///
/// Both are measured against what the step takes as correct; `nil` is unknown.
public struct CorrectionEffect: Hashable, Sendable {
  /// The deviation of depths and lengths.
  public struct Deviation: Hashable, Sendable {
    /// Millimeters at the median depth: the sensor's depth minus the distance that follows from
    /// the camera's numbers for a thing of known size, such as a board.
    ///
    /// The sensor's own depths do not depend on the camera's numbers; a focal length that is 6 % too long
    /// puts the board 6 % too far away.
    public var zMillimeters: Double?
    /// Percent of lengths across the image, positive for lengths that are too long.
    public var lengthPercent: Double?
    /// Pixels of the map: the largest distance of an image point from where it should be.
    public var pixels: Double?

    /// Creates a deviation from its parts.
    package init(
      zMillimeters: Double? = nil, lengthPercent: Double? = nil, pixels: Double? = nil
    ) {
      self.zMillimeters = zMillimeters
      self.lengthPercent = lengthPercent
      self.pixels = pixels
    }

    /// No deviation.
    public static let none = Deviation(zMillimeters: 0, lengthPercent: 0, pixels: 0)
  }

  /// The bias before the correction, with its sign.
  public var before: Deviation
  /// The deviation that remains after it, one standard deviation.
  public var after: Deviation

  /// Creates an effect from its parts.
  package init(before: Deviation, after: Deviation = Deviation()) {
    self.before = before
    self.after = after
  }
}

extension DepthRecord {
  /// The median depth in meters; `nil` when nothing was measured or the unit is not the meter.
  var medianMeters: Double? {
    guard accuracy != .relative, hasUnit else { return nil }
    switch values {
    case .depth(let map): return map.statistics.medianMeters
    case .disparity(let map): return map.depthMap.statistics.medianMeters
    case .range(let map): return DepthMap(meters: map.meters).statistics.medianMeters
    }
  }

  /// Whether anything was measured in meters, so that there is a median; the first such pixel ends
  /// the search.
  var hasMeters: Bool {
    guard accuracy != .relative, hasUnit else { return false }
    let samples =
      switch values {
      case .depth(let map): map.meters.samples
      case .disparity(let map): map.inverseMeters.samples
      case .range(let map): map.meters.samples
      }
    return samples.contains { $0 > 0 && $0 < .infinity }
  }

  /// The calibration at the size of the map.
  ///
  /// - Throws: ``CorrectionError`` without a calibration, for one of another aspect ratio, and for a map
  ///   whose crop was not applied yet: the numbers could belong to the whole map or to the crop.
  func calibrationOfMap(for step: String) throws(CorrectionError) -> CameraCalibration {
    guard cleanAperture == nil else {
      throw CorrectionError(
        .unsupported, step: step, expected: "a map whose own crop was applied first",
        found: "a clean aperture")
    }
    guard let calibration else {
      throw CorrectionError(.missing, step: step, expected: "a calibration", found: "none")
    }
    guard calibration.intrinsics.matchesAspect(of: size) else {
      throw CorrectionError(
        .mismatch, step: step, expected: "a calibration of the shape of the \(size) map",
        found: "\(calibration.intrinsics.size)")
    }
    return calibration.scaled(to: size)
  }
}

extension Capture {
  /// The depth map.
  ///
  /// - Throws: ``CorrectionError`` when there is none.
  func requiredDepth(for step: String) throws(CorrectionError) -> DepthRecord {
    guard let depth else {
      throw CorrectionError(.missing, step: step, expected: "a depth map", found: "none")
    }
    return depth
  }
}

extension CorrectionEffect {
  /// The effect of replacing the camera of a map by another one.
  ///
  /// - Source: `Documentation/corrections.md`: lengths follow 1/f, distances of known things f.
  init(
    replacing old: CameraCalibration?, by new: CameraCalibration, sigmaFocalPixels: Double?,
    medianMeters: Double?
  ) {
    let focal = new.intrinsics.focalLength.x
    self.init(before: Deviation(), after: Deviation())
    if let old {
      let ratio = old.intrinsics.focalLength.x / focal
      before.lengthPercent = 100 * (1 / ratio - 1)
      before.zMillimeters = medianMeters.map { 1000 * $0 * (1 - ratio) }
      before.pixels = old.largestMovement(to: new)
    }
    if let sigmaFocalPixels {
      after.lengthPercent = 100 * sigmaFocalPixels / focal
      after.zMillimeters = medianMeters.map { 1000 * $0 * sigmaFocalPixels / focal }
    }
  }
}

extension CameraCalibration {
  /// The largest distance in pixels between where this camera and another one see the same ray, on
  /// a grid of 33 × 33 pixels that includes the border.
  package func largestMovement(to other: CameraCalibration) -> Double {
    var worst = 0.0
    let last = SIMD2(Double(intrinsics.size.width - 1), Double(intrinsics.size.height - 1))
    for row in 0...32 {
      for column in 0...32 {
        let pixel = last * SIMD2(Double(column), Double(row)) / 32
        let ideal = distortion?.undistorted(pixel) ?? pixel
        let ray = (ideal - intrinsics.principalPoint) / intrinsics.focalLength
        let seen = ray * other.intrinsics.focalLength + other.intrinsics.principalPoint
        let movement = (other.distortion?.distorted(seen) ?? seen) - pixel
        worst = max(worst, (movement * movement).sum().squareRoot())
      }
    }
    return worst
  }
}
