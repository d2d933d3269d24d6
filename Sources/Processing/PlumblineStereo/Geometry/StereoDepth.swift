package import PlumblineModel
import PlumblineVision

/// Depth from the pixel disparities of a rectified pair, with its ±, upright as the left image is.
///
/// Frame: the rectified left camera, turned back by the pair's whole quarter turns; ``intrinsics``
/// belong to it, and ``depthFromLeft`` turns the left camera's frame into it. For two cameras that look in
/// the same direction, its axis is within a fraction of a degree of the left camera's own.
package struct StereoDepth: Sendable {
  /// Depth in meters, or in baselines where the calibration is not metric; NaN where not matched.
  package let depth: DepthMap
  /// One standard deviation of each depth in the same unit; NaN where depth is missing.
  ///
  /// It comprises the errors of the match, the baseline, the focal length and the offset, as far as they are
  /// known. For relative depths it is that of the match alone: scale and offset of their reciprocals are
  /// unknown, and known distances replace them.
  package let sigma: Raster<Float>
  /// The matched pixels that have no depth.
  package let missing: Missing
  /// The camera of the map: a pinhole without distortion.
  package let intrinsics: PinholeIntrinsics
  /// Turns a direction of the left camera's frame into the map's.
  package let depthFromLeft: Rotation
  /// The rectification that it was computed with.
  package let rectification: StereoRectification

  /// The numbers of pixels with a disparity and without a depth.
  package struct Missing: Sendable, Hashable {
    /// Those whose disparity is at infinity or beyond it.
    package var beyondInfinity = 0
    /// Those whose ± is as large as their depth, so that they could be at infinity.
    package var uncertain = 0
  }

  /// Turns disparities into depths; O(*n*).
  ///
  /// `z = f·B/(d + offset)`. Pixels at infinity or beyond become missing. So do those whose ± is as large as
  /// their depth: within one sigma they could be at infinity.
  /// - Parameters:
  ///   - disparity: Pixel disparities on the rectified left image.
  ///   - sigmaPixels: One standard deviation of each.
  ///   - rectification: The geometry of the pair.
  /// - Precondition: All have the rectification's size.
  /// - Source: the derivatives of `z = f·B/(d + o)`, taken as independent:
  ///   `σz² = (z²/(f·B))²·(σd² + σo²) + z²·((σB/B)² + (σf/f)²)`.
  package init(
    disparity: PixelDisparityMap, sigmaPixels: Raster<Float>, _ rectification: StereoRectification
  ) {
    precondition(
      disparity.size == rectification.size && sigmaPixels.size == rectification.size,
      "disparities of \(disparity.size) for a pair of \(rectification.size)")
    let scale = rectification.focalLengthPixels * rectification.baselineMeters
    let offset = rectification.principalOffsetPixels
    let known =
      rectification.calibration.isMetric
      ? rectification.knownSigmas : (offsetSquare: 0, shareSquare: 0)
    let d = disparity.pixels.packed.samples
    let s = sigmaPixels.packed.samples
    var meters = [Float](repeating: DepthMap.missing, count: d.count)
    var sigmas = meters
    var missing = Missing()
    for index in d.indices {
      let parallax = Double(d[index]) + offset
      guard parallax > 0 else {
        missing.beyondInfinity += parallax.isNaN ? 0 : 1
        continue
      }
      let z = scale / parallax
      let own = Double(s[index])
      let across = z * z / scale
      let square =
        across * across * (own * own + known.offsetSquare) + z * z * known.shareSquare
      guard z < 1e6, square < z * z else {
        if z < 1e6 { missing.uncertain += 1 } else { missing.beyondInfinity += 1 }
        continue
      }
      meters[index] = Float(z)
      sigmas[index] = Float(square.squareRoot())
    }
    self.missing = missing
    let size = rectification.size
    let turn = rectification.turn
    depth = DepthMap(meters: Raster(size: size, samples: meters).oriented(by: turn))
    sigma = Raster(size: size, samples: sigmas).oriented(by: turn)
    intrinsics = rectification.left.oriented(by: turn)
    depthFromLeft = Rotation(turning: turn) * rectification.rectifiedFromLeft
    self.rectification = rectification
  }

  /// Turns a match into depths; see ``init(disparity:sigmaPixels:_:)``.
  package init(_ match: StereoMatch, _ rectification: StereoRectification) {
    self.init(disparity: match.disparity, sigmaPixels: match.sigmaPixels, rectification)
  }
}

extension StereoRectification {
  /// The known variances of the calibration: of the offset, in square rectified pixels, and of baseline and
  /// focal length together, as a squared share.
  var knownSigmas: (offsetSquare: Double, shareSquare: Double) {
    guard let known = calibration.uncertainty else { return (0, 0) }
    let scale = focalLengthPixels / calibration.left.intrinsics.focalLength.x
    let offset = (known.offsetPixels ?? 0) * scale
    let baseline = (known.baselineMeters ?? 0) / baselineMeters
    let focal = known.focalLengthShare ?? 0
    return (offset * offset, baseline * baseline + focal * focal)
  }
}

extension StereoDepth {
  /// The result as a capture, for code that takes captures.
  ///
  /// Depth is absolute where the calibration is metric; otherwise it is relative, has no unit and
  /// counts baselines. Color is the rectified left image, of the same camera as the map.
  /// - Parameters:
  ///   - images: The rectified images that were matched.
  ///   - matching: What the matcher did, in words with numbers, for the provenance.
  ///   - source: The source of the images; its camera becomes `.stereo` and its pixels rectified.
  /// - Returns: A capture that stands as the left image does.
  /// - Precondition: The images have the rectification's size.
  package func capture(
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
    capture.provenance.append(ProvenanceStep(.rectifiedPair, rectification.inWords))
    if !matching.isEmpty { capture.provenance.append(ProvenanceStep(.matched, matching)) }
    capture.provenance.append(ProvenanceStep(.depthFromDisparity, inWords))
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
  package var inWords: String {
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

  /// The angle of a camera's turn apart from its quarter turns, in degrees.
  private static func degrees(_ rotation: Rotation, _ turn: ImageOrientation) -> Double {
    let vector = (Rotation(turning: turn) * rotation).axisAngle
    return (vector * vector).sum().squareRoot() * 180 / .pi
  }
}
