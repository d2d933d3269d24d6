import PlumblineTestSupport
import Testing

@testable import PlumblineModel

@Suite("Half precision")
struct HalfPrecisionTests {
  #if !(os(macOS) && arch(x86_64))
    @Test("All 65,536 patterns widen as the hardware's type does")
    func widening() {
      let wrong = (0...UInt16.max).filter { bits in
        let expected = Float(Float16(bitPattern: bits))
        let value = HalfPrecision.value(bits)
        return expected.isNaN ? !value.isNaN : value.bitPattern != expected.bitPattern
      }
      #expect(wrong.isEmpty)
    }

    @Test("Random floats and all midpoints narrow to nearest even", arguments: [1, 2] as [UInt64])
    func narrowing(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var values = (0..<200_000).map { _ in
        Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      }
      // Uniform bits seldom fall into the range of halves; these all do, subnormal ones included.
      values += (0..<200_000).map { _ in
        Float(random.uniform(in: -2..<2))
          * Float(sign: .plus, exponent: Int(random.uniform(in: -26..<16)), significand: 1)
      }
      for bits in 0..<UInt16(0x7C00) {
        let low = HalfPrecision.value(bits)
        let high = bits == 0x7BFF ? 65536 : HalfPrecision.value(bits + 1)
        let middle = (low + high) / 2
        values += [middle, middle.nextUp, middle.nextDown, -middle, -middle.nextUp]
      }
      let wrong = values.filter { value in
        let expected = Float16(value)
        let bits = HalfPrecision.bits(value)
        return expected.isNaN ? bits != 0x7E00 : bits != expected.bitPattern
      }
      #expect(wrong.isEmpty)
    }
  #endif

  @Test("Every pattern survives the way out and back")
  func roundTrip() {
    let wrong = (0...UInt16.max).filter { bits in
      let isNaN = bits & 0x7C00 == 0x7C00 && bits & 0x3FF != 0
      return HalfPrecision.bits(HalfPrecision.value(bits)) != (isNaN ? 0x7E00 : bits)
    }
    #expect(wrong.isEmpty)
  }

  @Test("Overflow and underflow happen where IEEE 754 says")
  func limits() {
    #expect(HalfPrecision.bits(65504) == 0x7BFF)
    #expect(HalfPrecision.bits(Float(65520).nextDown) == 0x7BFF)
    #expect(HalfPrecision.bits(65520) == 0x7C00)
    #expect(HalfPrecision.bits(-65520) == 0xFC00)
    #expect(HalfPrecision.bits(0x1p-25) == 0)
    #expect(HalfPrecision.bits(Float(0x1p-25).nextUp) == 1)
    #expect(HalfPrecision.bits(-0.0) == 0x8000)
  }

  @Test(
    "Halves step in depth as the table of the format's limits says",
    arguments: [
      (0.2, 0.12, 0.156), (0.5, 0.49, 0.49), (1, 0.98, 0.98), (2, 1.95, 1.95), (3, 1.95, 2.2),
      (5, 3.9, 3.05), (8, 7.8, 7.8),
    ])
  func steps(meters: Double, depthStep: Double, disparityStep: Double) {
    let step = { (value: Double) -> Double in
      let bits = HalfPrecision.bits(Float(value))
      return Double(HalfPrecision.value(bits + 1)) - Double(HalfPrecision.value(bits))
    }
    // The table rounds to two or three digits: 4 %.
    #expect(abs(1000 * step(meters) / depthStep - 1) < 0.04)
    #expect(abs(1000 * meters * meters * step(1 / meters) / disparityStep - 1) < 0.04)
  }
}
