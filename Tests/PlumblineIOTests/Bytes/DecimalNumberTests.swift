import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@Suite("Numbers in texts")
struct DecimalNumberTests {
  /// What `Double(String)` makes of a text is the slow twin, bit by bit.
  private func agree(_ text: String) -> Bool {
    let fast = Double(decimal: Array(text.utf8)[...])
    let slow = Double(text)
    return fast?.bitPattern == slow?.bitPattern || (fast?.isNaN == true && slow?.isNaN == true)
  }

  @Test("Every number that Swift prints reads back as it was", arguments: 0..<4 as Range<UInt64>)
  func printed(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let bits = Double(bitPattern: generator.next())
      let usual = Double(Int64(bitPattern: generator.next()) >> 20) / 1e9
      for number in [bits, usual, usual * 1e-12, usual * 1e6] where number.isFinite {
        #expect(Double(decimal: Array("\(number)".utf8)[...])?.bitPattern == number.bitPattern)
      }
    }
  }

  @Test(
    "Digits of any count and scale round as the standard library does",
    arguments: 0..<4 as Range<UInt64>)
  func digits(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<4_000 {
      let digits = (0..<Int.random(in: 1...21, using: &generator)).map { _ in
        "\(Int.random(in: 0...9, using: &generator))"
      }.joined()
      let point = Int.random(in: 0...digits.utf8.count, using: &generator)
      var text = digits.prefix(point) + "." + digits.dropFirst(point)
      if Bool.random(using: &generator) { text = "-" + text }
      if Int.random(in: 0...2, using: &generator) == 0 {
        text += "e\(Int.random(in: -30...30, using: &generator))"
      }
      #expect(agree(String(text)), "\(text)")
    }
    // Ties and their neighbors: odd multiples of half of the last place, written out in full.
    for _ in 0..<1_000 {
      let odd = UInt64.random(in: 1 << 53...(1 << 54) - 1, using: &generator) | 1
      for text in ["\(odd).0", "\(odd)", "\(odd).01", "\(odd - 1).99"] {
        #expect(agree(text), "\(text)")
      }
    }
  }

  @Test("Other writings go the long way, and what is no number is none")
  func otherWritings() {
    let texts = [
      "", "-", "+", ".", "1.", ".5", "+1", "+1.5", "-0", "0", "-0.0", "00012.50", "1e", "1e+",
      "1e-3",
      "1E5", "1e400", "1e-400", "1e9999", "4.9e-324", "nan", "inf", "-infinity", "0x1p3", "1_000",
      "1 ", " 1", "1,5", "--1", "1.5.5", "1e5e5", "1e1.5", "٣", "1\u{338}",
      "18446744073709551615", "18446744073709551616", "9999999999999999999",
      "0.0000000000000000000000000001", "0.000000000000000000000000001",
      String(repeating: "0", count: 100) + "1.5", "1." + String(repeating: "0", count: 27),
    ]
    for text in texts { #expect(agree(text), "\(text)") }
    #expect(Double(decimal: [0xFF, 0x31][...]) == nil)
  }
}
