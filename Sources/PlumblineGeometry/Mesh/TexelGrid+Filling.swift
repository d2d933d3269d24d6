import PlumblineModel

extension TexelGrid {
  /// The texture with a color everywhere: unseen texels continue what is around them, pieces of the
  /// layout are continued beyond their rims; O(*n*).
  func filled(gutterTexels: Int) -> BakedTexture {
    let size = RasterSize(width: side, height: side)
    var result = self
    result.smoothIn()
    result.growRims(by: gutterTexels)
    return BakedTexture(
      colors: Raster(size: size, samples: result.colors),
      origins: Raster(size: size, samples: result.origins))
  }

  /// Colors each texel without one from means over squares of 2, 4, 8 and more texels, the smallest
  /// that have some.
  ///
  /// - Source: S. Gortler et al., *The Lumigraph*, SIGGRAPH 1996, section 3.4.
  private mutating func smoothIn() {
    var levels = [ColorLevel(of: self)]
    while let last = levels.last, last.side > 1 { levels.append(last.halved) }
    guard let top = levels.last, (top.values.first?.w ?? 0) > 0 else {
      colors = colors.map { _ in RGB8(red: 128, green: 128, blue: 128) }
      return
    }
    for index in levels.indices.dropLast().reversed() where index > 0 {
      let coarse = levels[index + 1]
      levels[index].complete(from: coarse)
    }
    guard levels.count > 1 else { return }
    let coarse = levels[1]
    for y in 0..<side {
      for x in 0..<side where !hasColor(y &* side &+ x) {
        let color = coarse.mixed(x: x, y: y)
        colors[y &* side &+ x] = RGB8(rounding: SIMD3(color.x, color.y, color.z))
      }
    }
  }

  /// Whether a texel's color is from the photo, directly or mirrored.
  fileprivate func hasColor(_ place: Int) -> Bool {
    origins[place] == BakedTexture.TexelOrigin.photo.rawValue
      || origins[place] == BakedTexture.TexelOrigin.mirrored.rawValue
  }

  /// Continues each piece of the layout beyond its rim: a texel outside becomes the mean of its up to
  /// eight neighbors that are inside or were continued in an earlier round.
  private mutating func growRims(by rounds: Int) {
    let outside = BakedTexture.TexelOrigin.outside.rawValue
    var isKnown = origins.map { $0 != outside }
    var candidates = origins.indices.filter { !isKnown[$0] && touchesKnown($0, isKnown) }
    for _ in 0..<max(0, rounds) {
      let means = candidates.map { mean(around: $0, isKnown) }
      for (place, color) in zip(candidates, means) {
        colors[place] = color
        isKnown[place] = true
      }
      var isListed: Set<Int> = []
      var next: [Int] = []
      for place in candidates {
        forEachNeighbor(of: place) { neighbor in
          if !isKnown[neighbor], isListed.insert(neighbor).inserted { next.append(neighbor) }
        }
      }
      candidates = next
    }
  }

  private func touchesKnown(_ place: Int, _ isKnown: [Bool]) -> Bool {
    var touches = false
    forEachNeighbor(of: place) { touches = touches || isKnown[$0] }
    return touches
  }

  private func mean(around place: Int, _ isKnown: [Bool]) -> RGB8 {
    var sum = SIMD3<Float>.zero
    var count: Float = 0
    forEachNeighbor(of: place) { neighbor in
      guard isKnown[neighbor] else { return }
      sum += colors[neighbor].floats
      count += 1
    }
    return RGB8(rounding: sum / count)
  }

  @inline(__always)
  private func forEachNeighbor(of place: Int, _ body: (Int) -> Void) {
    let (x, y) = (place % side, place / side)
    for row in max(0, y - 1)...min(side - 1, y + 1) {
      for column in max(0, x - 1)...min(side - 1, x + 1) where row != y || column != x {
        body(row &* side &+ column)
      }
    }
  }
}

/// One step of halved textures: mean colors, and in `w` how much is known, from 0 to 1.
private struct ColorLevel {
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

  /// The value for a place of the next finer step, mixed 9 : 3 : 3 : 1 of the four nearest.
  func mixed(x: Int, y: Int) -> SIMD4<Float> {
    let (column, row) = (x / 2, y / 2)
    let beside = min(max(column + (x % 2 == 0 ? -1 : 1), 0), side - 1)
    let above = min(max(row + (y % 2 == 0 ? -1 : 1), 0), side - 1)
    let near = values[row &* side &+ column] * 0.75 + values[row &* side &+ beside] * 0.25
    let far = values[above &* side &+ column] * 0.75 + values[above &* side &+ beside] * 0.25
    return near * 0.75 + far * 0.25
  }
}
