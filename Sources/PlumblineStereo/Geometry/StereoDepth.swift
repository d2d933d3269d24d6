public import PlumblineModel
import PlumblineVision

/// Depth from the pixel disparities of a rectified pair, with its ±, standing as the left image.
///
/// Frame: the rectified left camera, turned back by the pair's whole quarter turns; ``intrinsics``
/// belong to it, and ``depthFromLeft`` turns the left camera's frame into it. Depth along its axis
/// is within a fraction of a degree of the left camera's own for cameras that look alike.
public struct StereoDepth: Sendable {
  /// Depth in meters, or in baselines where the calibration is not metric; NaN where not matched.
  public let depth: DepthMap
  /// One standard deviation of each depth in the same unit: of the match, the baseline, the focal
  /// length and the offset together, as far as they are known; NaN where depth is missing.
  ///
  /// Of relative depths it is that of the match alone: scale and offset of their reciprocals are
  /// open anyhow, and known distances replace whatever is known of them.
  public let sigma: Raster<Float>
  /// The camera of the map: a pinhole without distortion.
  public let intrinsics: PinholeIntrinsics
  /// Turns a direction of the left camera's frame into the map's.
  public let depthFromLeft: Rotation
  /// The rectification that it was computed with.
  public let rectification: StereoRectification

  /// Turns disparities into depths; O(*n*).
  ///
  /// `z = f·B/(d + offset)`. Pixels at infinity or behind become missing, and those whose ± reaches
  /// their depth: within one sigma they could be at infinity.
  /// - Parameters:
  ///   - disparity: Pixel disparities on the rectified left image.
  ///   - sigmaPixels: One standard deviation of each.
  ///   - rectification: The geometry of the pair.
  /// - Precondition: All have the rectification's size.
  /// - Source: the derivatives of `z = f·B/(d + o)`, taken as independent:
  ///   `σz² = (z²/(f·B))²·(σd² + σo²) + z²·((σB/B)² + (σf/f)²)`.
  public init(
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
    let missing = DepthMap.missing
    var meters = [Float](repeating: missing, count: d.count)
    var sigmas = meters
    for index in d.indices {
      let parallax = Double(d[index]) + offset
      // False for NaN.
      guard parallax > 0 else { continue }
      let z = scale / parallax
      let own = Double(s[index])
      let across = z * z / scale
      let square =
        across * across * (own * own + known.offsetSquare) + z * z * known.shareSquare
      guard z < 1e6, square < z * z else { continue }
      meters[index] = Float(z)
      sigmas[index] = Float(square.squareRoot())
    }
    let size = rectification.size
    let turn = rectification.turn
    depth = DepthMap(meters: Raster(size: size, samples: meters).oriented(by: turn))
    sigma = Raster(size: size, samples: sigmas).oriented(by: turn)
    intrinsics = rectification.left.oriented(by: turn)
    depthFromLeft = Rotation(turning: turn) * rectification.rectifiedFromLeft
    self.rectification = rectification
  }

  /// Turns a match into depths; see ``init(disparity:sigmaPixels:_:)``.
  public init(_ match: StereoMatch, _ rectification: StereoRectification) {
    self.init(disparity: match.disparity, sigmaPixels: match.sigmaPixels, rectification)
  }
}

extension StereoRectification {
  /// What is known of the calibration's own errors, as squares: of the offset in rectified pixels,
  /// and of baseline and focal length together without unit.
  var knownSigmas: (offsetSquare: Double, shareSquare: Double) {
    guard let known = calibration.uncertainty else { return (0, 0) }
    let scale = focalLengthPixels / calibration.left.intrinsics.focalLength.x
    let offset = (known.offsetPixels ?? 0) * scale
    let baseline = (known.baselineMeters ?? 0) / baselineMeters
    let focal = known.focalLengthShare ?? 0
    return (offset * offset, baseline * baseline + focal * focal)
  }
}
