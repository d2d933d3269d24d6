import PlumblineModel

extension TexelGrid {
  /// The weight of one texel at a seam for the light around it.
  ///
  /// About ten texels together have the full weight, so that neither the grain of a photo nor a hair spreads.
  private static let seamWeight: Float = 0.1

  /// Adjusts the colors of mirrored texels to those of the photo beside them.
  ///
  /// A face is rarely lit alike from both sides: the mirrored bright side would be a patch on the dark one.
  /// The differences along the seams are spread over the mirrored texels, more smoothly the farther away, and
  /// added. Colors are codes, as everywhere in a texture. O(*n*).
  mutating func matchMirrored() {
    let photo = BakedTexture.TexelOrigin.photo.rawValue
    let mirrored = BakedTexture.TexelOrigin.mirrored.rawValue
    var differences = ColorLevel(
      side: side, values: Array(repeating: .zero, count: origins.count))
    for place in origins.indices where origins[place] == mirrored {
      var sum = SIMD3<Float>.zero
      var count: Float = 0
      forEachNeighbor(of: place) { neighbor in
        guard origins[neighbor] == photo else { return }
        sum += colors[neighbor].floats
        count += 1
      }
      guard count > 0 else { continue }
      differences.values[place] = SIMD4(sum / count - colors[place].floats, Self.seamWeight)
    }
    guard let coarse = differences.halvedAndCompleted else { return }
    for y in 0..<side {
      for x in 0..<side where origins[y &* side &+ x] == mirrored {
        let difference = coarse.mixed(x: x, y: y)
        let color =
          colors[y &* side &+ x].floats + SIMD3(difference.x, difference.y, difference.z)
        colors[y &* side &+ x] = RGB8(
          rounding: color.clamped(lowerBound: .zero, upperBound: .init(repeating: 255)))
      }
    }
  }
}

extension TexelGrid {
  /// The texture with a color everywhere; O(*n*).
  ///
  /// Unseen texels get the colors around them, and each piece of the layout is continued beyond its rim.
  func filled(gutterTexels: Int) -> BakedTexture {
    let size = RasterSize(width: side, height: side)
    var result = self
    result.smoothIn()
    result.growRims(by: gutterTexels)
    return BakedTexture(
      colors: Raster(size: size, samples: result.colors),
      origins: Raster(size: size, samples: result.origins))
  }

  /// Gives each texel without a color the mean of the smallest square around it, of 2, 4, 8 and more
  /// texels a side, that has colors.
  private mutating func smoothIn() {
    guard let coarse = ColorLevel(of: self).halvedAndCompleted else {
      if !origins.indices.contains(where: hasColor) {
        colors = colors.map { _ in RGB8(red: 128, green: 128, blue: 128) }
      }
      return
    }
    for y in 0..<side {
      for x in 0..<side where !hasColor(y &* side &+ x) {
        let color = coarse.mixed(x: x, y: y)
        colors[y &* side &+ x] = RGB8(rounding: SIMD3(color.x, color.y, color.z))
      }
    }
  }

  /// Whether a texel's color is from the photo, directly or mirrored.
  func hasColor(_ place: Int) -> Bool {
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
  func forEachNeighbor(of place: Int, _ body: (Int) -> Void) {
    let (x, y) = (place % side, place / side)
    for row in max(0, y - 1)...min(side - 1, y + 1) {
      for column in max(0, x - 1)...min(side - 1, x + 1) where row != y || column != x {
        body(row &* side &+ column)
      }
    }
  }
}

/// One level of a texture that is halved again and again: mean colors, and in `w` the known share, 0 to 1.
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

  /// The next coarser level, with every texel known; `nil` if nothing is known, or for a single texel.
  ///
  /// An unknown texel gets the mean of the smallest square, of 4, 8 and more texels a side, that has colors.
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

  /// The mean of the known texels of each square of two by two; fully known if one of them is.
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

  /// Fills what is not known from the next coarser level.
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
