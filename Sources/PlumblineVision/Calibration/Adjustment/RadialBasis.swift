/// The functions of `s = x² + y²` (normalized coordinates) that a lens's magnification is a sum of.
///
/// The magnification is `1 + Σ c_j·φ_j(s)`, and every `φ_j(0)` is 0, so that the focal length is
/// that of the middle of the image.
public enum RadialBasis: Hashable, Sendable {
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
  public var count: Int {
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
