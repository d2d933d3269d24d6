import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineStreams

/// Disparities beside an image in meters: the kernels against the law, on patterns of every kind.
@Suite struct DepthImageReferenceTests {
  /// The prediction as the format's page states it.
  static func predicted(_ meters: Float, isHalf: Bool) -> Float {
    let bits = (meters < .infinity ? 1 / meters : .nan).bitPattern
    let rounded = (bits &+ 0xFFF &+ (bits >> 13 & 1)) & ~0x1FFF
    return Float(bitPattern: isHalf ? rounded : bits)
  }

  static func residual(of value: Float, from prediction: Float) -> UInt8 {
    let difference = Int64(value.bitPattern) - Int64(prediction.bitPattern)
    if value.isNaN && prediction.isNaN { return 0 }
    guard !value.isNaN, !prediction.isNaN, abs(difference) <= 127 else { return 0x80 }
    return UInt8(bitPattern: Int8(difference))
  }

  /// Meters with neighbors of their reciprocals, missing on either side, and patterns of any kind.
  static func samples(seed: UInt64, isHalf: Bool) -> (meters: [Float], values: [Float]) {
    var generator = SeededGenerator(seed: seed)
    let meters = (0..<997).map { _ -> Float in
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: .nan
      case 1: .infinity
      case 2: Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
      default: Float.random(in: 0.1..<8, using: &generator)
      }
    }
    let values = meters.map { meters -> Float in
      let kind = Int.random(in: 0..<20, using: &generator)
      if kind == 0 { return .nan }
      let bits = predicted(meters, isHalf: isHalf).bitPattern
      let step = isHalf ? 0 : Int64.random(in: -140...140, using: &generator)
      let mask: UInt32 = isHalf ? ~0x1FFF : ~0
      if kind == 1 {
        return Float(bitPattern: UInt32.random(in: 1...UInt32.max, using: &generator) & mask)
      }
      return Float(bitPattern: UInt32(truncatingIfNeeded: Int64(bits) + step))
    }
    return (meters, values)
  }

  @Test(arguments: 0..<20 as Range<UInt64>, [false, true])
  func residualsAreThoseOfTheLaw(seed: UInt64, isHalf: Bool) throws {
    let (meters, values) = Self.samples(seed: seed, isHalf: isHalf)
    let size = RasterSize(width: meters.count, height: 1)
    var disparities = DisparityMap(inverseMeters: Raster(size: size, repeating: 1))
    disparities.inverseMeters = Raster(size: size, samples: values)
    let image = Raster(size: size, samples: meters)
    let found = try #require(
      DepthImageReference(.disparity(disparities), topic: "depth", meters: image))
    #expect(found.rule == (isHalf ? .reciprocalHalf : .reciprocal))
    let expected = zip(values, meters).map {
      Self.residual(of: $0, from: Self.predicted($1, isHalf: isHalf))
    }
    #expect(found.residuals == expected)
    let marked = zip(values, expected).filter { $0.1 == 0x80 }.map(\.0.bitPattern)
    #expect(found.exceptions.map(\.bitPattern) == marked)
  }

  /// What a reader has is the image in meters, where what is not measured is NaN.
  @Test(arguments: 0..<20 as Range<UInt64>, [false, true])
  func valuesComeBackBitByBit(seed: UInt64, isHalf: Bool) throws {
    var (meters, values) = Self.samples(seed: seed, isHalf: isHalf)
    for index in values.indices where !(values[index] > 0 && values[index] < .infinity) {
      (meters[index], values[index]) = (.nan, .nan)
    }
    let size = RasterSize(width: meters.count, height: 1)
    let image = DepthMap(meters: Raster(size: size, samples: meters))
    let disparities = DisparityMap(inverseMeters: Raster(size: size, samples: values))
    let reference = try #require(
      DepthImageReference(.disparity(disparities), topic: "depth", meters: image.meters))
    guard case .disparity(let back) = try reference.values(of: image) else {
      Issue.record("no disparities")
      return
    }
    let kept = disparities.inverseMeters.samples
    #expect(
      back.inverseMeters.samples.map { $0.isNaN ? 0 : $0.bitPattern }
        == kept.map { $0.isNaN ? 0 : $0.bitPattern })
  }
}
