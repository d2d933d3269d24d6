package import PlumblineModel
import PlumblineNumerics

/// The light on a face, as far as its skin shows it, by spherical harmonics of order 2.
///
/// A matte surface of one color is as bright as a quadratic function of its normal, whatever lights it from afar. The
/// function is fitted to the skin, channel by channel, and what it explains can be divided out. What is not of one
/// color or not matte, such as a beard, make-up or a highlight, is weighted down, and what is left stays.
///
/// - Source: R. Ramamoorthi, P. Hanrahan, *An efficient representation for irradiance environment maps*, SIGGRAPH
///   2001: order 2 has 99 % of it.
package struct FaceLight: Sendable {
  /// The light of a normal relative to the mean of the skin, by the nine functions of ``basis(_:)``; one list for each
  /// of red, green and blue.
  let coefficients: [[Double]]
  /// How many times as bright as its darkest twentieth the brightest twentieth of the skin is lit.
  package let ratio: Double
  /// The share of the variance of the skin's light, from 0 to 1, that the fit explains; the rest stays.
  package let explainedShare: Double
  /// The number of vertices of skin that were used.
  package let vertexCount: Int

  /// The factors that light is divided by at least and at most.
  package static let limits: ClosedRange<Float> = 0.6...1.7
  /// The fewest vertices that say what the light is.
  static let leastCount = 60
  /// How much each function but the constant is held to 0, as a share of the skin's whole weight.
  private static let ridges: [Double] = [
    0, 0.002, 0.002, 0.002, 0.01, 0.01, 0.01, 0.01, 0.01,
  ]

  /// Fits the light of skin.
  ///
  /// - Parameters:
  ///   - colors: The light of each vertex's color, from 0 to 1; `nil` where no skin is seen.
  ///   - normals: The unit normals, in any frame.
  /// - Returns: The light; `nil` for too little skin and for skin without light. O(*n*).
  package static func fitted(
    toSkin colors: [SIMD3<Float>?], normals: [PackedPoint]
  ) -> FaceLight? {
    let used = colors.indices.filter { (colors[$0]?.min() ?? 0) > 0 }
    guard used.count >= leastCount else { return nil }
    let lights = used.map { SIMD3<Double>(colors[$0] ?? .zero) }
    let means = lights.reduce(SIMD3<Double>.zero, +) / Double(used.count)
    let rows = used.map { basis(normals[$0]) }
    var weights = [Double](repeating: 1, count: used.count)
    var found: [[Double]] = []
    for _ in 0..<8 {
      found = []
      for channel in 0..<3 {
        guard
          let solved = solved(
            rows, lights.map { $0[channel] / means[channel] }, weights)
        else { return nil }
        found.append(solved)
      }
      let misses = zip(rows, lights).map { row, light -> Double in
        let miss = (0..<3).map { channel in
          light[channel] / means[channel] - value(found[channel], row)
        }
        return (miss.reduce(0) { $0 + $1 * $1 } / 3).squareRoot()
      }
      // 1.4826 medians are a standard deviation; twice that is where a Cauchy weight is a half.
      let scale = max(2 * 1.4826 * (misses.sorted()[misses.count / 2]), 0.02)
      weights = misses.map { 1 / (1 + ($0 / scale) * ($0 / scale)) }
    }
    let green = rows.map { max(0.05, value(found[1], $0)) }.sorted()
    let ratio = green[green.count * 95 / 100] / green[green.count * 5 / 100]
    var (left, whole) = (0.0, 0.0)
    for (index, row) in rows.enumerated() {
      let light = lights[index].y / means.y
      let miss = light - value(found[1], row)
      left += weights[index] * miss * miss
      whole += weights[index] * (light - 1) * (light - 1)
    }
    return FaceLight(
      coefficients: found, ratio: ratio,
      explainedShare: whole > 0 ? max(0, 1 - left / whole) : 0, vertexCount: used.count)
  }

  /// The factors that take the light of normals away, for red, green and blue, within the reciprocals of ``limits``;
  /// O(*n*).
  package func gains(normals: [PackedPoint]) -> [SIMD3<Float>] {
    normals.map { normal in
      let row = Self.basis(normal)
      var gain = SIMD3<Float>.one
      for channel in 0..<3 {
        let light = Float(Self.value(coefficients[channel], row))
        gain[channel] = 1 / min(Self.limits.upperBound, max(Self.limits.lowerBound, light))
      }
      return gain
    }
  }

  /// The nine functions of a normal, without their constants.
  private static func basis(_ normal: PackedPoint) -> [Double] {
    let n = normal.vector
    return [
      1, n.x, n.y, n.z, n.x * n.y, n.y * n.z, n.x * n.z, n.x * n.x - n.y * n.y,
      3 * n.z * n.z - 1,
    ]
  }

  private static func value(_ coefficients: [Double], _ row: [Double]) -> Double {
    zip(coefficients, row).reduce(0) { $0 + $1.0 * $1.1 }
  }

  private static func solved(
    _ rows: [[Double]], _ values: [Double], _ weights: [Double]
  ) -> [Double]? {
    var matrix = SymmetricMatrix(count: 9)
    var right = [Double](repeating: 0, count: 9)
    var whole = 0.0
    for (index, row) in rows.enumerated() {
      let weight = weights[index]
      whole += weight
      for i in 0..<9 {
        right[i] += weight * row[i] * values[index]
        for j in 0...i { matrix[i, j] += weight * row[i] * row[j] }
      }
    }
    for i in 0..<9 { matrix[i, i] += ridges[i] * whole }
    return matrix.cholesky?.solve(right)
  }
}
