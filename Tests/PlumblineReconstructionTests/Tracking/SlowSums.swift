import PlumblineModel
import PlumblineNumerics
@testable import PlumblineReconstruction

/// The sums of `plb_tracking_accumulate`, one point after another.
struct SlowSums {
  var information = SymmetricMatrix(count: 6)
  var gradient = [Double](repeating: 0, count: 6)
  var cost = 0.0
  var weight = 0.0
  var confirmed = SymmetricMatrix(count: 6)
  var seen = 0
  var used = 0
  var bins = [Int](repeating: 0, count: 64)
  var residuals: [Float] = []

  init(points: TrackedPoints, view: SurfaceView, step: TrackingStep) {
    for index in 0..<points.count {
      let values = (0..<7).map { points.values[$0 * points.capacity + index] }
      residuals.append(add(values, view: view, step: step) ?? .nan)
    }
  }

  private mutating func add(
    _ values: [Float], view: SurfaceView, step: TrackingStep
  ) -> Float? {
    let m = step.viewFromCamera.rowMajor.map(Float.init)
    let (x, y, z) = (values[0], values[1], values[2])
    let moved = (0..<3).map {
      m[4 * $0] * x + m[4 * $0 + 1] * y + m[4 * $0 + 2] * z + m[4 * $0 + 3]
    }
    let focal = SIMD2<Float>(view.camera.focalLength)
    let center = SIMD2<Float>(view.camera.principalPoint)
    let u = moved[0] / moved[2] * focal.x + center.x
    let v = moved[1] / moved[2] * focal.y + center.y
    guard moved[2] > 0, u >= -0.5, v >= -0.5, u < Float(view.depth.size.width) - 0.5,
      v < Float(view.depth.size.height) - 0.5
    else { return nil }
    let (column, row) = (Int(u + 0.5), Int(v + 0.5))
    let depth = view.depth.meters[column, row]
    let n = view.normals[column, row]
    guard depth > 0, n.x.isFinite else { return nil }
    seen += 1
    let normal = (0..<3).map { m[$0] * n.x + m[4 + $0] * n.y + m[8 + $0] * n.z }
    guard
      normal[0] * values[4] + normal[1] * values[5] + normal[2] * values[6] >= Float(step.cosine)
    else { return nil }
    let residual =
      n.x * (moved[0] - (Float(column) - center.x) / focal.x * depth)
      + n.y * (moved[1] - (Float(row) - center.y) / focal.y * depth) + n.z * (moved[2] - depth)
    let along = (normal[0] * x + normal[1] * y + normal[2] * z) / z
    let sigma = view.sigmaMeters[column, row]
    let coarse = Float(step.coarseShare)
    let variance =
      values[3] * along * along + (sigma.isNaN ? 0 : sigma * sigma) + coarse * coarse * z * z
    let square = residual * residual / variance
    bins[min(63, Int(square.squareRoot() * 8))] += 1
    let limit = Float(step.cutoff) * Float(step.cutoff)
    guard square < limit else { return nil }
    used += 1
    let share = 1 - square / limit
    let w = Double(share * share / variance)
    func derivatives(_ n: [Float]) -> [Double] {
      [y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0], n[0], n[1], n[2]]
        .map(Double.init)
    }
    let (jacobian, own) = (derivatives(normal), derivatives(Array(values[4..<7])))
    for a in 0..<6 {
      for b in 0..<6 {
        information[a, b] += w * jacobian[a] * jacobian[b]
        // The upper triangle, and the same below.
        confirmed[a, b] += w * jacobian[min(a, b)] * own[max(a, b)]
      }
      gradient[a] += w * jacobian[a] * Double(residual)
    }
    cost += w * Double(residual) * Double(residual)
    weight += w
    return residual
  }
}
