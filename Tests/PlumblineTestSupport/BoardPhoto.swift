package import PlumblineModel

/// A photo of a chessboard by a pinhole, drawn square by square, and the depth of the plane it lies on.
package struct BoardPhoto: Sendable {
  /// The size of the photo.
  package let size = RasterSize(width: 320, height: 240)
  /// The focal length in pixels.
  package let focalLength = 300.0
  /// How many squares there are along the columns and the rows; the inner corners are one fewer.
  package let squares = SIMD2(7, 5)
  /// The side of a square in meters.
  package let squareMeters = 0.03

  /// A board that leans away at the right, from 0.4 to 0.53 m.
  package init() {}

  /// The camera.
  package var intrinsics: PinholeIntrinsics {
    PinholeIntrinsics(
      focalLength: [focalLength, focalLength], principalPoint: middle, size: size)
  }

  private var middle: SIMD2<Double> {
    [Double(size.width - 1) / 2, Double(size.height - 1) / 2]
  }

  // The plane z = 0.46 + 0.6·x; along it a step of x is √(1 + 0.6²) long.
  private let distance = 0.46
  private let slope = 0.6

  /// The depth of the plane at a pixel, in meters.
  package func meters(at pixel: SIMD2<Double>) -> Double {
    distance / (1 - slope * (pixel.x - middle.x) / focalLength)
  }

  /// The photo, each pixel the mean of 3 × 3 positions.
  package var image: Raster<RGB8> {
    let stretch = (1 + slope * slope).squareRoot()
    let half = SIMD2(Double(squares.x), Double(squares.y)) / 2
    return Raster(size: size) { x, y in
      var sum = 0
      for row in -1...1 {
        for column in -1...1 {
          let pixel = SIMD2(Double(x) + Double(column) / 3, Double(y) + Double(row) / 3)
          let z = meters(at: pixel)
          let ray = (pixel - middle) / focalLength * z
          let place = ray * SIMD2(stretch, 1) / squareMeters + half
          let cell = SIMD2(Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
          let isInside = cell.x >= 0 && cell.y >= 0 && cell.x < squares.x && cell.y < squares.y
          sum += isInside && (cell.x + cell.y).isMultiple(of: 2) ? 30 : 220
        }
      }
      let level = UInt8(sum / 9)
      return RGB8(red: level, green: level, blue: level)
    }
  }
}
