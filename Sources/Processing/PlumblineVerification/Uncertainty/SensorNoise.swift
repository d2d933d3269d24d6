public import PlumblineCorrection
public import PlumblineModel

/// The noise and the shared error of a sensor, by its kind.
///
/// One standard deviation; `z` in meters. Every number is explained in
/// `Documentation/decisions/0026-sigma-of-the-depth-sensors.md` and `Documentation/sensors.md`;
/// `Scripts/study-sensors` measures them.
struct SensorNoise: Hashable, Sendable {
  /// Noise that does not depend on distance, in meters.
  var constantMeters: Double
  /// Noise that grows with `z²`, in 1/m: a constant noise of the disparity.
  var perMeterSquared: Double
  /// An error that all pixels of a region share and no mean takes away, in meters.
  var sharedMeters = 0.0
  /// Systematic scale error of depth: a share of `z`.
  var depthScale: Double
  /// The correlation between pixels, which limits the gain of averaging.
  var correlation = CorrelatedNoise.independent
  /// By how much the noise of a pixel of middle confidence is larger, where the sensor rates
  /// pixels; one of low confidence then has no ± at all.
  var middleConfidenceFactor: Double?
  /// What steep surfaces add, where it was measured.
  var tilt: TiltNoise?
  /// The source of the numbers, for the `basis` of a result.
  var basis: String

  /// The noise of a kind of camera; `nil` for cameras whose depths are not measured ones.
  init?(_ camera: CaptureSource.Camera) {
    switch camera {
    case .trueDepth:
      // Boards at 0.15 to 0.5 m and up to 50° from the ray, bend removed. The scale is that of
      // decision 0010: medians of +0.44 and +0.52 mm against the board at 196 mm.
      self.init(
        constantMeters: 0.00035, perMeterSquared: 0.0056, depthScale: 0.0025,
        correlation: .trueDepth, tilt: .trueDepth,
        basis: "TrueDepth: noise measured on boards at 0.15 to 0.5 m with two devices, farther "
          + "away extrapolated; 0.25 % scale, measured on three")
    case .lidar:
      // Noise: overlapping frames of a recording, a small motion of each pair removed, confidence
      // 2. Shared: ±1 cm, Luetzenburg, Kroon, Bjørk 2021.
      self.init(
        constantMeters: 0.0015, perMeterSquared: 0.001, sharedMeters: 0.01, depthScale: 0.01,
        correlation: .lidar, middleConfidenceFactor: 5,
        basis:
          "LiDAR at full confidence: noise measured where frames of one recording overlap, five "
          + "times as large at confidence 1, none holds at 0; 1 cm shared by neighbors, published for iPhone 12 Pro; 1 % scale, assumed"
      )
    case .dual, .dualWide:
      // A quarter pixel of matching error at f = 580 px of the map and a baseline of 12 mm.
      self.init(
        constantMeters: 0, perMeterSquared: 0.036, depthScale: 0,
        basis: "dual camera: a quarter pixel of matching error, assumed")
    case .stereo, .unknown: return nil
    }
  }

  private init(
    constantMeters: Double, perMeterSquared: Double, sharedMeters: Double = 0, depthScale: Double,
    correlation: CorrelatedNoise = .independent, middleConfidenceFactor: Double? = nil,
    tilt: TiltNoise? = nil, basis: String
  ) {
    self.constantMeters = constantMeters
    self.perMeterSquared = perMeterSquared
    self.sharedMeters = sharedMeters
    self.depthScale = depthScale
    self.correlation = correlation
    self.middleConfidenceFactor = middleConfidenceFactor
    self.tilt = tilt
    self.basis = basis
  }

  /// The noise of one pixel.
  var curve: SigmaCurve {
    SigmaCurve(constantMeters: constantMeters, perMeterSquared: perMeterSquared)
  }

  /// The error that all pixels share.
  var shared: SigmaCurve { SigmaCurve(constantMeters: sharedMeters, perMeter: depthScale) }
}

/// What the tilt of a surface adds to the noise of a sensor whose law was measured with it.
struct TiltNoise: Hashable, Sendable {
  /// Meters of σ per tangent of the angle between ray and normal.
  var perTangentMeters: Double
  /// The tangent that the sensor's curve holds: only steeper surfaces add to it.
  var typicalTangent: Double

  /// The tilt noise of TrueDepth, measured with boards.
  ///
  /// The 0.36 mm are those of the law with the tilt in `Documentation/sensors.md`. The curve was
  /// chosen for pixels up to 50° and covers those below 35° amply, so that 35° is taken as typical.
  static let trueDepth = TiltNoise(perTangentMeters: 0.00036, typicalTangent: 0.7)

