import PlumblineModel

/// A camera whose lens is a sum of functions of the radius: what an adjustment estimates.
struct RadialCamera: Hashable, Sendable {
  var intrinsics: PinholeIntrinsics
  var basis: RadialBasis
  /// One for each function of the basis, without unit.
  var coefficients: [Double]
  /// Brown's `p1`, `p2`.
  var tangential: SIMD2<Double> = .zero

  /// A pinhole, with a lens of zeros.
  init(intrinsics: PinholeIntrinsics, basis: RadialBasis) {
    self.intrinsics = intrinsics
    self.basis = basis
    coefficients = [Double](repeating: 0, count: basis.count)
  }

  /// The magnification at a squared normalized radius, and its slope.
  func magnification(at s: Double) -> (value: Double, slope: Double) {
    var sums = (value: 1.0, slope: 0.0)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * max(1, basis.count)) { memory in
      let values = UnsafeMutableBufferPointer(rebasing: memory[..<basis.count])
      let slopes = UnsafeMutableBufferPointer(rebasing: memory[basis.count..<2 * basis.count])
      basis.evaluate(at: s, values: values, slopes: slopes)
      for index in 0..<basis.count {
        sums.value += coefficients[index] * values[index]
        sums.slope += coefficients[index] * slopes[index]
      }
    }
    return sums
  }

  /// The pixel that a point of the camera frame falls on; `nil` for one not in front of the camera.
  func project(_ point: SIMD3<Double>) -> SIMD2<Double>? {
    guard point.z > 0 else { return nil }
    return project(ray: SIMD2(point.x, point.y) / point.z)
  }

  /// The pixel of a ray `x/z`, `y/z`.
  func project(ray: SIMD2<Double>) -> SIMD2<Double> {
    let s = (ray * ray).sum()
    return (ray * magnification(at: s).value + bent(ray, s)) * intrinsics.focalLength
      + intrinsics.principalPoint
  }

  private func bent(_ ray: SIMD2<Double>, _ s: Double) -> SIMD2<Double> {
    let mixed = 2 * ray.x * ray.y
    return SIMD2(
      tangential.x * mixed + tangential.y * (s + 2 * ray.x * ray.x),
      tangential.x * (s + 2 * ray.y * ray.y) + tangential.y * mixed)
  }

  /// The ray of a pixel by fixed-point steps, to 1e-9 of the focal length; `nil` where the lens
  /// folds.
  func unproject(_ pixel: SIMD2<Double>) -> SIMD2<Double>? {
    let target = (pixel - intrinsics.principalPoint) / intrinsics.focalLength
    var ray = target
    for _ in 0..<100 {
      let s = (ray * ray).sum()
      let (scale, slope) = magnification(at: s)
      // The radius moves by its own slope, scale + 2·s·slope, which makes the steps Newton's.
      let growth = scale + 2 * s * slope
      guard growth > 0.05, s.isFinite else { return nil }
      let rest = target - ray * scale - bent(ray, s)
      ray += rest / growth
      if abs(rest.x) + abs(rest.y) < 1e-9 { return ray }
    }
    return nil
  }

  /// Whether pixels keep their order along every radius up to the corner of the image.
  var isMonotonic: Bool {
    let end = cornerSquare
    var last = 0.0
    for index in 1...128 {
      let share = Double(index) / 128
      let s = end * share * share
      let moved = s.squareRoot() * magnification(at: s).value
      guard moved > last else { return false }
      last = moved
    }
    return true
  }

  /// The squared normalized radius of the farthest corner of the image, by the pinhole alone.
  var cornerSquare: Double { Self.cornerSquare(of: intrinsics) }

  /// The same for a pinhole.
  static func cornerSquare(of intrinsics: PinholeIntrinsics) -> Double {
    let center = intrinsics.principalPoint
    let farthest = SIMD2(
      max(center.x, Double(intrinsics.size.width) - 1 - center.x),
      max(center.y, Double(intrinsics.size.height) - 1 - center.y))
    let ray = farthest / intrinsics.focalLength
    return (ray * ray).sum()
  }

  /// The camera as the rest of the package knows it: a spline becomes a table about the principal
  /// point.
  var model: CameraModel {
    switch basis {
    case .none:
      return CameraModel(
        intrinsics: intrinsics,
        lens: tangential == .zero ? .none : .polynomial(radial: .zero, tangential: tangential))
    case .polynomial(let terms):
      var radial = SIMD3<Double>.zero
      for index in 0..<min(terms, 3) { radial[index] = coefficients[index] }
      return CameraModel(
        intrinsics: intrinsics, lens: .polynomial(radial: radial, tangential: tangential))
    case .spline: return CameraModel(intrinsics: intrinsics, lens: .radial(table))
    }
  }

  /// The lens as a table of 257 samples, out to where the corner of the image comes from.
  ///
  /// Between samples a straight line misses a spline by less than 0.002 px of 640 columns for
  /// lenses of 7 %.
  private var table: LensDistortion {
    let focal = (intrinsics.focalLength.x * intrinsics.focalLength.y).squareRoot()
    let edge = cornerSquare.squareRoot()
    var end = edge
    // Where the lens draws points inward, the corner of the image comes from beyond its own radius.
    for step in 0...64 {
      let radius = edge * (1 + Double(step) / 64)
      end = radius
      if radius * magnification(at: radius * radius).value >= edge { break }
    }
    let samples = (0...256).map { index -> Float in
      let radius = end * Double(index) / 256
      return Float(magnification(at: radius * radius).value - 1)
    }
    var lens = LensDistortion(
      center: intrinsics.principalPoint, size: intrinsics.size, distorting: .table(samples),
      undistorting: nil)
    lens.maximumRadius = end * focal
    return lens
  }
}

