package import PlumblineModel

/// The image that shows whether a depth map lies on its image: depth colored over gray, the
/// contours of near things drawn where the map has them.
///
/// Red is near, blue is far, gray is not measured; contours are white on black, so that they stand
/// out on both. Where depth lies on color, they follow the edges of the image.
/// - Source: the look of figure 2 of arXiv 2201.10865.
package enum AlignmentOverlay {
  /// Draws the image at the size of the depth map; O(*n*).
  ///
  /// - Parameters:
  ///   - frame: The image and its map.
  ///   - opacity: How much depth covers the image, 0 to 1.
  /// - Returns: An image; the same for the same input.
  package static func image(of frame: AlignmentFrame, opacity: Double = 0.45) -> Raster<RGB8> {
    let depth = frame.depth.meters
    let range = disparityRange(of: depth)
    let share = Float(min(max(opacity, 0), 1))
    var image = Raster<RGB8>(size: depth.size) { x, y in
      let gray = Float(frame.luma[x, y])
      let meters = depth[x, y]
      guard meters > 0, let range else {
        return RGB8(red: UInt8(gray), green: UInt8(gray), blue: UInt8(gray))
      }
      let part = (1 / meters - range.lowerBound) / (range.upperBound - range.lowerBound)
      let color = color(of: min(max(part, 0), 1))
      let mixed = color * share + SIMD3(repeating: gray) * (1 - share)
      return RGB8(red: UInt8(mixed.x), green: UInt8(mixed.y), blue: UInt8(mixed.z))
    }
    let points = DepthContour(frame.depth).points
    for (code, radius) in [(UInt8(0), 1), (255, 0)] {
      for point in points {
        let (column, row) = (Int(point.position.x), Int(point.position.y))
        for y in row - radius...row + radius {
          for x in column - radius...column + radius where image.contains(x: x, y: y) {
            image[x, y] = RGB8(red: code, green: code, blue: code)
          }
        }
      }
    }
    return image
  }

  /// The disparities between which the colors run: 2 % of the pixels lie beyond each end.
  private static func disparityRange(of depth: Raster<Float>) -> ClosedRange<Float>? {
    var sample: [Float] = []
    let step = max(1, depth.size.pixelCount / 20_000)
    for index in stride(from: 0, to: depth.size.pixelCount, by: step) {
      let meters = depth[index % depth.width, index / depth.width]
      if meters > 0 { sample.append(1 / meters) }
    }
    guard sample.count > 1 else { return nil }
    sample.sort()
    let low = sample[sample.count / 50]
    let high = sample[sample.count - 1 - sample.count / 50]
    return low < high ? low...high : nil
  }

  /// Blue over cyan, green and yellow to red: five colors, straight between them.
  private static func color(of part: Float) -> SIMD3<Float> {
    let stops: [SIMD3<Float>] = [
      [40, 60, 200], [40, 180, 220], [70, 190, 90], [240, 210, 60], [220, 50, 40],
    ]
    let place = part * Float(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    return stops[index] + (stops[index + 1] - stops[index]) * (place - Float(index))
  }
}
