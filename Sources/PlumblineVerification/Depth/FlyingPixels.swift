import PlumblineModel

/// The share of measured pixels that hang between a near and a far surface.
///
/// A pixel flies when its left and right (or upper and lower) neighbors two pixels away lie on
/// surfaces more than `gap` apart and the pixel is inside the gap, away from both by a quarter of
/// it: a slope passes such a test only where it is as steep as an edge.
struct FlyingPixels: Hashable, Sendable {
  /// The smallest step between two surfaces, as a share of the nearer depth; noise and slanted
  /// surfaces stay below a twentieth over four pixels.
  static let gap: Float = 0.05

  /// The number of flying pixels.
  var count: Int
  /// Their share of the measured pixels, 0 to 1.
  var fraction: Double

  /// Counts the flying pixels of a map; O(*n*).
  init(_ depth: DepthMap) {
    let raster = depth.meters
    let width = raster.width
    let stride = raster.rowStride
    var flying = 0
    var valid = 0
    raster.samples.withUnsafeBufferPointer { samples in
      for y in 0..<raster.height {
        let insideColumns = y >= 2 && y < raster.height - 2
        for x in 0..<width {
          let index = y &* stride &+ x
          let z = samples[index]
          guard z > 0 else { continue }
          valid += 1
          if x >= 2 && x < width &- 2
            && Self.isBetween(samples[index &- 2], z, samples[index &+ 2])
            || insideColumns
              && Self.isBetween(samples[index &- 2 &* stride], z, samples[index &+ 2 &* stride])
          {
            flying += 1
          }
        }
      }
    }
    count = flying
    fraction = valid == 0 ? 0 : Double(flying) / Double(valid)
  }

  /// Whether `z` lies in the middle half of a gap; NaN neighbors compare false.
  @inline(__always)
  private static func isBetween(_ a: Float, _ z: Float, _ b: Float) -> Bool {
    let near = min(a, b)
    let far = max(a, b)
    let step = far - near
    return step > gap * near && z - near > 0.25 * step && far - z > 0.25 * step
  }
}
