import PlumblineIO
import PlumblineTestSupport
import Testing

@Suite struct JSONValueReadingTests {
  private func parsed(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test func everyKindIsRead() throws {
    let value = try parsed(
      #" {"a": [1, -2.5e3, 0.0], "b": {"c": null, "d": true, "e": false}, "f": "x\n\u00e9😀"} "#
    )
    #expect(value["a"]?.numbers == [1, -2500, 0])
    #expect(value["a"]?.elements?[0].integer == 1)
    #expect(value["b"]?["c"]?.isNull == true)
    #expect(value["b"]?["d"]?.bool == true)
    #expect(value["b"]?["e"]?.bool == false)
    #expect(value["f"]?.string == "x\né😀")
    #expect(try parsed(#""\ud83d\ude00""#).string == "😀")
    #expect(value.members.map(\.key) == ["a", "b", "f"])
    #expect(try parsed("3.0").integer == 3)
    #expect(try parsed("3.5").integer == nil)
    #expect(try parsed("1e999").number == nil)
    #expect(try parsed("99999999999999999999").integer == nil)
  }

  @Test("What is written reads back as the same value", arguments: [1, 2, 3])
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func value(depth: Int) -> JSONValue {
      switch random.integer(below: depth > 3 ? 5 : 7) {
      case 0: return nil
      case 1: return .bool(random.chance(0.5))
      case 2: return .number(Double(bitPattern: random.next()))
      case 3: return .integer(Int(truncatingIfNeeded: random.next()))
      case 4:
        let scalars = (0..<8).compactMap { _ in Unicode.Scalar(random.integer(below: 0x11000)) }
        return .string(String(String.UnicodeScalarView(scalars)))
      case 5: return .array((0..<random.integer(below: 5)).map { _ in value(depth: depth + 1) })
      default:
        return .object(
          (0..<random.integer(below: 5)).map { ("k\($0)\"\\", value(depth: depth + 1)) })
      }
    }
    for _ in 0..<50 {
      let original = value(depth: 0)
      for layout in [JSONWriter.Layout.compact, .indented] {
        let bytes = JSONWriter(layout: layout).bytes(original)
        #expect(try JSONValue(parsing: bytes) == original)
      }
    }
  }

  @Test(
    "Anything but RFC 8259 is refused with its place",
    arguments: [
      ("", 0), ("{", 1), ("[1,]", 3), ("[1 2]", 3), (#"{"a":1,}"#, 7), (#"{"a" 1}"#, 5),
      ("01", 1), ("-01", 2), ("-", 1), ("1.", 2), ("1e", 2), ("+1", 0), ("NaN", 0), ("nul", 0),
      ("tru ", 0),
      (#""a"#, 2), ("\"\u{1}\"", 1), (#""\x""#, 1), (#""\u12g4""#, 3), (#""\ud800""#, 1),
      (#""\ud800\u0041""#, 1), (#""\udc00""#, 1), ("1 2", 2), (#"{"a":1,"a":2}"#, 7),
      ("'a'", 0), ("[1]]", 3), ("\u{0}", 0),
    ])
  func malformed(text: String, offset: Int) {
    let error = #expect(throws: JSONReadingError.self) { try parsed(text) }
    #expect(error?.reason == .malformed)
    #expect(error?.offset == offset, "\(text): \(String(describing: error))")
  }

  @Test func limitsHold() {
    var limits = JSONLimits()
    limits.depth = 4
    limits.values = 10
    limits.bytes = 100
    for text in ["[[[[[1]]]]]", "[1,2,3,4,5,6,7,8,9,0]", String(repeating: " ", count: 101)] {
      let error = #expect(throws: JSONReadingError.self) {
        try JSONValue(parsing: Array(text.utf8), limits: limits)
      }
      #expect(error?.reason == .limitExceeded)
    }
    let deep = Array(repeating: UInt8(ascii: "["), count: 1 << 20)
    #expect(throws: JSONReadingError.self) { try JSONValue(parsing: deep) }
    let invalid: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
    #expect(throws: JSONReadingError.self) { try JSONValue(parsing: invalid) }
  }

  @Test("Cutting and flipping bytes never traps", arguments: [4, 5])
  func damage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sound = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00"],"b":{"c":null,"d":true}}"#.utf8)
    for length in sound.indices {
      #expect(throws: JSONReadingError.self) { try JSONValue(parsing: Array(sound[..<length])) }
    }
    for _ in 0..<500 {
      var bytes = sound
      bytes[random.integer(below: bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      _ = try? JSONValue(parsing: bytes)
    }
  }
}
