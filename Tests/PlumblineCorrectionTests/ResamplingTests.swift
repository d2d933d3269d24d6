import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCorrection

/// Resampling against slow twins and exact lenses.
@Suite struct ResamplingTests {
  static let size = RasterSize(width: 160, height: 120)
  static let samples: [Float] = (0..<42).map { index in
    let place = Float(index)
    return 0.0009 * place - 0.00001 * place * place
  }
  static let lenses: [CameraCalibration] = [
    camera(.coefficients([0, -1.8, 0.3]), nil, center: [81.5, 57.25]),
    camera(nil, .table(samples), center: [78, 61]),
  ]

  static func camera(
    _ distorting: RadialMagnification?, _ undistorting: RadialMagnification?,
    center: SIMD2<Double>
  ) -> CameraCalibration {
    CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [135, 135], principalPoint: [80.25, 58.5], size: size),
      distortion: LensDistortion(
        center: center, size: size, pixelSizeMillimeters: 0.02, distorting: distorting,
        undistorting: undistorting))
  }

  static func image(_ seed: UInt64, _ size: RasterSize = size) -> Raster<RGB8> {
    var random = SeededGenerator(seed: seed)
    return Raster(size: size) { _, _ in
      let bits = random.next()
      return RGB8(
        red: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
        blue: UInt8(truncatingIfNeeded: bits >> 16))
    }
  }

  @Test(arguments: PixelMap.Direction.allCases, lenses.indices)
  func placesAreWhereTheLensSays(_ direction: PixelMap.Direction, _ lens: Int) throws {
    let camera = Self.lenses[lens]
    let map = try #require(PixelMap(direction, camera))
    let distortion = try #require(camera.distortion)
    var worst = 0.0
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let pixel = SIMD2(Double(x), Double(y))
        let exact =
          direction == .rectifying ? distortion.distorted(pixel) : distortion.undistorted(pixel)
        let difference = SIMD2<Double>(map.positions[x, y]) - exact
        worst = max(worst, abs(difference.x), abs(difference.y))
      }
    }
    // Pixels: the kinks of a table of 42 samples fall inside pieces of the squared radius.
    #expect(worst < 0.002, "\(worst) px")
  }

  @Test(arguments: lenses.indices) func bothWaysLeadBack(_ lens: Int) throws {
    let distortion = try #require(Self.lenses[lens].distortion)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let pixel = SIMD2(159 * random.uniform(), 119 * random.uniform())
      let back = distortion.undistorted(distortion.distorted(pixel))
      // Pixels: bisection stops at 1e-9 of the radius; a radius past the table's end stays.
      if distortion.distorted(pixel).x.isFinite, (pixel - distortion.center).max() < 60 {
        #expect(abs(back.x - pixel.x) < 1e-6 && abs(back.y - pixel.y) < 1e-6)
      }
    }
  }

  /// The kernels give the same bits as these loops over the same weights.
  @Test(arguments: [UInt64(1), 2, 3]) func kernelsAreTheirTwins(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let source = RasterSize(width: 37, height: 29)
    let result = RasterSize(width: 131, height: 3)
    let map = PixelMap(
      sourceSize: source,
      positions: Raster(size: result) { _, _ in
        SIMD2(Float(45 * random.uniform() - 4), Float(37 * random.uniform() - 4))
      })
    let plan = BilinearPlan(map)
    let color = Self.image(seed, source)
    let gray = color.map(\.green)
    let fast = plan.resampled(color)
    let fastGray = plan.resampled(gray)
    let valid = plan.validity
    for y in 0..<result.height {
      for x in 0..<result.width {
        let index = y * result.width + x
        let place = map.positions[x, y]
        let isInside =
          place.x >= -0.5 && place.x <= 36.5 && place.y >= -0.5 && place.y <= 28.5
        #expect((valid[x, y] == 255) == isInside)
        guard isInside else {
          #expect(fast[x, y] == RGB8(red: 0, green: 0, blue: 0) && fastGray[x, y] == 0)
          continue
        }
        let start = Int(plan.indices[index])
        let (column, row) = (start % source.width, start / source.width)
        let weights = (0..<4).map { Int(plan.weights[index] >> (8 * $0) & 255) }
        #expect(weights.reduce(0, +) == 255)
        func mixed(_ channel: (Int, Int) -> UInt8) -> UInt8 {
          let sum =
            Int(channel(column, row)) * weights[0] + Int(channel(column + 1, row)) * weights[1]
            + Int(channel(column, row + 1)) * weights[2]
            + Int(channel(column + 1, row + 1)) * weights[3]
          return UInt8((sum + 127) / 255)
        }
        let slow = RGB8(
          red: mixed { color[$0, $1].red }, green: mixed { color[$0, $1].green },
          blue: mixed { color[$0, $1].blue })
        #expect(fast[x, y] == slow && fastGray[x, y] == slow.green)
        // The exact interpolation: at most 2 codes away, for weights of half a 255th each.
        let at = SIMD2(
          min(max(Double(place.x), 0), 36), min(max(Double(place.y), 0), 28))
        let part = at - SIMD2(Double(column), Double(row))
        let above =
          Double(gray[column, row]) * (1 - part.x) + Double(gray[column + 1, row]) * part.x
        let below =
          Double(gray[column, row + 1]) * (1 - part.x) + Double(gray[column + 1, row + 1]) * part.x
        let exact = above * (1 - part.y) + below * part.y
        #expect(abs(Double(fastGray[x, y]) - exact) <= 2)
      }
    }
  }

  @Test func identityCopiesEveryBit() {
    let image = Self.image(9)
    let map = PixelMap(sourceSize: Self.size, size: Self.size, scale: [1, 1], offset: [0, 0])
    #expect(BilinearPlan(map).resampled(image) == image)
    #expect(NearestPixelMap(map) == .identity(Self.size))
    #expect(NearestPixelMap(map).gathered(image, missing: image[0, 0]) == image)
  }

  @Test func scatteringUndoesGathering() throws {
    let camera = Self.lenses[0]
    let map = NearestPixelMap(try #require(PixelMap(.rectifying, camera)))
    let values = Raster(size: Self.size, samples: (0..<Int32(Self.size.pixelCount)).map { $0 })
    let back = map.scattered(map.gathered(values, missing: -1), missing: -1)
    let lost = back.samples.filter { $0 == -1 }.count
    #expect(lost == map.lostCount && lost < Self.size.pixelCount / 4)
    let wrong = back.samples.enumerated().filter { $1 != -1 && $1 != Int32($0) }
    #expect(wrong.isEmpty)
  }

  @Test func followingIsApplyingTwice() throws {
    let first = NearestPixelMap(try #require(PixelMap(.rectifying, Self.lenses[0])))
    let second = NearestPixelMap(of: Self.size) { $0.oriented(by: .right) }
    let values = Raster(size: Self.size, samples: (0..<Int32(Self.size.pixelCount)).map { $0 })
    let steps = second.gathered(first.gathered(values, missing: -1), missing: -1)
    #expect(first.followed(by: second).gathered(values, missing: -1) == steps)
  }

  @Test func scalingColorKeepsItsMean() {
    let image = Self.image(4)
    func mean(_ image: Raster<RGB8>) -> Double {
      Double(image.samples.reduce(0) { $0 + Int($1.green) }) / Double(image.size.pixelCount)
    }
    let small = image.scaled(to: RasterSize(width: 64, height: 48))
    #expect(abs(mean(small) - mean(image)) < 0.3)
    let flat = Raster(
      size: RasterSize(width: 7, height: 5), repeating: RGB8(red: 9, green: 99, blue: 199))
    #expect(
      flat.scaled(to: RasterSize(width: 31, height: 3)).samples.allSatisfy { $0 == flat[0, 0] })
    #expect(image.scaled(to: Self.size) == image)
  }
}
