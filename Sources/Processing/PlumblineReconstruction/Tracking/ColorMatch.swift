internal import PlumblineModel
internal import PlumblineNumerics

/// A fused frame whose colors later frames are compared with.
struct ColorReference: Sendable {
  let pyramid: IntensityPyramid
  let depth: DepthMap
  let camera: PinholeIntrinsics
  let worldFromCamera: RigidTransform
  /// The median of some depths, in meters.
  private let middleMeters: Double

  /// Takes a frame at its pose; `nil` without color or depths.
  static func of(
    _ frame: ScanFrame, worldFromCamera: RigidTransform, levels: [TrackingSettings.Level]
  ) -> ColorReference? {
    let depths = frame.depth.meters.packed.samples
    let some = stride(from: 0, to: depths.count, by: 37).map { Double(depths[$0]) }
    guard let middle = some.filter({ $0 > 0 && $0.isFinite }).median,
      let pyramid = IntensityPyramid.of(frame, levels: levels)
    else { return nil }
    return ColorReference(
      pyramid: pyramid, depth: frame.depth, camera: frame.camera,
      worldFromCamera: worldFromCamera, middleMeters: middle)
  }

  /// Whether a camera is where most of its view is in this frame: within a tenth of its depth and 6°.
  ///
  /// Until then all frames are compared with this one, so that errors do not add up from frame to frame.
  func isNear(_ worldFromOther: RigidTransform) -> Bool {
    let motion = worldFromCamera.inverse * worldFromOther
    return motion.distanceMeters <= 0.1 * middleMeters && motion.angleRadians <= 0.1
  }
}

/// The colors of a frame beside those of an earlier one: what fixes a pose along a wall.
///
/// - Source: F. Steinbrücker, J. Sturm, D. Cremers, *Real-time visual odometry from dense RGB-D images*, ICCV
///   workshops 2011; weights and a scale of the residuals as in C. Kerl et al., ICRA 2013, with Tukey's loss.
struct ColorMatch {
  private let reference: ColorReference
  private let frame: ScanFrame
  private let settings: TrackingSettings
  /// The frame's own images, once they are needed.
  private var own: IntensityPyramid?

  /// A match of a frame that has colors.
  init?(_ frame: ScanFrame, with reference: ColorReference?, settings: TrackingSettings) {
    guard let reference, frame.color != nil else { return nil }
    self.reference = reference
    self.frame = frame
    self.settings = settings
  }

  /// The normal equations of the intensities at a pose, in its own axes; `nil` where too little is compared.
  ///
  /// The residual is the intensity of the reference less that of the frame times the ratio of their means, since
  /// exposure changes. σ is the median of its magnitude times 1.48, at least ``leastSigma``.
  ///
  /// - Parameters:
  ///   - points: The points of the frame, of the same levels as the settings.
  ///   - level: The number of a level, whose images are compared at its points.
  ///   - worldFromCamera: The pose.
  /// - Returns: The equations of a motion in the axes of the pose.
  /// - Complexity: O(points).
  mutating func equations(
    _ points: TrackedPoints, level: Int, worldFromCamera: RigidTransform
  ) -> PoseEquations? {
    if own == nil { own = .of(frame, levels: settings.levels) }
    guard let image = own?.images[level] else { return nil }
    let pairs = pairs(
      points, level: level, of: image, reference.worldFromCamera.inverse * worldFromCamera)
    let sums = pairs.reduce(SIMD2<Double>.zero) {
      $0 + SIMD2(Double($1.there), Double($1.here))
    }
    guard pairs.count >= 64, sums.y > 0 else { return nil }
    let gain = Float(sums.x / sums.y)
    let residuals = pairs.map { $0.there - gain * $0.here }
    guard let middle = residuals.map({ abs($0) }).median else { return nil }
    let sigma = max(1.4826 * middle, Self.leastSigma)
    return Self.summed(
      pairs, residuals, gain: gain, sigma: sigma, cutoff: Float(settings.cutoffSigmas))
  }

