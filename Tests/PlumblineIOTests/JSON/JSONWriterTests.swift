import PlumblineIO
import PlumblineTestSupport
import Testing

@Suite struct JSONWriterTests {
  let compact = JSONWriter(layout: .compact)

  @Test func keysKeepTheirOrder() {
    let value: JSONValue = ["b": 1, "a": [true, nil, "x"], "c": [:]]
    #expect(compact.text(value) == #"{"b":1,"a":[true,null,"x"],"c":{}}"#)
  }

  @Test func indentedLayoutKeepsPlainArraysOnOneLine() {
    let value: JSONValue = ["m": [1, 2.5], "o": [["k": nil]], "e": []]
    let expected = """
      {
        "m": [1, 2.5],
        "o": [
          {
            "k": null
          }
        ],
        "e": []
      }

      """
    #expect(JSONWriter().text(value) == expected)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
  func numbersThatAreNotFiniteAreNull(number: Double) {
    #expect(compact.text(.number(number)) == "null")
    #expect(compact.text(.number(Float(number))) == "null")
    #expect(compact.text(.numbers([1, number])) == "[1.0,null]")
  }

  @Test func absentValuesAreNull() {
    let values: [JSONValue] = [
      .bool(nil), .integer(nil), .number(nil as Double?), .number(nil as Float?), .string(nil),
      .array(nil), .numbers(nil), nil,
    ]
    #expect(values.allSatisfy { $0 == .null })
  }

  @Test func shortestDigitsReadBackExactly() throws {
    let edges: [Double] = [
      0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude, 0.1, 1e16,
      1e-5, 1e22,
      2720.7196, 1.0 / 3,
    ]
    for number in edges {
      let text = compact.text(.number(number))
      #expect(try #require(Double(text)).bitPattern == number.bitPattern)
    }
    #expect(compact.text(.number(Float(0.1))) == "0.1")
  }

  @Test func everythingUnsafeIsEscaped() {
    let text = "a\"b\\c\n\r\t\u{0}\u{1B}[31m\u{7F}\u{9B}</script>\u{2028}\u{2029}\u{202E}\u{FEFF}é😀"
    let expected =
      #""a\"b\\c\n\r\t\u0000\u001b[31m\u007f\u009b\u003c/script>\u2028\u2029\u202e\ufeffé😀""#
    #expect(compact.text(.string(text)) == expected)
    let object = JSONValue.object([(key: text, value: 1)])
    #expect(compact.text(object) == "{\(expected):1}")
  }

  @Test func everyASCIIStringIsSafe() {
    for code in UInt8(0)..<128 {
      let bytes = compact.bytes(.string(String(UnicodeScalar(code))))
      #expect(bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") })
    }
  }

  @Test func membersAreFound() {
    let value: JSONValue = ["a": ["b": 2]]
    #expect(value["a"]?["b"] == 2)
    #expect(value["x"] == nil)
  }
}
