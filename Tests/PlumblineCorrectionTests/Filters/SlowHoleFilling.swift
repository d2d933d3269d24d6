import PlumblineModel

@testable import PlumblineCorrection

/// Hole filling again from its description: rays, one plane by normal equations, and the four limits.
struct SlowHoleFilling {
  private struct Sample {
    var x: Double
    var y: Double
    var distance: Double
    var value: Double
    var sigma: Double
    var likeness: Double
  }

  let frame: DepthFrame
  let reach: Int
  private let inverse: Raster<Float>

  init(_ frame: DepthFrame, reach: Int) {
    self.frame = frame
    self.reach = min(reach, max(frame.size.width, frame.size.height))
    inverse = frame.depth.meters.map { 1 / $0 }
  }

  /// The depth that a rule gives a missing pixel; `nil` to leave it empty.
  func depth(_ x: Int, _ y: Int, _ rule: HoleFilling.Rule) -> Double? {
    switch rule {
    case .surface(let agreement): surface(x, y, agreement)
    case .left: rays(x, y, samples: 1)[8].first.map { 1 / $0.value }
    case .farthest: rays(x, y, samples: 1).compactMap(\.first).map(\.value).min().map { 1 / $0 }
    case .nearest: rays(x, y, samples: 1).compactMap(\.first).map(\.value).max().map { 1 / $0 }
    }
  }

  /// What 16 rays meet, the first to the right, then clockwise in the image.
  private func rays(
    _ x: Int, _ y: Int, samples: Int, _ agreement: HoleFilling.SurfaceAgreement? = nil
  ) -> [[Sample]] {
    let directions: [(Double, Double)] = [
      (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (-0.5, 1), (-1, 1), (-1, 0.5), (-1, 0),
      (-1, -0.5), (-1, -1), (-0.5, -1), (0, -1), (0.5, -1), (1, -1), (1, -0.5),
    ]
    return directions.map { dx, dy in
      let length = (dx * dx + dy * dy).squareRoot()
      var met: [Sample] = []
      var step = 1
      while met.count < samples,
        !met.isEmpty || Double(step) <= (Double(reach) / length).rounded(.down)
      {
        let right = Int((Double(step) * dx + 0.5).rounded(.down))
        let down = Int((Double(step) * dy + 0.5).rounded(.down))
        guard inverse.contains(x: x + right, y: y + down) else { break }
        let value = Double(inverse[x + right, y + down])
        if value > 0 {
          let noise = Double(frame.sigmaMeters[x + right, y + down]) * value * value
          met.append(
            Sample(
              x: Double(right), y: Double(down), distance: Double(step) * length, value: value,
              sigma: max(noise, Double(agreement?.leastSigmaShare ?? 0) * value),
              likeness: likeness(x, y, x + right, y + down, agreement?.colorSigmaCodes)))
        } else if !met.isEmpty {
          break
        }
        step += 1
      }
      return met
    }
  }

  private func likeness(_ x: Int, _ y: Int, _ u: Int, _ v: Int, _ sigma: Float?) -> Double {
    guard let sigma, let guide = frame.guide else { return 1 }
    let (a, b) = (guide[x, y], guide[u, v])
    let difference = SIMD3(
      Double(a.red) - Double(b.red), Double(a.green) - Double(b.green),
      Double(a.blue) - Double(b.blue))
    let off = (difference * difference).sum() / Double(sigma * sigma)
    return 1 / (1 + off * off)
  }

  private func surface(
    _ x: Int, _ y: Int, _ agreement: HoleFilling.SurfaceAgreement
  ) -> Double? {
    let rays = rays(x, y, samples: 3, agreement)
    let empty = rays.map(\.isEmpty)
    let widest = (0..<16).map { start in
      (0..<16).prefix { empty[(start + $0) % 16] }.count
    }.max()
    let samples = rays.flatMap { $0 }
    guard empty.filter({ !$0 }).count >= agreement.directions,
      widest ?? 16 <= agreement.widestGap, samples.contains(where: { $0.likeness >= 0.1 }),
      let nearest = samples.map(\.distance).min()
    else { return nil }
    // Rows of [1 x y] against values, each times the root of its weight, solved by elimination.
    var normal = [[Double]](repeating: [0, 0, 0, 0], count: 3)
    let weights = samples.map { sample in
      let near = nearest / sample.distance
      return near * near * near * near * sample.likeness
    }
    for (sample, weight) in zip(samples, weights) {
      let row = [1, sample.x, sample.y, sample.value]
      for i in 0..<3 { for j in 0..<4 { normal[i][j] += weight * row[i] * row[j] } }
    }
    let matrix = normal.map { Array($0.prefix(3)) }
    guard let solution = solved(normal) else { return nil }
    let noise = samples.map(\.sigma).reduce(0, +) / Double(samples.count)
    let residuals = samples.map { $0.value - solution[0] - solution[1] * $0.x - solution[2] * $0.y }
    guard
      zip(residuals, samples).allSatisfy({ abs($0) <= Double(agreement.outlierSigmas) * $1.sigma })
    else { return nil }
    let total = weights.reduce(0, +)
    let squares = zip(residuals, weights).reduce(0) { $0 + $1.0 * $1.0 * $1.1 } / total
    guard squares.squareRoot() <= Double(agreement.agreementSigmas) * noise else { return nil }
    // The value at the pixel is linear in the samples; its variance sums their shares.
    let variance = zip(samples, weights).reduce(0.0) { sum, pair in
      let unit = solved(
        zip(matrix, [pair.1, pair.1 * pair.0.x, pair.1 * pair.0.y]).map { $0 + [$1] })
      let share = (unit?[0] ?? 0) * pair.0.sigma
      return sum + share * share
    }
    guard solution[0] > 0,
      (variance + squares).squareRoot() <= Double(agreement.resultSigmas) * noise
    else { return nil }
    return 1 / solution[0]
  }

  /// Gaussian elimination with pivots of three equations; `nil` where they do not decide.
  private func solved(_ equations: [[Double]]) -> [Double]? {
    var rows = equations
    for column in 0..<3 {
      guard
        let pivot = (column..<3).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-9
      else { return nil }
      rows.swapAt(column, pivot)
      for other in 0..<3 where other != column {
        let factor = rows[other][column] / rows[column][column]
        for k in 0..<4 { rows[other][k] -= factor * rows[column][k] }
      }
    }
    return (0..<3).map { rows[$0][3] / rows[$0][$0] }
  }
}
