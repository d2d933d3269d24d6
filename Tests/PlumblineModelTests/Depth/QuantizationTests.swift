import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Quantization")
struct QuantizationTests {
  /// Ranges as real files hold them and the depths in meters of some codes, printed to 1e-6 m.
  static let vectors: [(minimum: Double, maximum: Double, depths: [Int: Double])] = [
    (
      1.498047, 4.382812,
      [0: 0.667536, 1: 0.662533, 128: 0.339433, 254: 0.228754, 255: 0.228164]
    ),
    (0.787109, 1.735352, [0: 1.270472, 128: 0.791709, 255: 0.576252]),
  ]

  @Test("Codes of real ranges become the depths that other readers found", arguments: vectors)
  func realRanges(vector: (minimum: Double, maximum: Double, depths: [Int: Double])) {
    let rule = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: vector.minimum, maximumValue: vector.maximum)
    let codes = vector.depths.keys.sorted()
    let stored = Raster(
      size: RasterSize(width: codes.count, height: 1), samples: codes.map { UInt8($0) })
    let map = DisparityMap(inverseMeters: rule.values(of: .uint8(stored))).depthMap
    for (x, code) in codes.enumerated() {
      // Half a unit of the last printed digit, and single precision below it.
      #expect(abs(Double(map.meters[x, 0]) - (vector.depths[code] ?? 0)) < 6e-7, "code \(code)")
    }
  }

  @Test("One step of a shallow map is a millimeter near and centimeters far")
  func step() {
    let rule = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: 0.554199, maximumValue: 2.808594)
    #expect(abs(rule.step - 0.00884) < 5e-6)
    #expect(abs(0.36 * 0.36 * rule.step - 0.0011) < 5e-5)
    // The document's 28.8 mm is z²·step at 1.804 m, the farthest code.
    let farthest = 1 / rule.minimumValue
    #expect(abs(farthest * farthest * rule.step - 0.0288) < 5e-5)
  }

  @Test("Every code comes back from its value", arguments: [8, 12, 16])
  func roundTrip(bits: Int) {
    let last = (1 << bits) - 1
    let rule = LinearQuantization(
      minimumCode: 0, maximumCode: last, minimumValue: 0.493652, maximumValue: 3.402344)
    #expect((0...last).filter { rule.code(rule.value($0)) != $0 }.isEmpty)
    #expect(rule.code(-1) == 0)
    #expect(rule.code(99) == last)
    #expect(rule.code(.infinity) == last)
    #expect(rule.code(-.infinity) == 0)
    #expect(rule.code(.nan) == 0)
  }

  @Test("A descending range maps its smallest value to its largest code")
  func descending() {
    let rule = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: 4, maximumValue: 1)
    #expect((0...255).allSatisfy { rule.code(rule.value($0)) == $0 })
  }

  @Test("Codes at the ends of Int neither trap nor lose the range")
  func hostileCodes() {
    let rule = LinearQuantization(
      minimumCode: .min, maximumCode: .max, minimumValue: 1, maximumValue: 2)
    #expect(rule.value(0) == 1.5)
    #expect(rule.code(2) == .max)
    #expect(rule.code(1) == .min)
    let huge = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: -1.7e308, maximumValue: 1.7e308)
    #expect((0...255).contains(huge.code(0)))
    let stored = Raster<UInt8>(size: RasterSize(width: 1, height: 1), samples: [200])
    let map = DepthMap(meters: huge.values(of: .uint8(stored)))
    #expect(map.meters[0, 0].isNaN)
  }

  @Test("A sample over its declared depth is the largest code")
  func excessBits() {
    let rule = LinearQuantization(
      minimumCode: 0, maximumCode: 1023, minimumValue: 1, maximumValue: 2)
    let raster = Raster<UInt16>(size: RasterSize(width: 2, height: 1), samples: [1023, 65535])
    #expect(rule.values(of: .uint16(raster, bitDepth: 10)).samples == [2, 2])
  }
}
