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
