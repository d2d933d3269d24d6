import PlumblineModel
import Testing

@Suite("Image orientation")
struct ImageOrientationTests {
  static let pairs = ImageOrientation.allCases.flatMap { first in
    ImageOrientation.allCases.map { (first, $0) }
  }

  @Test("Each of the eight moves the first pixel to the corner that EXIF names")
  func corners() {
    // Exif 2.32 names where the 0th row and the 0th column are seen; a 3×2 raster shows it.
    let expected: [ImageOrientation: SIMD2<Double>] = [
      .up: [0, 0], .upMirrored: [2, 0], .down: [2, 1], .downMirrored: [0, 1],
      .leftMirrored: [0, 0], .right: [1, 0], .rightMirrored: [1, 2], .left: [0, 2],
    ]
    for orientation in ImageOrientation.allCases {
      let corner = orientation.upright(.zero, in: RasterSize(width: 3, height: 2))
      #expect(corner == expected[orientation], "\(orientation)")
    }
  }

  @Test("The eight are a group", arguments: ImageOrientation.allCases)
  func group(orientation: ImageOrientation) {
    #expect(orientation.followed(by: .up) == orientation)
    #expect(ImageOrientation.up.followed(by: orientation) == orientation)
    #expect(orientation.followed(by: orientation.inverse) == .up)
    #expect(orientation.inverse.followed(by: orientation) == .up)
    #expect(Set(ImageOrientation.allCases.map { orientation.followed(by: $0) }).count == 8)
    let mirrored: Set<ImageOrientation> = [
      .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
    ]
    #expect(orientation.isMirrored == mirrored.contains(orientation))
    #expect(orientation.swapsAxes == (orientation.rawValue >= 5))
  }

  @Test("One after the other is the same as both at once, on points and on pixels")
  func composition() {
    let size = RasterSize(width: 5, height: 3)
    let raster = Raster(size: size) { x, y in 10 * y + x }
    for (first, second) in Self.pairs {
      let both = first.followed(by: second)
      let middle = first.uprightSize(of: size)
      #expect(second.uprightSize(of: middle) == both.uprightSize(of: size))
      let point = SIMD2(3.25, -0.5)
      let twice = second.upright(first.upright(point, in: size), in: middle)
      #expect(twice == both.upright(point, in: size), "\(first) then \(second)")
      #expect(raster.oriented(by: first).oriented(by: second) == raster.oriented(by: both))
    }
  }

  @Test("Pixels move as points do", arguments: ImageOrientation.allCases)
  func pixels(orientation: ImageOrientation) {
    let size = RasterSize(width: 5, height: 3)
    // The padding holds −1, which must never be read as a pixel.
    let samples = (0..<3).flatMap { y in (0..<5).map { 10 * y + $0 } + [-1, -1] }
    let raster = Raster(size: size, rowStride: 7, samples: samples)
    let upright = raster.oriented(by: orientation)
    for y in 0..<3 {
      for x in 0..<5 {
        let moved = orientation.upright([Double(x), Double(y)], in: size)
        #expect(upright[Int(moved.x), Int(moved.y)] == raster[x, y])
      }
    }
    #expect(upright.oriented(by: orientation.inverse) == raster)
  }
}
