import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import PlumblineVision
import Testing

@Suite struct RectifiedImageTests {
  /// An image that says where each pixel is: the gray level is a plane over columns or rows.
  private static func ramp(_ size: RasterSize, along axis: Int) -> Raster<UInt8> {
    Raster(size: size) { x, y in UInt8(20 + (axis == 0 ? x : y)) }
  }

  @Test(arguments: RectificationTests.centers)
  func imagesAreTakenFromWhereTheGeometrySays(center: SIMD3<Double>) throws {
    let calibration = try RectificationTests.pair(right: center)
    let rectification = try StereoRectification(calibration)
    for axis in 0..<2 {
      let left = Self.ramp(calibration.left.intrinsics.size, along: axis)
      let right = Self.ramp(calibration.right.intrinsics.size, along: axis)
      let pair = try rectification.rectified(left: left, right: right)
      let coverage = try #require(pair.leftCoverage)
      let rightCoverage = try #require(pair.rightCoverage)
      var seen = 0
      for y in stride(from: 0, to: pair.size.height, by: 7) {
        for x in stride(from: 0, to: pair.size.width, by: 5) {
          let pixel = SIMD2(Double(x), Double(y))
          if coverage[x, y] == 1 {
            let place = try #require(rectification.original(pixel, .left))
            // A ramp of one code a pixel reads as a place: half a code of rounding, and half a byte
            // of each weight.
            #expect(abs(Double(pair.left[x, y]) - 20 - place[axis]) < 0.52, "codes")
            seen += 1
          }
          if rightCoverage[x, y] == 1 {
            let place = try #require(rectification.original(pixel, .right))
            #expect(abs(Double(pair.right[x, y]) - 20 - place[axis]) < 0.52, "codes")
          }
        }
      }
      #expect(seen > 300)
    }
  }

  @Test func mapsKeepWithinAFewHundredthsOfAPixel() throws {
    let calibration = try RectificationTests.pair()
    let rectification = try StereoRectification(calibration)
    // Ramps as steep as bytes allow, summed to see through the rounding: the mean over many pixels
    // of the difference is the map's own bias.
    let left = Raster(size: calibration.left.intrinsics.size) { x, _ in UInt8(20 + x) }
    let right = Raster(size: calibration.right.intrinsics.size) { x, _ in UInt8(20 + x) }
    let pair = try rectification.rectified(left: left, right: right)
    let coverage = try #require(pair.leftCoverage)
    var sum = 0.0
    var count = 0.0
    for y in 0..<pair.size.height {
      for x in 0..<pair.size.width where coverage[x, y] == 1 {
        let place = try #require(rectification.original(SIMD2(Double(x), Double(y)), .left))
        sum += Double(pair.left[x, y]) - 20 - place.x
        count += 1
      }
    }
    #expect(abs(sum / count) < 0.05, "px, as promised")
  }

  @Test func aReducedImageIsTheMeanOfItsPlaces() throws {
    let size = RasterSize(width: 64, height: 48)
    let camera = CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: [80, 80], principalPoint: [31.5, 23.5], size: size)
    )
    let calibration = StereoCalibration(
      left: camera, right: camera,
      rightFromLeft: RigidTransform(rotation: .identity, translation: [-0.1, 0, 0]))
    let rectification = try StereoRectification(calibration, focalLength: .pixels(40))
    // A checkerboard of single pixels, which picking every second one would turn black or white.
    let checks = Raster(size: size) { x, y in UInt8((x + y) % 2 * 200) }
    let pair = try rectification.rectified(left: checks, right: checks)
    let coverage = try #require(pair.leftCoverage)
    for y in 0..<pair.size.height {
      for x in 0..<pair.size.width where coverage[x, y] == 1 {
        // Bilinear positions a half pixel apart see all phases; the worst mean is off by a quarter.
        #expect(abs(Int(pair.left[x, y]) - 100) <= 50)
      }
    }
    #expect(coverage.samples.count { $0 == 1 } > coverage.samples.count / 2)
  }

  @Test func whatLiesOutsideOfTheCleanApertureIsNotCovered() throws {
    var calibration = try RectificationTests.pair()
    calibration.leftCleanAperture = PixelRectangle(x: 60, y: 40, width: 90, height: 70)
    let rectification = try StereoRectification(calibration)
    let pair = try rectification.rectified(
      left: Raster(size: calibration.left.intrinsics.size) { x, y in
        (60..<150).contains(x) && (40..<110).contains(y) ? 200 : 0
      }, right: Raster(size: calibration.right.intrinsics.size, repeating: UInt8(9)))
    let coverage = try #require(pair.leftCoverage)
    var covered = 0
    for y in 0..<pair.size.height {
      for x in 0..<pair.size.width {
        if coverage[x, y] == 1 { covered += 1 }
        // Nothing black is covered, and nothing uncovered is shown.
        #expect(pair.left[x, y] == (coverage[x, y] == 1 ? 200 : 0))
      }
    }
    #expect(covered > 90 * 70 * 9 / 10)
    #expect(rectification.size.width < 200)
  }

  @Test func theNumberOfThreadsDoesNotChangeAByte() throws {
    let calibration = try RectificationTests.pair()
    let rectification = try StereoRectification(calibration, focalLength: .pixels(800))
    var generator = SeededGenerator(seed: 2)
    let left = Raster(size: calibration.left.intrinsics.size) { _, _ in
      RGB8(
        red: UInt8(truncatingIfNeeded: generator.next()), green: 7,
        blue: UInt8(truncatingIfNeeded: generator.next()))
    }
    let right = Raster(size: calibration.right.intrinsics.size) { _, _ in
      RGB8(red: UInt8(truncatingIfNeeded: generator.next()), green: 1, blue: 3)
    }
    let one = try rectification.rectified(left: left, right: right, threads: 1)
    let four = try rectification.rectified(left: left, right: right, threads: 4)
    #expect(one.leftColor == four.leftColor)
    #expect(one.pair.left == one.leftColor.luma)
    #expect(one.pair.right == four.pair.right)
    #expect(one.pair.leftCoverage == four.pair.leftCoverage)
    #expect(one.pair.rightCoverage == four.pair.rightCoverage)
  }
}
