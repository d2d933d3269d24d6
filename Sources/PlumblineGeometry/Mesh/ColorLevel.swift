import PlumblineModel

/// One step of halved textures: mean colors, and in `w` how much is known, from 0 to 1.
struct ColorLevel {
  let side: Int
  var values: [SIMD4<Float>]

  init(side: Int, values: [SIMD4<Float>]) {
    self.side = side
    self.values = values
  }

  init(of texels: TexelGrid) {
    side = texels.side
    values = texels.colors.indices.map { place in
      texels.hasColor(place) ? SIMD4(texels.colors[place].floats, 1) : .zero
    }
  }

  /// The next coarser step with all of it known: what is not known comes from means over squares of 4, 8 and more
  /// texels, the smallest that have some; `nil` where nothing is known, or for a single texel.
  ///
  /// - Source: S. Gortler et al., *The Lumigraph*, SIGGRAPH 1996, section 3.4.
  var halvedAndCompleted: ColorLevel? {
    var levels = [self]
    while let last = levels.last, last.side > 1 { levels.append(last.halved) }
    guard levels.count > 1, let top = levels.last, (top.values.first?.w ?? 0) > 0 else {
      return nil
    }
    for index in levels.indices.dropLast().reversed() where index > 0 {
      let coarse = levels[index + 1]
      levels[index].complete(from: coarse)
    }
    return levels[1]
  }

  /// The mean of each two by two, of what is known; known in full where one of them is.
  var halved: ColorLevel {
    let half = (side + 1) / 2
    var means: [SIMD4<Float>] = []
    means.reserveCapacity(half * half)
    for y in 0..<half {
      let (upper, lower) = (2 * y * side, min(2 * y + 1, side - 1) * side)
      for x in 0..<half {
        let (left, right) = (2 * x, min(2 * x + 1, side - 1))
        var sum = SIMD4<Float>.zero
        for place in [upper + left, upper + right, lower + left, lower + right] {
          let value = values[place]
          sum += SIMD4(value.x * value.w, value.y * value.w, value.z * value.w, value.w)
        }
        means.append(
          sum.w > 0 ? SIMD4(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, min(sum.w, 1)) : .zero)
      }
    }
    return ColorLevel(side: half, values: means)
  }

  /// Takes what is not known from the next coarser step.
  mutating func complete(from coarse: ColorLevel) {
    for y in 0..<side {
      for x in 0..<side where values[y &* side &+ x].w < 1 {
        let value = values[y &* side &+ x]
        let mixed = value * value.w + coarse.mixed(x: x, y: y) * (1 - value.w)
        values[y &* side &+ x] = SIMD4(mixed.x, mixed.y, mixed.z, 1)
      }
    }
  }

  /// The value for a position of the next finer step, mixed 9 : 3 : 3 : 1 of the four nearest.
  func mixed(x: Int, y: Int) -> SIMD4<Float> {
    let (column, row) = (x / 2, y / 2)
    let beside = min(max(column + (x % 2 == 0 ? -1 : 1), 0), side - 1)
    let above = min(max(row + (y % 2 == 0 ? -1 : 1), 0), side - 1)
    let near = values[row &* side &+ column] * 0.75 + values[row &* side &+ beside] * 0.25
    let far = values[above &* side &+ column] * 0.75 + values[above &* side &+ beside] * 0.25
    return near * 0.75 + far * 0.25
  }
}
