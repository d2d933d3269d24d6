import Foundation
import Testing

@testable import PlumblineExport

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(
    arguments: zip(
      ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
      ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]))
  func vectors(plain: String, encoded: String) {
    #expect(Base64.encoded(Array(plain.utf8)) == Array(encoded.utf8))
  }

  /// Every length to 300, every byte value, against Foundation.
  @Test func agreesWithFoundation() {
    var state: UInt32 = 1
    for length in 0...300 {
      let bytes = (0..<length).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(state >> 24)
      }
      #expect(Base64.encoded(bytes) == Array(Data(bytes).base64EncodedData()))
    }
  }
}
