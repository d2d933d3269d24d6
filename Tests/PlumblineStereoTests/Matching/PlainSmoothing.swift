import PlumblineModel
import PlumblineStereo

/// The plane through the neighbors of one pixel that differ little, as plainly as it can be
/// written.
struct PlainPlane {
  let value: Double
  /// What it leaves of the variance of one pixel's own noise.
  let variance: Double
  /// The share of the neighbors that are on it.
  let neighbors: Double

  init(_ map: Raster<Float>, _ x: Int, _ y: Int, radius: Int) {
    let center = Double(map[x, y])
    var points: [(u: Double, v: Double, d: Double)] = []
    for v in stride(from: -radius, through: radius, by: 4) {
      for u in stride(from: -radius, through: radius, by: 4) where map.contains(x: x + u, y: y + v)
      {
        let difference = Double(map[x + u, y + v]) - center
        if abs(difference) <= 1.5 { points.append((Double(u), Double(v), difference)) }
      }
    }
    func mean(_ value: ((u: Double, v: Double, d: Double)) -> Double) -> Double {
      points.reduce(0) { $0 + value($1) } / Double(points.count)
    }
    let (u, v, d) = (mean { $0.u }, mean { $0.v }, mean { $0.d })
    let a = mean { ($0.u - u) * ($0.u - u) } + 0.5, b = mean { ($0.u - u) * ($0.v - v) }
    let c = mean { ($0.v - v) * ($0.v - v) } + 0.5
    let e = mean { ($0.u - u) * ($0.d - d) }, f = mean { ($0.v - v) * ($0.d - d) }
    let determinant = a * c - b * b
    value = center + d - (e * c - f * b) / determinant * u - (a * f - b * e) / determinant * v
    let lean = (c * u * u - 2 * b * u * v + a * v * v) / determinant
    variance = (1 + lean) / Double(points.count)
    let side = Double(radius / 4 * 2 + 1)
    neighbors = Double(points.count) / (side * side)
  }
}

/// Near plane, far plane twice, their blend and its σ, as plainly as it can be written.
struct PlainSmoothing {
  let values: [Double]
  let sigmas: [Double]

  /// Smooths; `ratios` are q of each pixel.
  init(_ map: Raster<Float>, ratios: Raster<Float>, radius: Int) {
    func isMissing(_ x: Int, _ y: Int) -> Bool { map[x, y].isNaN }
    func planes(_ map: Raster<Float>, _ radius: Int) -> Raster<Float> {
      Raster(size: map.size) { x, y in
        map[x, y].isNaN ? .nan : Float(PlainPlane(map, x, y, radius: radius).value)
      }
    }
    let near = planes(map, min(radius, 4)), once = planes(near, radius)
    let far = planes(once, radius)
    func square(_ a: Raster<Float>, _ b: Raster<Float>) -> Raster<Double> {
      Raster(size: map.size) { x, y in Double((a[x, y] - b[x, y]) * (a[x, y] - b[x, y])) }
    }
    let noises = square(near, map), misfits = square(far, near)
    let curves = Raster<Double>(size: map.size) { x, y in
      isMissing(x, y) ? .nan : Double(ratios[x, y])
    }
    var (values, sigmas): ([Double], [Double]) = ([], [])
    for y in 0..<map.height {
      for x in 0..<map.width {
        guard !isMissing(x, y) else {
          values.append(.nan)
          sigmas.append(.nan)
          continue
        }
        let noise = Self.mean(noises, x, y), misfit = Self.mean(misfits, x, y)
        let ratio = Self.mean(curves, x, y)
        let own = Double(far[x, y] - near[x, y])
        let curve = 0.2 * ratio
        let share = min(1, max(0.25 * noise, curve * curve) / max(misfit, 1e-12))
        values.append(Double(near[x, y]) + share * own)
        let plane = PlainPlane(once, x, y, radius: radius)
        let edge = 0.3 * (1 - plane.neighbors), cost = 0.4 * ratio
        let square =
          0.05 * 0.05 + cost * cost * plane.variance + edge * edge + 0.55 * 0.55 * misfit
          + 0.4 * 0.4 * own * own
        sigmas.append(square.squareRoot())
      }
    }
    (self.values, self.sigmas) = (values, sigmas)
  }

  /// The mean of 3×3 cells of 8×8 pixels, linear between the centers of cells.
  static func mean(_ map: Raster<Double>, _ x: Int, _ y: Int) -> Double {
    let columns = (map.width + 7) / 8, rows = (map.height + 7) / 8
    func cell(_ i: Int, _ j: Int) -> Double {
      let (i, j) = (min(max(i, 0), columns - 1), min(max(j, 0), rows - 1))
      var values: [Double] = []
      for v in max(8 * (j - 1), 0)..<min(8 * (j + 2), map.height) {
        for u in max(8 * (i - 1), 0)..<min(8 * (i + 2), map.width) where !map[u, v].isNaN {
          values.append(map[u, v])
        }
      }
      return values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
    let (u, v) = ((Double(x) - 3.5) / 8, (Double(y) - 3.5) / 8)
    let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
    let (a, b) = (u - Double(i), v - Double(j))
    return (cell(i, j) * (1 - a) + cell(i + 1, j) * a) * (1 - b)
      + (cell(i, j + 1) * (1 - a) + cell(i + 1, j + 1) * a) * b
  }
}
