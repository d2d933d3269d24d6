import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineVerification
import Testing

@Suite struct FlyingPixelsTests {
  static let size = RasterSize(width: 40, height: 30)

  /// A map of columns, repeated in every row or, transposed, of rows in every column.
  static func map(isTransposed: Bool, _ meters: @escaping (Int) -> Float) -> DepthMap {
    DepthMap(meters: Raster(size: size) { x, y in meters(isTransposed ? y : x) })
  }

  @Test(arguments: [false, true]) func aSharpStepHasNone(isTransposed: Bool) {
    let map = Self.map(isTransposed: isTransposed) { $0 < 15 ? 0.6 : 1.4 }
    #expect(FlyingPixels(map) == FlyingPixels(Self.map(isTransposed: false) { _ in 1 }))
    #expect(FlyingPixels(map).count == 0)
  }

  /// Blends in the middle half of the step, one or two pixels wide, are counted one by one.
  @Test(arguments: [false, true], [[0.5], [0.3], [0.7], [0.35, 0.65]])
  func blendedPixelsAreCountedExactly(isTransposed: Bool, shares: [Double]) {
    let map = Self.map(isTransposed: isTransposed) { index in
      if index < 15 { return 0.6 }
      return index - 15 < shares.count ? Float(0.6 + 0.8 * shares[index - 15]) : 1.4
    }
    let length = isTransposed ? Self.size.width : Self.size.height
    let flying = FlyingPixels(map)
    #expect(flying.count == shares.count * length)
    #expect(flying.fraction == Double(flying.count) / Double(Self.size.pixelCount))
  }

  @Test(arguments: [0.1, 0.2, 0.8, 0.9])
  func pixelsNextToASurfaceBelongToIt(share: Double) {
    let map = Self.map(isTransposed: false) { x in
      x == 15 ? Float(0.6 + 0.8 * share) : x < 15 ? 0.6 : 1.4
    }
    #expect(FlyingPixels(map).count == 0)
  }

  @Test(arguments: [(0.045, false), (0.055, true)])
  func theStepIsRelativeToTheNearerDepth(step: Double, isCounted: Bool) {
    let map = Self.map(isTransposed: false) { x in
      Float(2 * (1 + step * (x == 15 ? 0.5 : x < 15 ? 0 : 1)))
    }
    #expect((FlyingPixels(map).count == Self.size.height) == isCounted)
  }

  /// Disparity is linear on a plane, so no slope looks like an edge, up to the plane's horizon.
  @Test(
    arguments: stride(from: 0.0, through: 80, by: 10).map { $0 } + [85],
    [SIMD2(1.0, 0), SIMD2(0, -1.0), SIMD2(0.6, 0.8)])
  func slantedPlanesHaveNone(degrees: Double, direction: SIMD2<Double>) {
    let scene = SimulatedScene(surfaces: [
      Plane(
        through: [0, 0, 1],
        normal: SIMD3(direction * Self.sine(degrees), -Self.sine(90 - degrees)),
        pattern: SimulatedCapture.paint)
    ])
    let depth = scene.depthMap(from: SimulatedCapture.camera)
    let flying = FlyingPixels(depth)
    #expect(depth.statistics.validCount > 1000)
    #expect(flying.count == 0)
  }

  /// Unmeasured neighbors, as in a projector's shadow, do not hide a flying pixel.
  @Test func holesFartherAwayDoNotHideThem() {
    let map = Self.map(isTransposed: false) { x in
      if (17...19).contains(x) { return x == 17 ? 1.4 : .nan }
      return x == 15 ? 1 : x < 15 ? 0.6 : 1.4
    }
    #expect(FlyingPixels(map).count == Self.size.height)
  }

  @Test func nothingMeasuredHasNoShare() {
    let flying = FlyingPixels(DepthMap(meters: Raster(size: Self.size, repeating: .nan)))
    #expect(flying.count == 0 && flying.fraction == 0)
  }

  @Test(arguments: 0...6, 0...6) func tinyMapsAreRead(width: Int, height: Int) {
    let size = RasterSize(width: width, height: height)
    let map = DepthMap(meters: Raster(size: size) { x, y in Float(1 + (x + y) % 3) })
    #expect(FlyingPixels(map).count <= size.pixelCount)
  }

  /// The sine by its series, to 1e-12 within a quarter turn; no mathematical library is needed.
  static func sine(_ degrees: Double) -> Double {
    let x = degrees * .pi / 180
    var term = x
    var sum = x
    for n in 1..<12 {
      term *= -x * x / Double(2 * n * (2 * n + 1))
      sum += term
    }
    return sum
  }
}
