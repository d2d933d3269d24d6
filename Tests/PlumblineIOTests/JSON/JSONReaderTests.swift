import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@Suite("The cursor over JSON")
struct JSONReaderTests {
  private func value(_ text: String) throws(JSONReadingError) -> JSONValue {
    try JSONValue(parsing: Array(text.utf8)[...], strictness: .lenient)
  }

  private func number(_ text: String) throws(JSONReadingError) -> Double {
    var reader = try JSONReader(Array(text.utf8)[...])
    let number = try reader.readNumber()
    try reader.expectEnd()
    return number
  }

  @Test("The lenient reader takes the first of repeated keys and replaces wrong characters")
  func lenient() throws {
    #expect(try value(#"{"b": 1, "b": 2, "c": 3, "b": 4}"#) == ["b": 1, "c": 3])
    #expect(try value(#""\ud800x\udc00\ud800\u0041""#) == "\u{FFFD}x\u{FFFD}\u{FFFD}A")
    let wrong: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
    #expect(try JSONValue(parsing: wrong[...], strictness: .lenient) == "\u{FFFD}(")
  }

  @Test("Rows of numbers are read without a tree; a fault has its row and column")
  func numberRows() throws {
    func rows(_ text: String, atMost limit: Int = 6) throws(JSONReadingError) -> JSONNumberRows {
      var reader = try JSONReader(Array(text.utf8)[...])
      let rows = try reader.readNumberRows(maximumCount: limit)
      try reader.expectEnd()
      return rows
    }
    #expect(try rows("[[1, 2.5], [-3, 4e1], [5,6]]").values == [1, 2.5, -3, 40, 5, 6])
    #expect(try rows("[[1],[2]]").width == 1)
    for (text, message) in [
      ("[]", "malformed (byte 2): expected rows of numbers, found an empty array"),
      ("[[]]", "malformed at row 0 (byte 3): expected numbers, found 0"),
      ("[[1,2],[3]]", "malformed at row 1 (byte 10): expected 2 numbers, as in the first row"),
      ("[[1],[2,3]]", "found more"), ("[[1,\"a\"]]", "malformed at row 0/column 1 (byte 4)"),
      ("[[1,2,3,4,5,6,7]]", "over a limit at row 0/column 6"), ("[1]", "expected “[”"),
    ] {
      let error = #expect(throws: JSONReadingError.self) { try rows(text) }
      let found = error.map(\.description) ?? ""
      #expect(found.contains(message), "\(text): \(found)")
    }
  }

  @Test("Reads numbers as the standard library does, to the last bit", arguments: 0..<8)
  func numbers(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      let short = (value.remainder(dividingBy: 1e4) * 1000).rounded() / 1000
      for number in [value, short, Double(Float(value)), short * 1e-9] where number.isFinite {
        #expect(try self.number("\(number)") == number)
      }
    }
    for text in [
      "0", "-0.0", "123456789012345678901234567890", "0.1", "1e-400", "9007199254740993",
    ] {
      #expect(try number(text) == Double(text))
    }
  }

  @Test(
    "Names the place of each fault",
    arguments: [
      ("", "malformed (byte 0): expected a value, found the end of the text"),
      ("[1 2]", "malformed (byte 3): expected “,” between two values"),
      ("{\"a\":}", "malformed at a (byte 5)"),
      ("{\"a\":{\"b\":[1,x]}}", "malformed at a/b/1 (byte 13): expected a number, found “x]}}”"),
      ("[1,]", "(byte 3): expected a number, found “]”"), ("{,}", "expected a key in quotes"),
      ("{\"a\" 1}", "expected “:” after a key"), ("\"ab", "(byte 3): expected a quotation mark"),
      ("\"\\q\"", "expected a JSON escape"), ("\"\\u12G4\"", "expected four hexadecimal digits"),
      ("tru", "expected the word true"), ("[NaN]", "malformed at 0 (byte 1): expected a number"),
      ("1.", "expected digits behind the point"),
      ("1 1", "expected the end of the text"), ("[1}", "expected “,” between two values"),
    ])
  func faults(text: String, message: String) {
    let error = #expect(throws: JSONReadingError.self) { try value(text) }
    let found = error.map(\.description) ?? ""
    #expect(found.contains(message), "\(found)")
  }

  @Test("A number beyond double precision is refused where a number is read")
  func overflow() {
    let error = #expect(throws: JSONReadingError.self) { try number("1e999") }
    #expect(error?.expected == "a number of double precision")
    #expect(error?.offset == 0)
  }

  @Test("Nothing in a message steers a terminal")
  func messages() {
    for text in ["\u{1B}[31m", "{\"\u{9B}31m\": \u{202E}}", "[\"\u{7F}\u{1}\"]"] {
      let error = #expect(throws: JSONReadingError.self) { try value(text) }
      let found = error.map(\.description) ?? "\u{1B}"
      let isPlain = found.unicodeScalars.allSatisfy { scalar in
        ![.control, .format].contains(scalar.properties.generalCategory)
      }
      #expect(isPlain)
    }
  }

  @Test("Stops at nesting, counts and sizes over the limits before they cost anything")
  func limits() {
    var limits = JSONLimits()
    limits.values = 1000
    limits.stringBytes = 100
    for text in [
      String(repeating: "[", count: 1_000_000), String(repeating: "{\"a\":", count: 100_000),
      "[" + String(repeating: "1,", count: 2000) + "1]",
      "\"" + String(repeating: "a", count: 200) + "\"",
    ] {
      let error = #expect(throws: JSONReadingError.self) {
        try JSONValue(parsing: Array(text.utf8)[...], limits: limits)
      }
      #expect(error?.reason == .limitExceeded)
    }
    limits.bytes = 3
    #expect(throws: JSONReadingError.self) {
      try JSONValue(parsing: Array("[1,2]".utf8)[...], limits: limits)
    }
  }
}
