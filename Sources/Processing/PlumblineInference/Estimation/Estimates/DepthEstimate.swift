public import PlumblineModel

/// The output of a network for one image: its values, their meaning, and their position on the image.
///
/// An estimate is no measurement: even a network's meters come from the data that it was trained with.
public struct DepthEstimate: Sendable {
  /// The meaning of the network's output.
  public let meaning: ModelCard.OutputMeaning
  /// The grid of the values on the image.
  public let grid: OutputGrid
  /// The values on the output's own grid, turned as the image is stored; NaN where the network gave none.
  ///
  /// For ``ModelCard/OutputMeaning/meters`` and `inverseMeters` they are 1/z after the correction of the
  /// focal length, since planes are linear in 1/z; otherwise they are the network's own numbers.
  public let values: Raster<Float>
  /// The camera of the image.
  public let camera: PhotoCamera
  /// The factor by which the network's meters were multiplied for the photo's focal length; 1 for none.
  public let focalCorrection: Double
  /// The finding about the output.
  public let findings: [Finding]

  /// Reads an output.
  ///
  /// - Parameters:
  ///   - output: The tensor; axes of length 1 do not count.
  ///   - meaning: What its numbers are.
  ///   - placement: Where the image lies in the input.
  ///   - camera: The image's camera, as far as known.
  ///   - assumedFocalPixels: The focal length that the numbers assume, in pixels of the input.
  ///   - maskedCount: How many numbers the model's own mask left out, which are no damage.
  /// - Returns: The estimate. O(*n*) of the output.
  /// - Throws: `.mismatch` for an output that is no map, `.degenerate` for one without a usable value,
  ///   or of one value only.
  package static func read(
    _ output: Tensor, meaning: ModelCard.OutputMeaning, placement: InputPlacement,
    camera: PhotoCamera, assumedFocalPixels: Double? = nil, maskedCount: Int = 0
  ) throws(EstimationError) -> DepthEstimate {
    let map = try map(output)
    var findings: [Finding] = []
    let isMetric = meaning == .meters || meaning == .inverseMeters
    var camera = camera
    var correction = 1.0
    if let assumed = PhotoCamera.assumed(assumedFocalPixels, placement) {
      if let known = camera.calibration?.intrinsics,
        known.matchesAspect(of: placement.imageSize), let assumedFocalPixels, isMetric
      {
        let focal = placement.inputFocalLengthPixels(of: known)
        correction = (focal.x * focal.y).squareRoot() / assumedFocalPixels
      } else if camera.calibration == nil {
        camera = assumed
      }
    }
    if camera.source != .calibration { findings.append(focal(camera)) }
    let (usable, damage) = try usable(map, meaning, maskedCount: maskedCount)
    findings += damage
    let factor = Float(correction)
    let spaced =
      switch meaning {
      case .meters: usable.map { 1 / ($0 * factor) }
      case .inverseMeters: usable.map { $0 / factor }
      case .relativeInverse, .relativeDepth: usable
      // They are made meters before: see ``PointMap``.
      case .affinePoints: preconditionFailure("points are made meters first")
      case .foregroundProbability, .foregroundLogit, .classScores:
        preconditionFailure("an estimate is of depth")
      }
    if placement.seen.size != placement.imageSize {
      let seen = placement.seen
      findings.append(
        Finding(
          .estimateUnseen, .note,
          "the model saw the middle \(seen.size) of the \(placement.imageSize) image; the rest is "
            + "missing", evidence: "first pixel \(seen.x), \(seen.y)"))
    }
    return DepthEstimate(
      meaning: meaning, grid: OutputGrid(placement, outputSize: map.size),
      values: spaced.oriented(by: placement.orientation.inverse), camera: camera,
      focalCorrection: correction, findings: findings)
  }

  /// Whether the values are reciprocals of meters, as estimated.
  public var isMetric: Bool { meaning == .meters || meaning == .inverseMeters }

  /// Meters on the image's own grid, as estimated; missing where the network gave none.
  ///
  /// - Returns: `nil` for a relative estimate. Cost: O(*n*) of the image.
  package var estimatedMeters: DepthMap? {
    isMetric ? DepthMap(spread: values, .reciprocal(a: 1, b: 0), on: grid) : nil
  }

  /// The network's own numbers on the image's own grid, without a unit; O(*n*) of the image.
  package var relativeValues: Raster<Float> { grid.spread(values, .plain) }

  /// The map without the axes of length 1 around it.
  private static func map(_ output: Tensor) throws(EstimationError) -> Raster<Float> {
    var shape = output.shape
    while shape.count > 2, shape.first == 1 { shape.removeFirst() }
    while shape.count > 2, shape.last == 1 { shape.removeLast() }
    guard shape.count == 2, shape[0] >= 2, shape[1] >= 2 else {
      throw EstimationError(
        .mismatch, expected: "an output of rows and columns, two of each at least",
        found: "the shape \(output.shape)")
    }
    return Raster(
      size: RasterSize(width: shape[1], height: shape[0]), samples: output.values)
  }

  /// The values with those that are not usable replaced by NaN, which a finding counts.
  private static func usable(
    _ map: Raster<Float>, _ meaning: ModelCard.OutputMeaning, maskedCount: Int
  ) throws(EstimationError) -> (values: Raster<Float>, findings: [Finding]) {
    let mustBePositive = meaning == .meters || meaning == .inverseMeters
    var (least, most) = (Float.infinity, -Float.infinity)
    var missing = 0
    let usable = map.map { value -> Float in
      // The reciprocal of a subnormal is not finite.
      guard value.isFinite, !mustBePositive || value >= .leastNormalMagnitude else {
        missing += 1
        return .nan
      }
      least = min(least, value)
      most = max(most, value)
      return value
    }
    guard missing < map.size.pixelCount else {
      throw EstimationError(
        .degenerate, expected: mustBePositive ? "finite values above 0" : "finite values",
        found: "none in the model's output of \(map.size)")
    }
    guard most - least > 1e-6 * max(abs(most), abs(least)) else {
      throw EstimationError(
        .degenerate, expected: "an output that varies with the image",
        found: "\(most) in all of \(map.size)")
    }
    let damaged = missing - maskedCount
    guard damaged > 0 else { return (usable, []) }
    let share = 100 * Double(damaged) / Double(map.size.pixelCount)
    let finding = Finding(
      .estimateDamagedOutput, .caution,
      "\(share.fixed(2)) % of the model's output is no usable number; those pixels are missing",
      evidence: "\(damaged) of \(map.size.pixelCount) values")
    return (usable, [finding])
  }

  /// The finding about a focal length that was not measured.
  private static func focal(_ camera: PhotoCamera) -> Finding {
    let focal = camera.calibration?.intrinsics.focalLength.x.fixed(1) ?? ""
    let message =
      switch camera.source {
      case .exif:
        "the focal length of \(focal) pixels ± "
          + "\((100 * (camera.focalSigmaShare ?? 0)).fixed(1)) % is the photo's own: "
          + (camera.exifFocal?.basis ?? "Exif")
      case .assumed:
        "the photo does not say its focal length; \(focal) pixels are taken, which the model assumes"
      case .calibration, .unknown: "the photo does not say its focal length"
      }
    return Finding(
      .estimateFocalAssumed, camera.source == .exif ? .note : .caution, message,
      evidence: "source: \(camera.source.rawValue)")
  }
}