  /// The variance that a tilt adds, in square meters.
  func variance(atTangent tangent: Double) -> Double {
    let square = tangent * tangent - typicalTangent * typicalTangent
    return max(0, square) * perTangentMeters * perTangentMeters
  }
}

extension DepthUncertainty {
  /// The ± of each pixel with the tilt of its surface, all parts together; `nil` where tilt was not
  /// measured or the map has no rays.
  ///
  /// ``total`` knows no surface and holds a typical tilt. Steeper surfaces have more noise.
  ///
  /// - Parameter corrected: The map that this is the ± of.
  /// - Returns: Meters along the optical axis, at least ``total`` of the depth; NaN where the depth is
  ///   missing. Cost: O(*n*).
  public func sigmaMeters(of corrected: CorrectedDepth) -> Raster<Float>? {
    guard let tilt, let rays = corrected.rays, rays.size == corrected.depth.size else {
      return nil
    }
    let tangents = SurfaceTilt(corrected.depth, rays: rays).tangents
    let curve = total
    return Raster(size: corrected.depth.size) { x, y in
      let depth = Double(corrected.depth.meters[x, y])
      guard depth > 0 else { return .nan }
      let sigma = curve.sigmaMeters(atDepth: depth)
      let added = tilt.variance(atTangent: Double(tangents[x, y]))
      return Float((sigma * sigma + added).squareRoot())
    }
  }
}

/// How far surfaces are turned away from the rays that see them, pixel by pixel.
///
/// From the inverse depths of pixels a few columns and rows away, in which planes are straight. At an
/// edge the two sides of a pixel disagree, and the gentler one is taken: a step between two surfaces
/// is no slope.
struct SurfaceTilt {
  /// How far the neighbors are, as a share of the map's width: 6 of 640 pixels, over which the noise
  /// of TrueDepth moves a tangent of 1 by some 0.2 (tenth to ninetieth percent of board frames).
  static let reachShare = 6.0 / 640
  /// Where tangents end: 72°, beyond which boards were not measured.
  static let maximumTangent: Float = 3

  /// The tangent of the angle between ray and normal; 0 where no neighbor was measured.
  let tangents: Raster<Float>

  /// Measures the tilt; O(*n*).
  ///
  /// - Precondition: The rays have the map's size.
  init(_ depth: DepthMap, rays: RayMap) {
    precondition(depth.size == rays.size, "rays of \(rays.size) for \(depth.size)")
    let size = depth.size
    let reach = max(2, Int((Self.reachShare * Double(size.width)).rounded()))
    let meters = depth.meters.packed
    let (columns, rows) = (rays.xOverZ.packed, rays.yOverZ.packed)
    func slope(
      _ x: Int, _ y: Int, _ step: SIMD2<Int>, along places: Raster<Float>, _ inverse: Float
    ) -> Float {
      func side(_ sign: Int) -> Float {
        let (u, v) = (x + sign * step.x, y + sign * step.y)
        guard meters.contains(x: u, y: v) else { return .nan }
        return (1 / meters[u, v] - inverse) / (places[u, v] - places[x, y])
      }
      return Self.joined(side(-1), side(1))
    }
    tangents = Raster(size: size) { x, y in
      let inverse = 1 / meters[x, y]
      guard inverse > 0, inverse < .infinity else { return 0 }
      let across = slope(x, y, SIMD2(reach, 0), along: columns, inverse)
      let down = slope(x, y, SIMD2(0, reach), along: rows, inverse)
      let ray = SIMD3(columns[x, y], rows[x, y], 1)
      // A plane n·p = 1 has the inverse depth n·(ray).
      let normal = SIMD3(across, down, inverse - across * ray.x - down * ray.y)
      let square = (normal * normal).sum() * (ray * ray).sum() / (inverse * inverse) - 1
      return square > 0 ? min(square.squareRoot(), Self.maximumTangent) : 0
    }
  }

  /// The mean of two slopes that agree, else the gentler one; 0 where neither is known.
  private static func joined(_ a: Float, _ b: Float) -> Float {
    let isKnown = (a.isFinite, b.isFinite)
    guard isKnown.0, isKnown.1 else { return isKnown.0 ? a : isKnown.1 ? b : 0 }
    let (gentle, steep) = abs(a) < abs(b) ? (a, b) : (b, a)
    return abs(a - b) < 0.5 * abs(steep) ? (a + b) / 2 : gentle
  }
}
