import PlumblineModel

/// A position where a near surface ends before a far one.
struct ContourPoint: Hashable {
  /// Between two pixels of the depth map, in pixels.
  var position: SIMD2<Float>
  /// A unit vector from the near to the far side.
  var normal: SIMD2<Float>
}

/// The contours of near things in a depth map.
///
/// A hole takes the farther depth of the two ends of its row first: a structured-light sensor's
/// shadow lies on the background, so that the near side of a hole is the contour.
struct DepthContour {
  /// The least step, as a ratio of the two disparities: beyond the noise of a sensor at 3 m.
  static let ratio: Float = 1.06
  /// How near to the border of the map a contour may be, in pixels.
  static let margin = 8

  var points: [ContourPoint] = []

  /// Finds the contours; O(*n*).
  init(_ depth: DepthMap) {
    let (width, height) = (depth.size.width, depth.size.height)
    guard width > 2 * Self.margin + 8, height > 2 * Self.margin + 8 else { return }
    let disparity = Self.filled(depth)
    disparity.withUnsafeBufferPointer { disparity in
      for y in Self.margin..<height - Self.margin {
        for x in Self.margin..<width - Self.margin - 1 {
          let index = y &* width &+ x
          if Self.isStep(disparity, index, 1) {
            add(disparity, width, SIMD2(Float(x) + 0.5, Float(y)), index, index + 1, isRow: true)
          }
          if y < height - Self.margin - 1, Self.isStep(disparity, index, width) {
            add(
              disparity, width, SIMD2(Float(x), Float(y) + 0.5), index, index + width, isRow: false)
          }
        }
      }
    }
  }

  /// Whether the maximum step of its neighborhood lies between a sample and the next one, and the
  /// surfaces on both sides are flat beside it.
  @inline(__always)
  private static func isStep(_ d: UnsafeBufferPointer<Float>, _ i: Int, _ step: Int) -> Bool {
    let here = d[i]
    let next = d[i &+ step]
    // Nearly every pixel ends here.
    guard here > next * 1.03 || next > here * 1.03 else { return false }
    let before = d[i &- step]
    let after = d[i &+ 2 &* step]
    let low = min(before, after)
    let high = max(before, after)
    guard low > 0, high > low * Self.ratio else { return false }
    let own = abs(next - here)
    guard own >= abs(here - before), own > abs(after - next) else { return false }
    let limit = 0.25 * (high - low)
    return abs(d[i &- 3 &* step] - before) < limit
      && abs(d[i &+ 4 &* step] - after) < limit
  }

  /// Adds a point with the normal that the near pixels around it have.
  private mutating func add(
    _ d: UnsafeBufferPointer<Float>, _ width: Int, _ position: SIMD2<Float>, _ first: Int,
    _ second: Int, isRow: Bool
  ) {
    let limit = 0.5 * (d[first] + d[second])
    var (sumX, sumY) = (0, 0)
    let radius = 5
    for dy in -radius...radius {
      let rowStart = first &+ dy &* width
      for dx in -radius...radius where d[rowStart &+ dx] < limit {
        sumX &+= dx
        sumY &+= dy
      }
    }
    let sum = SIMD2(Float(sumX), Float(sumY))
    let length = (sum * sum).sum().squareRoot()
    // Both sides of a thin thing cancel; such a position has no direction.
    guard length > 60 else { return }
    let normal = sum / length
    // Each contour is taken from the direction that crosses it more steeply.
    guard isRow ? abs(normal.x) >= abs(normal.y) : abs(normal.y) > abs(normal.x) else { return }
    let across = isRow ? normal.x : normal.y
    guard (across > 0) == (d[first] > d[second]) else { return }
    points.append(ContourPoint(position: position, normal: normal))
  }

  /// Disparities whose holes are filled from the farther end of their row; 0 where a row is empty.
  private static func filled(_ depth: DepthMap) -> [Float] {
    let raster = depth.meters
    let (width, height) = (raster.width, raster.height)
    var result = [Float](repeating: 0, count: width * height)
    result.withUnsafeMutableBufferPointer { result in
      raster.samples.withUnsafeBufferPointer { samples in
        for y in 0..<height {
          let row = y &* width
          var x = 0
          while x < width {
            let meters = samples[y &* raster.rowStride &+ x]
            if meters > 0 {
              result[row &+ x] = 1 / meters
              x &+= 1
              continue
            }
            var end = x
            while end < width, !(samples[y &* raster.rowStride &+ end] > 0) { end &+= 1 }
            let left = x > 0 ? result[row &+ x &- 1] : .infinity
            let right = end < width ? 1 / samples[y &* raster.rowStride &+ end] : .infinity
            let value = min(left, right)
            while x < end {
              result[row &+ x] = value < .infinity ? value : 0
              x &+= 1
            }
          }
        }
      }
    }
    return result
  }
}
