import PlumblineModel

/// Where the contours of a depth map fit the edges of its image best, found by trying.
struct AlignmentSearch {
  /// The zooms that are tried: real faults reach 0.95.
  static let zooms: [Float] = (0...16).map { 0.9 + Float($0) * 0.0125 }
  /// The shifts that are tried each way, in 160ths of the width.
  static let shifts: [Float] = (-4...4).map { Float($0) * 0.75 }
  /// At most so many contour points take part.
  static let pointLimit = 400

  /// The best transform: zoom and shift in pixels of the depth map.
  var zoom: Float = 1
  var shift = SIMD2<Float>.zero

  /// Tries all; O(1) in the size of the map.
  init(_ luma: Raster<UInt8>, _ points: [ContourPoint]) {
    let factor = max(1, (luma.width + 80) / 160)
    let image = SmoothLuma(luma, reducedBy: factor)
    guard image.width > 4, image.height > 4, !points.isEmpty else { return }
    let step = (points.count + Self.pointLimit - 1) / Self.pointLimit
    let middle = SIMD2(Float(luma.width - 1), Float(luma.height - 1)) / 2
    let used = stride(from: 0, to: points.count, by: step).map { points[$0] }
    let cap = 6 * image.noise
    let last = SIMD2(Float(image.width - 2), Float(image.height - 2))
    var best: Float = -1
    let scale = 1 / Float(factor)
    image.samples.withUnsafeBufferPointer { samples in
      used.withUnsafeBufferPointer { used in
        for zoom in Self.zooms {
          for y in Self.shifts {
            for x in Self.shifts {
              // Reduced pixel u holds factor·u … factor·(u + 1) − 1.
              let shift = SIMD2(x, y) * Float(luma.width) / 160
              let origin = (middle + shift + 0.5) * scale
              var score: Float = 0
              for point in used {
                let place = (point.position - middle) * (zoom * scale) + origin
                let inside = place.clamped(lowerBound: [1, 1], upperBound: last)
                let index = Int(inside.y) &* image.width &+ Int(inside.x)
                let dx = samples[index &+ 1] - samples[index &- 1]
                let dy = samples[index &+ image.width] - samples[index &- image.width]
                score += min(abs(dx * point.normal.x + dy * point.normal.y), cap)
              }
              if score > best {
                best = score
                self.zoom = zoom
                self.shift = shift
              }
            }
          }
        }
      }
    }
  }
}
