internal import PlumblineModel

/// The steps of a depth map: where one surface ends before another, and how far both are there.
///
/// A phone smooths its map, so that cells on a step hang between two surfaces. Here each cell near a
/// step has the disparities of both, taken from the cells beside the step that belong to one of them.
struct DepthSteps {
  /// How many cells from a step the edge of the image may lie.
  static let reach = 3
  /// The share of the map's range that a step is higher than.
  private static let share: Float = 0.04
  /// How many times as much of the rise over seven cells is within the three of a step as of a slope,
  /// which has a third of it there.
  private static let steepness: Float = 1.26
  /// How far around a step its surfaces are looked for, in cells.
  private static let window = 2
  /// A step with one that is so many times as high within some cells is left to the map: a pixel has one
  /// step, as that of a jaw before the wall and not before the neck.
  private static let dominance: (ratio: Float, reach: Int) = (1.5, 7)
  /// The share of a step by which cells of one surface differ.
  private static let spread: Float = 0.15

  /// 1 for cells near a step.
  private(set) var bands: [UInt8]
  /// The disparity of the nearer surface; elsewhere the cell's own.
  private(set) var near: [Float]
  /// The disparity of the farther surface; elsewhere the cell's own.
  private(set) var far: [Float]
  /// By how much the matte covers the nearer surface more than the farther one, −1 to 1; 0 elsewhere.
  private(set) var parting: [Float]

  private let map: [Float]
  private let size: RasterSize

  /// A map without steps.
  private init(_ map: Raster<Float>) {
    size = map.size
    self.map = map.samples
    bands = [UInt8](repeating: 0, count: map.size.pixelCount)
    near = self.map
    far = self.map
    parting = [Float](repeating: 0, count: map.size.pixelCount)
  }

  /// Finds the steps of a map.
  ///
  /// - Parameters:
  ///   - map: Disparities without holes, without padding.
  ///   - matte: Of the subject, of the map's size; `nil` without one.
  ///   - sigma: One standard deviation of a disparity; NaN where not known.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The steps. Cost: O(cells).
  static func found(
    in map: Raster<Float>, matte: Raster<UInt8>?, sigma: Float, threads: Int
  ) -> DepthSteps {
    var result = DepthSteps(map)
    let limit = max(share * map.robustRange, sigma.isFinite ? 4 * sigma : 0)
    let steps = result.steps(higherThan: limit, threads: threads)
    result.spread(over: result.dominant(of: steps, threads: threads), matte)
    return result
  }

  /// The least and the largest disparities within a distance of each cell.
  private func extremes(_ radius: Int, threads: Int) -> (least: [Float], most: [Float]) {
    let most = ParallaxScene.minima(map.map { -$0 }, size, radius: radius, threads: threads)
    return (
      ParallaxScene.minima(map, size, radius: radius, threads: threads), most.map { -$0 }
    )
  }

  /// Cells on steps, with the least and the largest disparity around each.
  private func steps(
    higherThan limit: Float, threads: Int
  ) -> [(cell: Int, least: Float, most: Float)] {
    let close = extremes(1, threads: threads)
    let around = extremes(Self.window, threads: threads)
    let wide = extremes(3, threads: threads)
    return map.indices.compactMap { cell in
      let rise = close.most[cell] - close.least[cell]
      guard rise > limit,
        rise > Self.steepness * slopeShare(cell) * (wide.most[cell] - wide.least[cell])
      else { return nil }
      return (cell, around.least[cell], around.most[cell])
    }
  }

  /// The steps without those near which there is one that is much higher.
  private func dominant(
    of steps: [(cell: Int, least: Float, most: Float)], threads: Int
  ) -> [(cell: Int, least: Float, most: Float)] {
    guard !steps.isEmpty else { return [] }
    var depths = [Float](repeating: 0, count: map.count)
    for step in steps { depths[step.cell] = step.least - step.most }
    let highest = ParallaxScene.minima(
      depths, size, radius: Self.dominance.reach, threads: threads)
    return steps.filter {
      -highest[$0.cell] <= Self.dominance.ratio * ($0.most - $0.least)
    }
  }

  /// How much of a slope's rise over seven cells is within three: a third, more beside the border,
  /// which cuts the seven.
  private func slopeShare(_ cell: Int) -> Float {
    func share(_ place: Int, _ count: Int) -> Float {
      func steps(_ reach: Int) -> Int { min(place + reach, count - 1) - max(place - reach, 0) }
      return steps(3) > 0 ? Float(steps(1)) / Float(steps(3)) : 0
    }
    return max(share(cell % size.width, size.width), share(cell / size.width, size.height))
  }

  /// The mean disparities, and levels of a matte, of the two surfaces beside a step.
  private func surfaces(
    beside step: (cell: Int, least: Float, most: Float), _ matte: Raster<UInt8>?
  ) -> (near: Float, far: Float, parting: Float) {
    let margin = Self.spread * (step.most - step.least)
    let (x, y) = (step.cell % size.width, step.cell / size.width)
    var (near, far) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
    for row in max(y - Self.window, 0)...min(y + Self.window, size.height - 1) {
      for column in max(x - Self.window, 0)...min(x + Self.window, size.width - 1) {
        let value = map[row * size.width + column]
        let level = matte.map { Float($0[column, row]) / 255 } ?? 0
        if value >= step.most - margin { near += SIMD3(value, level, 1) }
        if value <= step.least + margin { far += SIMD3(value, level, 1) }
      }
    }
    // Both hold a cell at least: that of the extreme.
    return (near.x / near.z, far.x / far.z, near.y / near.z - far.y / far.z)
  }

  /// Gives the cells around steps the surfaces of these, the closest counting most.
  private mutating func spread(
    over steps: [(cell: Int, least: Float, most: Float)], _ matte: Raster<UInt8>?
  ) {
    // Pixels of a band are between cells, one of which may lie outside of it; those beside a band are
    // known to be on one of its surfaces.
    let reach = Self.reach + 2
    var sums = [SIMD4<Float>](repeating: .zero, count: steps.isEmpty ? 0 : map.count)
    for step in steps {
      let found = surfaces(beside: step, matte)
      let (x, y) = (step.cell % size.width, step.cell / size.width)
      for row in max(y - reach, 0)...min(y + reach, size.height - 1) {
        for column in max(x - reach, 0)...min(x + reach, size.width - 1) {
          let (right, down) = (column - x, row - y)
          let weight = 1 / Float(1 + right * right + down * down)
          let cell = row * size.width + column
          sums[cell] +=
            weight * weight * SIMD4(found.near, found.far, found.parting, 1)
          if max(abs(right), abs(down)) <= Self.reach { bands[cell] = 1 }
        }
      }
    }
    for (cell, sum) in sums.enumerated() where sum.w > 0 {
      near[cell] = sum.x / sum.w
      far[cell] = sum.y / sum.w
      parting[cell] = sum.z / sum.w
    }
  }
}
