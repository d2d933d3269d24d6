/// The level faces of a surface, by height: floors, ceilings, tops.
struct SurfaceLevels: Sendable {
  /// Up to this angle from level a triangle counts: 18°, which noise of single vertices turns it by.
  private static let leastCosine = 0.95
  /// A level has at least this part of the area of the largest one.
  private static let leastShare = 0.15

  /// A level: the triangles near its height.
  struct Level: Sendable {
    let height: Double
    let triangles: [Int]
    /// The area of triangles that face up less those that face down, in square meters.
    let facing: Double
  }

  /// The levels, from low to high.
  let levels: [Level]

  /// Finds levels by the area at each height.
  ///
  /// - Parameters:
  ///   - surface: The surface.
  ///   - up: The unit vector against which heights count.
  ///   - step: The width of a bin of heights, in meters, above 0.
  /// - Returns: Levels that are three bins apart or more. Cost: O(*n*) and one number for each bin.
  static func find(
    _ surface: MeasurableMesh, up: SIMD3<Double>, step: Double
  ) -> SurfaceLevels {
    var found: [(triangle: Int, height: Double, area: Double)] = []
    for index in surface.triangles.indices {
      let doubled = surface.doubledArea(index)
      let size = doubled.norm
      let along = doubled.dot(up)
      guard size > 0, abs(along) >= leastCosine * size else { continue }
      let (a, b, c) = surface.corners(index)
      found.append((index, (a + b + c).dot(up) / 3, along / 2))
    }
    guard let low = found.map(\.height).min(), let high = found.map(\.height).max() else {
      return SurfaceLevels(levels: [])
    }
    // At most a million bins.
    let step = max(step, (high - low) / 1e6)
    var bins = [Double](repeating: 0, count: Int((high - low) / step) + 1)
    for item in found { bins[Int((item.height - low) / step)] += abs(item.area) }
    let smooth = bins.indices.map { index in
      bins[max(0, index - 1)...min(bins.count - 1, index + 1)].reduce(0, +)
    }
    let least = leastShare * (smooth.max() ?? 0)
    var peaks: [Int] = []
    for index in smooth.indices where smooth[index] >= least && smooth[index] > 0 {
      let around = smooth[max(0, index - 3)...min(bins.count - 1, index + 3)]
      guard smooth[index] == around.max() else { continue }
      if let last = peaks.last, index - last <= 3 { continue }
      peaks.append(index)
    }
    return SurfaceLevels(
      levels: peaks.map { peak in
        let height = low + (Double(peak) + 0.5) * step
        let near = found.filter { abs($0.height - height) <= 3 * step }
        return Level(
          height: height, triangles: near.map(\.triangle),
          facing: near.reduce(0) { $0 + $1.area })
      })
  }
}
