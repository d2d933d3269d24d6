import CKernels
import PlumblineIO
import PlumblineTestSupport
import Testing

@Suite("SHA256Digest")
struct SHA256DigestTests {
  @Test(
    "Gives the digests of FIPS 180-4's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func vectors(text: String, digest: String) {
    #expect(SHA256Digest.hexadecimal(of: Array(text.utf8)) == digest)
    #expect(SHA256Digest.hexadecimal(of: Array(text.utf8)[...]) == digest)
    #expect(SHA256Digest.hexadecimal(of: AnySequence(text.utf8)) == digest)
  }

  /// The digest of bytes that come in pieces, by the processor's instructions where it has them or without.
  private static func digest(_ bytes: [UInt8], cuts: [Int], isPlain: Bool) -> [UInt8] {
    var context = plb_sha256()
    plb_sha256_begin(&context)
    if isPlain { context.by_extensions = false }
    var start = 0
    for end in cuts.sorted() + [bytes.count] {
      let piece = Array(bytes[start..<end])
      plb_sha256_update(&context, piece, piece.count)
      start = end
    }
    var digest = [UInt8](repeating: 0, count: 32)
    plb_sha256_finish(&context, &digest)
    return digest
  }

  @Test("Each length up to 300 in pieces, with and without instructions, as Python's hashlib")
  func pieces() {
    var generator = SeededGenerator(seed: 180)
    for isPlain in [false, true] {
      let digests = (0...300).flatMap { count in
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 31 * $0 + count) }
        let cuts = (0..<3).map { _ in Int.random(in: 0...count, using: &generator) }
        return Self.digest(bytes, cuts: cuts, isPlain: isPlain)
      }
      // hashlib: sha256 of the digests of bytes((31 * i + n) & 255 for i in range(n)), n from 0 to 300.
      #expect(
        SHA256Digest.hexadecimal(of: digests)
          == "2508c478cc7c1417db7b6e5532ddda7c5c497ad1e51c11df37059147d9b81354")
    }
  }
}