/// The functions of `s = x² + y²` (normalized coordinates) that a lens's magnification is a sum of.
///
/// The magnification is `1 + Σ c_j·φ_j(s)`, and every `φ_j(0)` is 0, so that the focal length is
/// that of the middle of the image.
package enum RadialBasis: Hashable, Sendable {
  /// No lens: the magnification is 1 everywhere.
  case none
  /// `s`, `s²`, … as many as given: Brown's `k1`, `k2`, `k3`.
  case polynomial(terms: Int)
  /// Uniform cubic B-splines of `s` in so many intervals from 0 to `end`; the first is left out,
  /// since adding a constant to all coefficients changes nothing.
  ///
  /// - Source: C. de Boor, *A Practical Guide to Splines*, 1978; the choice of `s` and the number
  ///   of intervals: `Documentation/decisions/0029-the-lens-is-chosen-by-left-out-frames.md`.
  case spline(intervals: Int, end: Double)

  /// The number of coefficients.
  package var count: Int {
    switch self {
    case .none: 0
    case .polynomial(let terms): terms
    case .spline(let intervals, _): intervals + 2
    }
  }

  /// Writes `φ_j(s)` and `dφ_j/ds`; both buffers hold ``count`` numbers.
  ///
  /// Beyond the end of a spline its last tangent is followed, so that nothing jumps there.
  func evaluate(
    at s: Double, values: UnsafeMutableBufferPointer<Double>,
    slopes: UnsafeMutableBufferPointer<Double>
  ) {
    switch self {
    case .none: return
    case .polynomial(let terms):
      var power = 1.0
      for index in 0..<terms {
        slopes[index] = Double(index + 1) * power
        power *= s
        values[index] = power
      }
    case .spline(let intervals, let end):
      for index in 0..<(intervals + 2) { (values[index], slopes[index]) = (0, 0) }
      let scale = Double(intervals) / end
      let position = min(max(s, 0), end) * scale
      let interval = min(Int(position), intervals - 1)
      let weights = Self.cubic(position - Double(interval))
      // φ_j(0): the splines 1 and 2 (of 0, 1, 2, …) are 4/6 and 1/6 at the middle of the image.
      if intervals + 2 >= 1 { values[0] -= 4.0 / 6 }
      if intervals + 2 >= 2 { values[1] -= 1.0 / 6 }
      for offset in 0..<4 {
        let index = interval + offset - 1
        guard index >= 0 else { continue }
        let slope = weights.slopes[offset] * scale
        values[index] += weights.values[offset] + max(0, s - end) * slope
        slopes[index] += slope
      }
    }
  }

  /// The four cubic splines that are not 0 in an interval, at a share of it from 0 to 1.
  private static func cubic(_ t: Double) -> (values: SIMD4<Double>, slopes: SIMD4<Double>) {
    let u = 1 - t
    return (
      SIMD4(
        u * u * u, 3 * t * t * t - 6 * t * t + 4, 3 * u * u * u - 6 * u * u + 4, t * t * t) / 6,
      SIMD4(-u * u, 3 * t * t - 4 * t, -3 * u * u + 4 * u, t * t) / 2
    )
  }
}
