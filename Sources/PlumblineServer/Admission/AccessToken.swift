/// A secret of 128 random bits, written as 32 hexadecimal digits.
///
/// - Source: 128 bits: OWASP Session Management Cheat Sheet requires at least 64 bits of entropy;
///   `ecosystem.md` §C5 for 128.
struct AccessToken: Sendable {
  let text: String

  /// Draws one from the system's generator, which is fit for secrets (`getrandom`,
  /// `arc4random_buf`).
  init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<16).map { _ in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Whether a text is the secret; takes the same time wherever they differ.
  func matches(_ candidate: some StringProtocol) -> Bool {
    let (a, b) = (Array(text.utf8), Array(candidate.utf8))
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}
