/// Bytes as hexadecimal digits, two for each.
package enum Hexadecimal {
  private static let lowercaseDigits = Array("0123456789abcdef".utf8)
  private static let uppercaseDigits = Array("0123456789ABCDEF".utf8)

  /// The digits of bytes, those above nine as `a` to `f`; O(*n*).
  package static func lowercase(_ bytes: some Sequence<UInt8>) -> String {
    text(bytes, lowercaseDigits)
  }

  /// The digits of bytes, those above nine as `A` to `F`; O(*n*).
  package static func uppercase(_ bytes: some Sequence<UInt8>) -> String {
    text(bytes, uppercaseDigits)
  }

  private static func text(_ bytes: some Sequence<UInt8>, _ digits: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
