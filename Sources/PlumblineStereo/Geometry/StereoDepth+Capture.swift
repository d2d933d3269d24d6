public import PlumblineModel

extension StereoDepth {
  /// The result as a capture, for everything that takes one.
  ///
  /// Depth is absolute where the calibration is metric; otherwise it is relative, has no unit and
  /// counts baselines. Color is the rectified left image, of the same camera as the map.
  /// - Parameters:
  ///   - images: The rectified images that were matched.
  ///   - matching: What the matcher did, in words with numbers, for the provenance.
  ///   - source: The source of the images; its camera becomes `.stereo` and its pixels rectified.
  /// - Returns: A capture that stands as the left image does.
  /// - Precondition: The images have the rectification's size.
  public func capture(
    color images: RectifiedImages, matching: String = "",
    source: CaptureSource = CaptureSource(camera: .stereo)
  ) -> Capture {
    precondition(
      images.leftColor.size == rectification.size,
      "an image of \(images.leftColor.size) for a pair of \(rectification.size)")
    var source = source
    source.camera = .stereo
    source.isGeometryCorrected = nil
    var capture = Capture(source: source)
    let color = images.leftColor.oriented(by: rectification.turn)
    capture.color = color
    capture.colorSize = color.size
    let isMetric = rectification.calibration.isMetric
    var record = DepthRecord(
      values: .depth(depth), storedType: "fdep", accuracy: isMetric ? .absolute : .relative)
    record.hasUnit = isMetric
    record.isFiltered = false
    record.isRectified = true
    record.sigmaMeters = sigma
    record.calibration = CameraCalibration(intrinsics: intrinsics)
    if let known = rectification.calibration.uncertainty, let share = known.focalLengthShare {
      record.calibrationUncertainty = CalibrationUncertainty(
        focalLengthPixels: intrinsics.focalLength * share, basis: known.basis)
    }
    capture.depth = record
    capture.provenance.append(ProvenanceStep("rectified-pair", rectification.inWords))
    if !matching.isEmpty { capture.provenance.append(ProvenanceStep("matched", matching)) }
    capture.provenance.append(ProvenanceStep("depth-from-disparity", inWords))
    return capture
  }

  private var inWords: String {
    let pair = rectification
    let unit = pair.calibration.isMetric ? "m" : "baselines, since the scale is not known"
    let missing = depth.meters.samples.count(where: \.isNaN)
    let known = pair.calibration.uncertainty?.basis ?? "not given, so not in the ±"
    return
      "z = f·B/(d + offset) in \(unit), \(missing) of \(depth.size.pixelCount) pixels missing; "
      + "± of the calibration: \(known)"
  }
}

extension StereoRectification {
  /// The geometry in one line, with its numbers.
  public var inWords: String {
    let unit =
      calibration.isMetric
      ? "\((baselineMeters * 1000).fixed(3)) mm" : "of unknown length, taken as \(baselineMeters)"
    return "baseline \(unit), f \(focalLengthPixels.fixed(2)) px, \(size), offset "
      + "\(principalOffsetPixels.fixed(3)) px, rows at \(rowAngleDegrees.fixed(1))° of the left "
      + "image's, turned by \(quarterTurns) quarter turns, "
      + "left by \(Self.degrees(rectifiedFromLeft, turn).fixed(3))°, right by "
      + "\(Self.degrees(rectifiedFromRight, turn).fixed(3))° besides"
  }

  private var quarterTurns: Int {
    switch turn {
    case .right: 1
    case .down: 2
    case .left: 3
    default: 0
    }
  }

  /// How far a camera turned besides its quarter turns, in degrees.
  private static func degrees(_ rotation: Rotation, _ turn: ImageOrientation) -> Double {
    let vector = (Rotation(turning: turn) * rotation).axisAngle
    return (vector * vector).sum().squareRoot() * 180 / .pi
  }
}
