import PlumblineModel

/// The pixels beside edges; by default those within 5 pixels of a depth edge.
struct EdgeZone {
  /// How far the zone reaches, in pixels.
  static let reach = 5
  /// Neighbors that differ by more than this share of the scene's range of disparities are an edge.
  static let share: Float = 0.05

  /// Indices of the pixels, in rows.
  let pixels: [Int]

  init(pixels: [Int]) { self.pixels = pixels }

  /// - Parameter disparity: Exact, of each pixel's center.
  init(_ disparity: Raster<Float>) {
    let (width, height) = (disparity.width, disparity.height)
    let values = disparity.packed.samples
    let limit = Self.share * ((values.max() ?? 0) - (values.min() ?? 0))
    var isNear = [Bool](repeating: false, count: values.count)
    func mark(_ x: Int, _ y: Int) {
      for down in -Self.reach...Self.reach {
        for right in -Self.reach...Self.reach
        where right * right + down * down <= Self.reach * Self.reach {
          guard disparity.contains(x: x + right, y: y + down) else { continue }
          isNear[(y + down) * width + x + right] = true
        }
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        let here = values[y * width + x]
        if x + 1 < width, abs(values[y * width + x + 1] - here) > limit {
          mark(x, y)
          mark(x + 1, y)
        }
        if y + 1 < height, abs(values[(y + 1) * width + x] - here) > limit {
          mark(x, y)
          mark(x, y + 1)
        }
      }
    }
    pixels = isNear.indices.filter { isNear[$0] }
  }
}
