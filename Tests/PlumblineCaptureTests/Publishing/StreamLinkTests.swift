import PlumblineCapture
import PlumblineTestSupport
import Testing

@Suite("Links of plumbline serve")
struct StreamLinkTests {
  static let fingerprint = String(repeating: "0a", count: 32)

  @Test("What serve prints is read, whatever else stands behind #")
  func sound() throws {
    let link = try StreamLink(
      " https://192.168.1.5:43817/#token=00ff&fp=\(Self.fingerprint)&live=&map=jet\n")
    #expect(link.isEncrypted && link.host == "192.168.1.5" && link.port == 43817)
    #expect(link.token == "00ff" && link.fingerprint?.hexadecimal == Self.fingerprint)
    #expect(link.publishAddress == "wss://192.168.1.5:43817/api/publish")
    let six = try StreamLink("HTTP://[fd00::1]:8080")
    #expect(six.host == "fd00::1" && six.token == nil && six.fingerprint == nil)
    #expect(six.publishAddress == "ws://[fd00::1]:8080/api/publish")
    #expect(try StreamLink("http://[::1]").authority == "[::1]")
    #expect(try StreamLink("https://desk.local").authority == "desk.local")
    #expect(try StreamLink("https://desk.local:80/?x=1#token=a").authority == "desk.local:80")
  }

  @Test(
    "What leads elsewhere or breaks a header is refused by its part",
    arguments: [
      ("", StreamLinkError.Part.scheme), ("ftp://a/", .scheme), ("javascript:alert(1)", .scheme),
      ("https://a/ https://b/", .scheme), ("192.168.1.5:43817", .scheme),
      ("https://", .host), ("https:///x", .host), ("https://a@b/", .host),
      ("https://user:secret@b/", .port), ("https://%61/", .host), ("https://a\\b/", .host),
      ("https://[::1/", .host), ("https://[fe80::1%25en0]/", .host), ("https://ä/", .host),
      ("https://a:/", .port), ("https://a:0/", .port), ("https://a:65536/", .port),
      ("https://a:+1/", .port), ("https://a:1:2/", .port), ("https://[::1]x/", .port),
      ("https://a:99999999999999999999/", .port),
      ("https://a/#token=", .token), ("https://a/#token=a%0d%0aX:1", .token),
      ("https://a/#token=\u{7f}", .token),
      ("https://a/#token=\(String(repeating: "a", count: 257))", .token),
      ("https://a/#fp=", .fingerprint), ("https://a/#fp=12", .fingerprint),
      ("https://a/#fp=\(String(repeating: "g", count: 64))", .fingerprint),
      ("https://\(String(repeating: "a", count: 3000))/", .length),
      ("https://\(String(repeating: "a", count: 300))/", .host),
    ])
  func hostile(text: String, part: StreamLinkError.Part) {
    let error = #expect(throws: StreamLinkError.self) { try StreamLink(text) }
    #expect(error?.part == part, "\(text): \(error?.description ?? "read")")
  }

  @Test("A refusal never repeats a token, and nothing traps", arguments: 0..<200 as Range<UInt64>)
  func garbage(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes = Array("https://192.168.1.5:43817/#token=s3cret&fp=\(Self.fingerprint)".utf8)
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
        in: 0...255, using: &generator)
    }
    do throws(StreamLinkError) {
      let link = try StreamLink(String(decoding: bytes, as: UTF8.self))
      #expect((1...65535).contains(link.port) && !link.host.isEmpty)
    } catch {
      #expect(!error.description.contains("cret"))
    }
  }

  @Test("A fingerprint is the same with colons, in capitals and of the bytes themselves")
  func fingerprints() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let digits = Array(empty.uppercased())
    let colons = stride(from: 0, to: 64, by: 2).map { String(digits[$0...$0 + 1]) }
      .joined(separator: ":")
    // FIPS 180-4: the digest of nothing.
    #expect(CertificateFingerprint(of: [UInt8]()).hexadecimal == empty)
    #expect(CertificateFingerprint(colons)?.hexadecimal == empty)
    #expect(CertificateFingerprint(colons)?.description.prefix(9) == "e3b0 c442")
    #expect(CertificateFingerprint(empty + "0") == nil)
  }
}
