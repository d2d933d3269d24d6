/// A text inside a PNG image, which says what it shows wherever it goes.
///
/// - Source: ISO/IEC 15948:2004 §11.3.4.5 (`iTXt`) and the keywords of its table 11.
public struct PNGText: Hashable, Sendable {
  /// The keyword of the text, such as `Title`, `Description` or `Software`.
  public var keyword: String
  /// The text.
  public var text: String

  /// Creates a text.
  ///
  /// - Precondition: The keyword has 1 to 79 printable ASCII characters without a space at either
  ///   end; the text has no NUL.
  public init(_ keyword: String, _ text: String) {
    let letters = keyword.utf8
    precondition(
      (1...79).contains(letters.count) && letters.allSatisfy { 0x20...0x7E ~= $0 }
        && letters.first != 0x20 && letters.last != 0x20 && !text.utf8.contains(0),
      "no text of a PNG: \(keyword)")
    self.keyword = keyword
    self.text = text
  }

  /// The data of an `iTXt` chunk: not compressed, of no stated language.
  package var chunk: [UInt8] { Array(keyword.utf8) + [0, 0, 0, 0, 0] + Array(text.utf8) }
}
