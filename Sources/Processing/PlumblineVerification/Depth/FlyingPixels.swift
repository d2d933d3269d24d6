import CKernels
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
    let (width, height, stride) = (raster.width, raster.height, raster.rowStride)
    let missingRow = [Float](repeating: .nan, count: width)
    // The row with two missing pixels on both sides.
    var row = [Float](repeating: .nan, count: width + 4)
    var marks = [UInt8](repeating: 0, count: width)
    var flying = 0
    var valid: Int64 = 0
    raster.samples.withUnsafeBufferPointer { samples in
      guard let first = samples.baseAddress else { return }
      missingRow.withUnsafeBufferPointer { missingRow in
        guard let missingRow = missingRow.baseAddress else { return }
        for y in 0..<height {
          row.replaceSubrange(2..<width + 2, with: samples[y * stride..<y * stride + width])
          let isInside = y >= 2 && y < height - 2
          let isAnyMarked = row.withUnsafeBufferPointer { row in
            row.baseAddress.map {
              plb_pixels_in_steps(
                $0 + 2, isInside ? first + (y - 2) * stride : missingRow,
                isInside ? first + (y + 2) * stride : missingRow, width, Self.gap, &marks, &valid)
            }
          }
          guard isAnyMarked == true else { continue }
          for x in 0..<width where marks[x] != 0 {
            let index = y * stride + x
            if marks[x] & 1 != 0 && Self.isEdge(samples, index, step: 1, at: x, of: width)
              || marks[x] & 2 != 0 && Self.isEdge(samples, index, step: stride, at: y, of: height)
            {
              flying += 1
            }
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
        && isEdge(samples, index, step: 1, at: x, of: raster.width)
        || y >= 2 && y < raster.height - 2
          && isBetween(samples[index - 2 * stride], samples[index], samples[index + 2 * stride])
          && isEdge(samples, index, step: stride, at: y, of: raster.height)
    }
  }

  /// Whether `z` lies in the middle half of a gap; NaN neighbors compare false.
  private static func isBetween(_ a: Float, _ z: Float, _ b: Float) -> Bool {
    let near = min(a, b)
    let far = max(a, b)
    let step = far - near
    return step > gap * near && z - near > 0.25 * step && far - z > 0.25 * step
  }

  /// Whether the surfaces on both sides of a pixel end there, as far as they were measured.
  ///
  /// `step` is the distance of two neighbors in the buffer, `place` that of the pixel in its row or
  /// column, which has `length` pixels.
  private static func isEdge(
    _ samples: UnsafeBufferPointer<Float>, _ index: Int, step: Int, at place: Int, of length: Int
  ) -> Bool {
    let a = 1 / samples[index - 2 * step]
    let b = 1 / samples[index + 2 * step]
    let limit = 0.25 * abs(a - b)
    let outerA = place >= 4 ? 1 / samples[index - 4 * step] : .nan
    let outerB = place < length - 4 ? 1 / samples[index + 4 * step] : .nan
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
