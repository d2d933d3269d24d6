import PlumblineTestSupport
import Testing

@testable import PlumblineModel

/// The kernels in C against plain Swift, bit for bit.
@Suite("Depth conversion")
struct DepthConversionTests {
  /// Values at every edge of single precision, and random bit patterns.
  static func floats(seed: UInt64, count: Int) -> [Float] {
    var random = SeededGenerator(seed: seed)
    let edges: [Float] = [
      0, -0.0, .infinity, -.infinity, .nan, -.nan, .signalingNaN, .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .leastNormalMagnitude, Float.leastNormalMagnitude.nextDown,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0x1p-128, Float(0x1p-128).nextUp, 1, -1,
    ]
    return edges
      + (0..<count).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) }
  }

  static let halves = Raster(size: RasterSize(width: 256, height: 256)) { x, y in
    UInt16(256 * y + x)
  }

  static func depth(_ value: Float) -> Float { value > 0 && value < .infinity ? value : .nan }

  @Test(
    "The law: finite and above 0 gives the reciprocal, all else NaN",
    arguments: [
      (2, 0.5), (0, .nan), (-0.0, .nan), (-1, .nan), (.infinity, .nan), (-.infinity, .nan),
      (.nan, .nan), (.leastNonzeroMagnitude, .nan), (.greatestFiniteMagnitude, 0x1p-128),
    ] as [(Float, Float)])
  func law(disparity: Float, depth: Float) {
    let raster = Raster(size: RasterSize(width: 1, height: 1), samples: [disparity])
    let there = DisparityMap(inverseMeters: raster).depthMap.meters[0, 0]
    let back = DepthMap(meters: raster).disparityMap.inverseMeters[0, 0]
    #expect(there == depth || there.isNaN && depth.isNaN)
    #expect(back == depth || back.isNaN && depth.isNaN)
  }

  @Test("Reciprocals equal plain Swift for any float", arguments: [1, 2, 3] as [UInt64])
  func reciprocal(seed: UInt64) {
    let values = Self.floats(seed: seed, count: 100_000)
    let raster = Raster(size: RasterSize(width: values.count, height: 1), samples: values)
    let result = DepthConversion.reciprocal(raster)
    #expect(bits(result) == values.map { DepthConversion.reciprocal($0).bitPattern })
  }

  @Test("Halves to depth equal plain Swift for all 65,536 patterns")
  func fromHalf() {
    let expected = Self.halves.samples.map { Self.depth(HalfPrecision.value($0)).bitPattern }
    #expect(bits(DepthMap(halfPrecisionMeters: Self.halves).meters) == expected)
    #expect(bits(DisparityMap(halfPrecisionInverseMeters: Self.halves).inverseMeters) == expected)
  }

  @Test("Half disparities to depth in one pass equal the two passes for all 65,536 patterns")
  func fromHalfDisparity() {
    let expected = Self.halves.samples.map {
      DepthConversion.reciprocal(Self.depth(HalfPrecision.value($0))).bitPattern
    }
    #expect(bits(DepthMap(halfPrecisionInverseMeters: Self.halves).meters) == expected)
    let passes = DisparityMap(halfPrecisionInverseMeters: Self.halves).depthMap
    #expect(bits(passes.meters) == expected)
  }

  @Test("Depths come back from halves within half a step", arguments: [4] as [UInt64])
  func halfRoundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let map = DepthMap(
      meters: Raster(size: RasterSize(width: 100, height: 100)) { _, _ in
        random.chance(0.1) ? .nan : Float(random.uniform(in: 0.1..<20))
      })
    let back = DepthMap(halfPrecisionMeters: map.halfPrecisionMeters)
    // Eleven significant bits: half a unit of the last is 2⁻¹¹ of the value at most.
    let worst =
      zip(map.meters.samples, back.meters.samples).map { abs($1 / $0 - 1) }
      .filter { !$0.isNaN }.max() ?? 1
    #expect(worst <= 0x1p-11)
    #expect(zip(map.meters.samples, back.meters.samples).allSatisfy { $0.isNaN == $1.isNaN })
  }

  @Test("Any width and any row padding give the same pixels", arguments: 1...37)
  func strides(width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    let stride = width + width % 5
    let samples = (0..<3 * stride).map { _ in UInt16(truncatingIfNeeded: random.next()) }
    let padded = Raster(
      size: RasterSize(width: width, height: 3), rowStride: stride, samples: samples)
    let expected = padded.packed.samples.map {
      DepthConversion.reciprocal(Self.depth(HalfPrecision.value($0))).bitPattern
    }
    #expect(bits(DepthMap(halfPrecisionInverseMeters: padded).meters) == expected)
    for size in [padded.size, RasterSize(width: 2, height: 2)] {
      var reused = DepthMap(meters: Raster(size: size, repeating: 1))
      reused.replace(withHalfPrecisionInverseMeters: padded)
      #expect(bits(reused.meters) == expected)
    }
  }

  @Test("Whole millimeters: 0 is missing, all else is a thousandth")
  func millimeters() {
    let raster = Raster<UInt16>(size: RasterSize(width: 3, height: 1), samples: [0, 1, 65535])
    let map = DepthMap(millimeters: raster)
    #expect(map.meters[0, 0].isNaN)
    #expect(map.meters[1, 0] == 0.001)
    #expect(map.meters[2, 0] == 65.535)
  }

  @Test("An empty map converts to an empty map")
  func empty() {
    let raster = Raster<UInt16>(size: RasterSize(width: 0, height: 4), samples: [])
    #expect(DepthMap(halfPrecisionInverseMeters: raster).disparityMap.size == raster.size)
  }

  private func bits(_ raster: Raster<Float>) -> [UInt32] { raster.samples.map(\.bitPattern) }
}
