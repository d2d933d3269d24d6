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

  /// The description of the type, pixel by pixel.
  private static func slowCount(_ raster: Raster<Float>) -> Int {
    func value(_ x: Int, _ y: Int) -> Float {
      raster.contains(x: x, y: y) ? raster[x, y] : .nan
    }
    func flies(_ x: Int, _ y: Int, _ step: SIMD2<Int>) -> Bool {
      func at(_ steps: Int) -> Float { value(x + steps * step.x, y + steps * step.y) }
      let (z, near, far) = (at(0), min(at(-2), at(2)), max(at(-2), at(2)))
      let gap = far - near
      guard gap > FlyingPixels.gap * near, z - near > 0.25 * gap, far - z > 0.25 * gap else {
        return false
      }
      let (a, b, outerA, outerB) = (1 / at(-2), 1 / at(2), 1 / at(-4), 1 / at(4))
      if outerA.isNaN && outerB.isNaN { return false }
      let limit = 0.25 * abs(a - b)
      return !(abs(outerA - a) > limit) && !(abs(outerB - b) > limit)
    }
    var count = 0
    for y in 0..<raster.height {
      for x in 0..<raster.width where value(x, y) > 0 {
        if flies(x, y, [1, 0]) || flies(x, y, [0, 1]) { count += 1 }
      }
    }
    return count
  }

  /// Random planes with holes and blended borders, some in rows with padding, down to one pixel.
  @Test(arguments: 0..<40 as Range<UInt64>) func theCountIsThatOfTheDescription(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let size = RasterSize(
      width: Int.random(in: 1...40, using: &generator),
      height: Int.random(in: 1...12, using: &generator))
    let stride = size.width + Int.random(in: 0...3, using: &generator)
    let samples = (0..<stride * size.height).map { index -> Float in
      let x = index % stride
      if Float.random(in: 0..<1, using: &generator) < 0.1 { return .nan }
      let level: Float = x / 7 % 2 == 0 ? 0.6 : 1.4
      return x % 7 == 0 ? Float.random(in: 0.6..<1.4, using: &generator) : level
    }
    var map = DepthMap(meters: Raster(size: size, repeating: 1))
    map.meters = Raster(size: size, rowStride: stride, samples: samples)
    let flying = FlyingPixels(map)
    #expect(flying.count == Self.slowCount(map.meters))
    let measured = map.meters.packed.samples.count { $0 > 0 }
    #expect(flying.fraction == (measured == 0 ? 0 : Double(flying.count) / Double(measured)))
    let single = (0..<size.height).map { y in
      (0..<size.width).count { map.isFlying(x: $0, y: y) }
    }
    #expect(single.reduce(0, +) == flying.count)
  }
}
