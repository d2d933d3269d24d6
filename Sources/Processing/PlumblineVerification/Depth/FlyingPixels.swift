package import PlumblineModel

/// The share of measured pixels that hang between a near and a far surface.
///
/// A pixel flies when its left and right (or upper and lower) neighbors two pixels away lie on
/// surfaces more than `gap` apart, the pixel is inside the gap, away from both by a quarter of it,
/// and the surfaces end there: from four to two pixels away, disparity changes by less than a
/// quarter of the step on both sides. On a plane it changes by half of it, however steep the plane
/// is, since disparity is linear in pixels. Neighbors that were not measured do not speak against
/// an edge, but one of the two must speak for it.
struct FlyingPixels: Hashable, Sendable {
  /// The smallest step between two surfaces, as a share of the nearer depth; the noise of a
  /// structured-light sensor stays below a twentieth.
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
            && Self.isEdge(samples, index, step: 2, before: x, after: width &- 1 &- x)
            || insideColumns
              && Self.isBetween(samples[index &- 2 &* stride], z, samples[index &+ 2 &* stride])
              && Self.isEdge(
                samples, index, step: 2 &* stride, before: y, after: raster.height &- 1 &- y)
          {
            flying += 1
          }
        }
      }
    }
    count = flying
    fraction = valid == 0 ? 0 : Double(flying) / Double(valid)
  }

  /// Whether a pixel inside a map flies.
  fileprivate static func isFlying(x: Int, y: Int, in raster: Raster<Float>) -> Bool {
    let stride = raster.rowStride
    let index = y * stride + x
    return raster.samples.withUnsafeBufferPointer { samples in
      guard samples[index] > 0 else { return false }
      return x >= 2 && x < raster.width - 2
        && isBetween(samples[index - 2], samples[index], samples[index + 2])
        && isEdge(samples, index, step: 2, before: x, after: raster.width - 1 - x)
        || y >= 2 && y < raster.height - 2
          && isBetween(samples[index - 2 * stride], samples[index], samples[index + 2 * stride])
          && isEdge(samples, index, step: 2 * stride, before: y, after: raster.height - 1 - y)
    }
  }

  /// Whether `z` lies in the middle half of a gap; NaN neighbors compare false.
  @inline(__always)
  private static func isBetween(_ a: Float, _ z: Float, _ b: Float) -> Bool {
    let near = min(a, b)
    let far = max(a, b)
    let step = far - near
    return step > gap * near && z - near > 0.25 * step && far - z > 0.25 * step
  }

  /// Whether the surfaces on both sides of a pixel end there, as far as they were measured.
  ///
  /// `step` is the distance of two pixels in the buffer, `before` and `after` count the pixels on
  /// both sides of this one in its row or column.
  private static func isEdge(
    _ samples: UnsafeBufferPointer<Float>, _ index: Int, step: Int, before: Int, after: Int
  ) -> Bool {
    let a = 1 / samples[index - step]
    let b = 1 / samples[index + step]
    let limit = 0.25 * abs(a - b)
    let outerA = before >= 4 ? 1 / samples[index - 2 * step] : .nan
    let outerB = after >= 4 ? 1 / samples[index + 2 * step] : .nan
    if outerA.isNaN && outerB.isNaN { return false }
    return !(abs(outerA - a) > limit) && !(abs(outerB - b) > limit)
  }
}

extension DepthMap {
  /// Whether a pixel hangs between a near and a far surface, as `depth.flyingPixels` counts them; O(1).
  ///
  /// - Precondition: The pixel lies inside the map.
  package func isFlying(x: Int, y: Int) -> Bool {
    precondition(meters.contains(x: x, y: y), "pixel (\(x), \(y)) is outside \(size)")
    return FlyingPixels.isFlying(x: x, y: y, in: meters)
  }
}
