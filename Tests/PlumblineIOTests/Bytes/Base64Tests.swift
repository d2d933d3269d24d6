import Testing
@testable import PlumblineIO
@Suite("Base64")
struct Base64Tests {
  @Test(
    "Decodes RFC 4648's examples with and without padding and line breaks",
    arguments: [
      ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"),
      ("Zm9v\nYmE=\n", "fooba"), (" Zm 9v\tYmFy\r\n", "foobar"),
    ])
  func vectors(text: String, plain: String) throws {
    #expect(try Base64.decoded(text, atMost: 100, path: []) == Array(plain.utf8))
  }

  @Test("Understands the URL alphabet as the common one")
  func alphabets() throws {
    #expect(try Base64.decoded("-_8", atMost: 9, path: []) == [0xFB, 0xFF])
    #expect(try Base64.decoded("+/8", atMost: 9, path: []) == [0xFB, 0xFF])
  }

  @Test(
    "Refuses foreign characters, data behind padding and a lone digit",
    arguments: ["Zm9*", "Zg==Zg", "Z", "Zm9vZ", "Zm9v\u{1B}"])
  func malformed(text: String) {
    #expect(throws: CaptureReadingError.self) {
      try Base64.decoded(text, atMost: 100, path: [])
    }
  }

  @Test("Refuses more bytes than the limit before decoding")
  func limit() {
    let error = #expect(throws: CaptureReadingError.self) {
      try Base64.decoded(String(repeating: "A", count: 4_000), atMost: 1_000, path: [])
    }
    #expect(error?.reason == .limitExceeded)
  }
}
