internal import PlumblineModel

/// The intensities of an image and their slopes, for a camera of its size.
struct IntensityImage: Sendable {
  /// Of each pixel, row after row: its intensity from 0 to 255, and the slopes along columns and rows per pixel.
  private let values: [SIMD4<Float>]
  let size: RasterSize
  let focalLength: SIMD2<Float>
  let principalPoint: SIMD2<Float>

  /// Takes an image of a camera's whole field of view.
  init(_ color: Raster<RGB8>, camera: PinholeIntrinsics) {
    size = color.size
    let scale = SIMD2(
      Double(size.width) / Double(camera.size.width),
      Double(size.height) / Double(camera.size.height))
    focalLength = SIMD2<Float>(camera.focalLength * scale)
    principalPoint = SIMD2<Float>((camera.principalPoint + 0.5) * scale - 0.5)
    let (luma, width, height) = (color.luma.samples, size.width, size.height)
    values = [SIMD4<Float>](unsafeUninitializedCapacity: size.pixelCount) { values, count in
      for y in 0..<height {
        let (above, below) = (max(y - 1, 0), min(y + 1, height - 1))
        for x in 0..<width {
          let (left, right) = (max(x - 1, 0), min(x + 1, width - 1))
          func intensity(_ x: Int, _ y: Int) -> Float { Float(luma[y * width + x]) }
          let slopeX = intensity(right, y) - intensity(left, y)
          let slopeY = intensity(x, below) - intensity(x, above)
          values[count] = SIMD4(
            intensity(x, y), slopeX / Float(max(right - left, 1)),
            slopeY / Float(max(below - above, 1)), 0)
          count += 1
        }
      }
    }
  }

  /// Intensity and slopes at a place, linear between pixels; `nil` beyond the outer centers.
  func sample(_ place: SIMD2<Float>) -> SIMD4<Float>? {
    // Not a number lies outside.
    guard place.x >= 0, place.y >= 0, place.x < Float(size.width - 1),
      place.y < Float(size.height - 1)
    else { return nil }
    let (column, row) = (Int(place.x), Int(place.y))
    let (x, y) = (place.x - Float(column), place.y - Float(row))
    let first = row * size.width + column
    let above = values[first] * (1 - x) + values[first + 1] * x
    let below = values[first + size.width] * (1 - x) + values[first + size.width + 1] * x
    return above * (1 - y) + below * y
  }

  /// The derivatives of the intensity by a motion of a point in the axes of the camera, by the slopes at its pixel.
  func derivatives(_ sample: SIMD4<Float>, at point: SIMD3<Float>) -> SIMD3<Float> {
    let along = SIMD2(sample.y * focalLength.x, sample.z * focalLength.y) / point.z
    return SIMD3(along.x, along.y, -(along.x * point.x + along.y * point.y) / point.z)
  }

  /// The pixel of a point in the axes of the camera.
  func project(_ point: SIMD3<Float>) -> SIMD2<Float> {
    SIMD2(point.x, point.y) / point.z * focalLength + principalPoint
  }
}

/// The intensities of a frame for each level of tracking.
struct IntensityPyramid: Sendable {
  /// From coarse to fine.
  let images: [IntensityImage]

  /// The images of a frame: of two pixels for each point of a level's stride; `nil` without color.
  ///
  /// - Complexity: O(pixels of the color image).
  static func of(_ frame: ScanFrame, levels: [TrackingSettings.Level]) -> IntensityPyramid? {
    guard var color = frame.color, !levels.isEmpty else { return nil }
    let map = frame.depth.size
    var images: [IntensityImage] = []
    // Means of means, from fine to coarse.
    for level in levels.reversed() {
      let side = { (pixels: Int) in max(4, 2 * pixels / level.stride) }
      let size = RasterSize(
        width: min(side(map.width), color.width), height: min(side(map.height), color.height))
      if size != color.size { color = color.averaged(to: size) }
      images.append(IntensityImage(color, camera: frame.camera))
    }
    return IntensityPyramid(images: images.reversed())
  }
}
