import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@Suite("JSON of recordings")
struct RecordedJSONTests {
  private func node(_ text: String) throws(CaptureReadingError) -> RecordedJSON {
    try RecordedJSON(parsing: Array(text.utf8)[...], limits: ReadingLimits())
  }

  @Test("Reads every kind of value as recordings write it")
  func values() throws {
    let root = try node(
      #" {"a": [1, -2.5e2, true, null], "b": {"c": "x\n\u00e9\ud83d\ude00\/"}, "b": 3} "#)
    #expect(root["a"]?.elements?.map(\.kind).last == "null")
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

  @Test("An error keeps reason, place and the file that it is in")
  func errors() {
    let error = #expect(throws: CaptureReadingError.self) {
      try RecordedJSON(
        parsing: Array("{\"a\":[1,x]}".utf8)[...], limits: ReadingLimits(), path: ["m.json"])
    }
    #expect(
      error?.description == "malformed at m.json/a/1 (byte 8): expected a number, found “x]}”")
    var limits = ReadingLimits()
    limits.json.values = 2
    let costly = #expect(throws: CaptureReadingError.self) {
      try RecordedJSON(parsing: Array("[1,2]".utf8)[...], limits: limits)
    }
    #expect(costly?.reason == .limitExceeded)
  }

  @Test("Refuses every cut of a text and survives every flip")
  func damage() {
    let bytes = Array(RecordedFiles.rgbdJSON().utf8)
    for length in bytes.indices {
      #expect(throws: CaptureReadingError.self) {
        try RecordedJSON(parsing: bytes[..<length], limits: ReadingLimits())
      }
    }
    for seed in 0..<500 {
      let damaged = ByteDamage.flipped(bytes, seed: UInt64(seed))
      _ = try? RecordedJSON(parsing: damaged[...], limits: ReadingLimits())
      _ = try? RGBDJSONFrame(damaged[...], limits: ReadingLimits()).capture()
    }
  }
}
