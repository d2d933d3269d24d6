/// A QR code of a text, for the camera of a phone: squares ("modules"), each dark or light.
///
/// Byte mode in UTF-8, versions 1 to 20, error correction level M, which restores 15 % of the codewords.
/// - Source: ISO/IEC 18004:2015, whose sections, tables and figures the parts of this folder name.
public struct QRCode: Sendable {
  /// An error when a text has more bytes than the largest version takes.
  public struct TooLong: Error, Sendable, Hashable, CustomStringConvertible {
    /// The bytes of the text in UTF-8.
    public let byteCount: Int
    /// The bytes that fit.
    public let byteLimit: Int

    /// One sentence.
    public var description: String { "the text has \(byteCount) bytes, and \(byteLimit) fit" }
  }

  /// Modules on each side, 21 to 97, without the quiet zone.
  public let size: Int
  /// What masks the data, 0 to 7.
  let mask: Int
  /// Row after row.
  private let modules: [Bool]

  /// Encodes a text in the smallest version that takes it, with the mask of least penalty.
  ///
  /// - Throws: ``TooLong`` for more than 666 bytes.
  public init(_ text: String) throws(TooLong) {
    let bytes = Array(text.utf8)
    guard let version = QRCodeVersion(byteCount: bytes.count) else {
      throw TooLong(byteCount: bytes.count, byteLimit: QRCodeVersion.largest.byteCapacity)
    }
    let blank = QRCodeGrid(version, codewords: QRCodewords.interleaved(bytes, version))
    let masked = (0..<8).map { blank.masked(by: $0) }
    let penalties = masked.map(\.penalty)
    // Of equal ones the first.
    mask = penalties.indices.min { penalties[$0] < penalties[$1] } ?? 0
    size = version.size
    modules = masked[mask].isDark
  }

  /// Whether a module is dark; `x` counts to the right and `y` down, both from 0 and below ``size``.
  public subscript(x: Int, y: Int) -> Bool {
    precondition(0..<size ~= x && 0..<size ~= y, "the module is outside of the code")
    return modules[y * size + x]
  }

  /// Draws the code for a terminal that writes light on dark: half blocks, two rows a line.
  ///
  /// Around it is the quiet zone of four modules (section 6.3.8), and one more below.
  /// - Returns: Lines, each with its end.
  public func terminalText() -> String {
    let quiet = 4
    func isLight(_ x: Int, _ y: Int) -> Bool {
      !(0..<size ~= x && 0..<size ~= y && self[x, y])
    }
    var text = ""
    for y in stride(from: -quiet, to: size + quiet, by: 2) {
      for x in -quiet..<size + quiet {
        switch (isLight(x, y), isLight(x, y + 1)) {
        case (true, true): text += "█"
        case (true, false): text += "▀"
        case (false, true): text += "▄"
        case (false, false): text += " "
        }
      }
      text += "\n"
    }
    return text
  }
}
