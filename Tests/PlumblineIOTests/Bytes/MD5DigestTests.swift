import CKernels
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@Suite("MD5Digest")
struct MD5DigestTests {
  @Test(
    "Gives the digests of RFC 1321's test suite",
    arguments: [
      ("", "D41D8CD98F00B204E9800998ECF8427E"),
      ("a", "0CC175B9C0F1B6A831C399E269772661"),
      ("abc", "900150983CD24FB0D6963F7D28E17F72"),
      ("message digest", "F96B697D7CB7938D525A2F31AAF161D0"),
      ("abcdefghijklmnopqrstuvwxyz", "C3FCD3D76192E4007DFB496CCA67E13B"),
      (
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "D174AB98D277D9F5A5611C2C9F419D9F"
      ),
      (String(repeating: "1234567890", count: 8), "57EDF4A22BE3C955AC49DA2E2107B67A"),
    ])
  func vectors(text: String, digest: String) {
    #expect(MD5Digest.hexadecimal(of: Array(text.utf8)) == digest)
  }

  @Test("Each length up to 300 in pieces, as Python's hashlib")
  func pieces() {
    var generator = SeededGenerator(seed: 1321)
    let digests = (0...300).flatMap { count in
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 31 * $0 + count) }
      var context = plb_md5()
      plb_md5_begin(&context)
      let cut = Int.random(in: 0...count, using: &generator)
      for piece in [Array(bytes[..<cut]), Array(bytes[cut...])] {
        plb_md5_update(&context, piece, piece.count)
      }
      var digest = [UInt8](repeating: 0, count: 16)
      plb_md5_finish(&context, &digest)
      return digest
    }
    // hashlib: md5 of the digests of bytes((31 * i + n) & 255 for i in range(n)), n from 0 to 300.
    #expect(MD5Digest.hexadecimal(of: digests) == "9B9002C4D5F48D6E60891A1214563829")
  }
}
