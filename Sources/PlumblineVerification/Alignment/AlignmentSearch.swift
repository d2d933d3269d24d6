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
    let scale = 1 / Float(factor)
    // Plain numbers: this loop runs half a million times, and vectors of two are slow unoptimized.
    let (lastX, lastY) = (Float(image.width - 2), Float(image.height - 2))
    let places = used.map { ($0.position - middle) * scale }
    var best: Float = -1
    image.samples.withUnsafeBufferPointer { samples in
      places.withUnsafeBufferPointer { places in
        used.withUnsafeBufferPointer { used in
          for zoom in Self.zooms {
            for y in Self.shifts {
              for x in Self.shifts {
                // Reduced pixel u holds factor·u … factor·(u + 1) − 1.
                let shift = SIMD2(x, y) * Float(luma.width) / 160
                let originX = (middle.x + shift.x + 0.5) * scale
                let originY = (middle.y + shift.y + 0.5) * scale
                var score: Float = 0
                for index in 0..<places.count {
                  let placeX = places[index].x * zoom + originX
                  let placeY = places[index].y * zoom + originY
                  // What falls outside meets no edge.
                  if placeX < 1 || placeY < 1 || placeX > lastX || placeY > lastY { continue }
                  let i = Int(placeY) &* image.width &+ Int(placeX)
                  let dx = samples[i &+ 1] - samples[i &- 1]
                  let dy = samples[i &+ image.width] - samples[i &- image.width]
                  let change = dx * used[index].normal.x + dy * used[index].normal.y
                  let size = change < 0 ? -change : change
                  score += size < cap ? size : cap
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
}