  /// Rounding, noise and compression of 8-bit images leave about this much of a mean of pixels.
  private static let leastSigma: Float = 1.5

  /// One point in both images.
  private struct Pair {
    var point: SIMD3<Float>
    /// Intensities in the reference and the frame.
    var there: Float
    var here: Float
    /// Their derivatives by a motion of the point, in the axes of the frame's camera.
    var slopeThere: SIMD3<Float>
    var slopeHere: SIMD3<Float>
  }

  private func pairs(
    _ points: TrackedPoints, level: Int, of image: IntensityImage,
    _ thereFromHere: RigidTransform
  ) -> [Pair] {
    let there = reference.pyramid.images[level]
    let m = thereFromHere.rowMajor.map(Float.init)
    let (x, y, z) = (
      SIMD3(m[0], m[4], m[8]), SIMD3(m[1], m[5], m[9]), SIMD3(m[2], m[6], m[10])
    )
    let shift = SIMD3(m[3], m[7], m[11])
    var pairs: [Pair] = []
    pairs.reserveCapacity(points.counts[level])
    for index in 0..<points.counts[level] {
      let point = points.position(index)
      let moved = x * point.x + y * point.y + z * point.z + shift
      guard moved.z > 0, let here = image.sample(image.project(point)),
        let seen = there.sample(there.project(moved)), isSeen(moved)
      else { continue }
      let slope = there.derivatives(seen, at: moved)
      pairs.append(
        Pair(
          point: point, there: seen.x, here: here.x,
          slopeThere: [(x * slope).sum(), (y * slope).sum(), (z * slope).sum()],
          slopeHere: image.derivatives(here, at: point)))
    }
    return pairs
  }

  /// Whether the reference sees a surface near a point in its own axes: within 5 % of the depth.
  private func isSeen(_ point: SIMD3<Float>) -> Bool {
    let focal = SIMD2<Float>(reference.camera.focalLength)
    let pixel =
      SIMD2(point.x, point.y) / point.z * focal
      + SIMD2<Float>(reference.camera.principalPoint) + 0.5
    let size = reference.depth.size
    guard pixel.x >= 0, pixel.y >= 0, pixel.x < Float(size.width), pixel.y < Float(size.height)
    else { return false }
    let depth = reference.depth.meters[Int(pixel.x), Int(pixel.y)]
    return abs(depth - point.z) <= 0.05 * point.z
  }

  private static func summed(
    _ pairs: [Pair], _ residuals: [Float], gain: Float, sigma: Float, cutoff: Float
  ) -> PoseEquations {
    var equations = PoseEquations(
      information: SymmetricMatrix(count: 6), confirmed: SymmetricMatrix(count: 6),
      gradient: [Double](repeating: 0, count: 6))
    for (pair, residual) in zip(pairs, residuals) {
      let share = 1 - (residual / (cutoff * sigma)) * (residual / (cutoff * sigma))
      guard share > 0 else { continue }
      let weight = Double(share * share / (sigma * sigma))
      let row = derivatives(pair.slopeThere, at: pair.point)
      let other = derivatives(gain * pair.slopeHere, at: pair.point)
      for a in 0..<6 {
        let weighted = weight * row[a]
        equations.gradient[a] += weighted * Double(residual)
        for b in 0..<6 {
          equations.information[a, b] += weighted * row[b]
          equations.confirmed[a, b] += weighted * other[b]
        }
      }
    }
    return equations
  }

  /// By a rotation of the camera about its axes, then by a translation.
  private static func derivatives(_ slope: SIMD3<Float>, at p: SIMD3<Float>) -> [Double] {
    [
      p.y * slope.z - p.z * slope.y, p.z * slope.x - p.x * slope.z, p.x * slope.y - p.y * slope.x,
      slope.x, slope.y, slope.z,
    ].map(Double.init)
  }
}
