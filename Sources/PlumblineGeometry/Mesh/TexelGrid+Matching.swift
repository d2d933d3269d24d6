import PlumblineModel

extension TexelGrid {
  /// What one texel at a seam says of the light around it: about ten of them are believed in full, so that neither
  /// the grain of a photo nor a hair spreads.
  private static let seamWeight: Float = 0.1

  /// Changes the colors of mirrored texels so that they meet those of the photo: a face is rarely lit alike from both
  /// sides, and the mirror image of the bright one would be a patch on the dark one.
  ///
  /// The differences along the seams are continued over the mirrored texels, the farther the smoother, and added.
  /// Colors are codes, as everywhere in a texture. O(*n*).
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
