import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFormats

@Suite("JSON of recordings")
struct JSONReaderTests {
  private func node(_ text: String) throws(CaptureReadingError) -> JSONNode {
    try JSONReader.node(Array(text.utf8)[...], limits: ReadingLimits())
  }

  @Test("Reads every kind of value with its place")
  func values() throws {
    let root = try node(
      #" {"a": [1, -2.5e2, true, null], "b": {"c": "x\n\u00e9\ud83d\ude00\/"}, "b": 3} "#)
    #expect(root["a"]?.elements?.map(\.offset) == [8, 11, 19, 25])
    #expect(root["a"]?.elements?[1].number == -250)
    #expect(root["a"]?.elements?[2].flag == true)
    #expect(root["b"]?["c"]?.text == "x\né😀/")
    #expect(root["a"]?.numbers == nil)
    #expect(
      try node(#"["(1.0, -2.0)", "SIMD2<Float>(3.5, 4)", "(1.0,)", "1.0"]"#).elements?.map(
        \.numbers)
        == [[1, -2], [3.5, 4], nil, nil])
    #expect(try node(#"[" 12", "12", 1.5, 12.0]"#).elements?.map(\.integer) == [nil, 12, nil, 12])
  }

  @Test("Reads numbers as the standard library does, to the last bit", arguments: 0..<8)
  func numbers(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      let short = (value.remainder(dividingBy: 1e4) * 1000).rounded() / 1000
      for number in [value, short, Double(Float(value)), short * 1e-9] where number.isFinite {
        #expect(try node("\(number)").number == number)
      }
    }
    for text in [
      "0", "-0.0", "123456789012345678901234567890", "0.1", "1e-400", "9007199254740993",
    ] {
      #expect(try node(text).number == Double(text))
    }
  }

  @Test(
    "Names the place of each fault",
    arguments: [
      ("", "malformed (byte 0): expected a value, found the end of the text"),
      ("[1 2]", "malformed at 0 (byte 3): expected “,”"), ("{\"a\":}", "malformed at a (byte 5)"),
      ("{\"a\":{\"b\":[1,x]}}", "malformed at a/b/1 (byte 13): expected a number, found “x]}}”"),
      ("[1,]", "(byte 3): expected a number, found “]”"), ("{,}", "expected a key in quotes"),
      ("{\"a\" 1}", "expected “:” after a key"), ("\"ab", "(byte 3): expected a quotation mark"),
      ("\"\\q\"", "expected a JSON escape"), ("\"\\u12G4\"", "expected four hexadecimal digits"),
      ("tru", "expected the word true"), ("[NaN]", "malformed at 0 (byte 1): expected a number"),
      ("1e999", "expected a number of double precision"),
      ("1.", "expected digits behind the point"),
      ("1 1", "expected the end of the text"), ("[1}", "expected “,” between two values"),
    ])
  func faults(text: String, message: String) {
    let error = #expect(throws: CaptureReadingError.self) { try node(text) }
    let found = error.map(\.description) ?? ""
    #expect(found.contains(message) || text == "[1 2]" && found.contains("“,”"), "\(found)")
  }

  @Test("Stops at nesting, counts and sizes over the limits before they cost anything")
  func limits() {
    var limits = ReadingLimits()
    limits.jsonValues = 1000
    limits.stringBytes = 100
    for text in [
      String(repeating: "[", count: 1_000_000), String(repeating: "{\"a\":", count: 100_000),
      "[" + String(repeating: "1,", count: 2000) + "1]",
      "\"" + String(repeating: "a", count: 200) + "\"",
    ] {
      let error = #expect(throws: CaptureReadingError.self) {
        try JSONReader.node(Array(text.utf8)[...], limits: limits)
      }
      #expect(error?.reason == .limitExceeded)
    }
    limits.jsonBytes = 3
    #expect(throws: CaptureReadingError.self) {
      try JSONReader.node(Array("[1,2]".utf8)[...], limits: limits)
    }
  }

  @Test("Refuses every cut of a text and survives every flip")
  func damage() {
    let bytes = Array(RecordedFiles.rgbdJSON().utf8)
    for length in bytes.indices {
      #expect(throws: CaptureReadingError.self) {
        try JSONReader.node(bytes[..<length], limits: ReadingLimits())
      }
    }
    for seed in 0..<500 {
      let damaged = ByteDamage.flipped(bytes, seed: UInt64(seed))
      _ = try? JSONReader.node(damaged[...], limits: ReadingLimits())
      _ = try? RGBDJSONFrame(damaged[...], limits: ReadingLimits()).capture()
    }
  }
}
