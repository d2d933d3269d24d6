import PlumblineIO

/// Divides the logical bytes of an E57 file into its pages.
///
/// A page has 1020 bytes of content and the CRC-32C of them, its highest byte first. Offsets inside a
/// file are logical, without checksums, or physical, with them.
/// - Source: ASTM E2807-11; the byte order of the checksum as libE57Format, `CheckedFile.cpp`, has it.
struct E57Pages: Sendable {
  /// The bytes of a page, in the file's header too.
  static let size = 1024
  /// The bytes of content of a page.
  static let contentSize = 1020

  /// Whole pages, and the content of one that is not full.
  private var bytes: [UInt8] = []
  /// The bytes of content of the page that is not full.
  private var unfinishedCount = 0

  /// Where a logical byte lies in the file.
  static func physicalOffset(ofLogical offset: Int) -> Int {
    offset / contentSize * size + offset % contentSize
  }

  /// The bytes of a file with so much content: whole pages.
  static func fileLength(ofContent count: Int) -> Int {
    (count + contentSize - 1) / contentSize * size
  }

  /// The bytes that ``takeWholePages()`` would return.
  var wholeCount: Int { bytes.count - unfinishedCount }

  /// Appends content; O(*n*).
  mutating func append(_ content: [UInt8]) {
    bytes.reserveCapacity(bytes.count + Self.fileLength(ofContent: content.count))
    var first = 0
    while first < content.count {
      let next = min(content.count, first + Self.contentSize - unfinishedCount)
      bytes.append(contentsOf: content[first..<next])
      unfinishedCount += next - first
      first = next
      if unfinishedCount == Self.contentSize { endPage() }
    }
  }

  /// Fills the last page with zeros.
  mutating func end() {
    guard unfinishedCount > 0 else { return }
    append(Array(repeating: 0, count: Self.contentSize - unfinishedCount))
  }

  /// Removes and returns all pages that are full.
  mutating func takeWholePages() -> [UInt8] {
    let whole = Array(bytes[..<wholeCount])
    bytes.removeFirst(wholeCount)
    return whole
  }

  private mutating func endPage() {
    let checksum = CRC32C.value(of: bytes.suffix(Self.contentSize))
    bytes.appendBigEndian(Int(checksum), bytes: 4)
    unfinishedCount = 0
  }
}
