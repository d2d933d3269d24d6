/// The marks and sizes of the records of a ZIP archive.
///
/// - Source: PKWARE APPNOTE.TXT 6.3.10, sections 4.3 and 4.4.
enum ZIPRecord {
  static let localHeader: UInt32 = 0x0403_4B50
  static let localHeaderSize = 30
  static let directoryHeader: UInt32 = 0x0201_4B50
  static let directoryHeaderSize = 46
  static let descriptor: UInt32 = 0x0807_4B50
  static let end: UInt32 = 0x0605_4B50
  static let endSize = 22
  static let end64: UInt32 = 0x0606_4B50
  static let end64Size = 56
  static let end64Locator: UInt32 = 0x0706_4B50
  static let end64LocatorSize = 20
  /// The number of the extra field with 64-bit sizes.
  static let extra64: UInt16 = 1
  /// A 32-bit field whose value stands in the extra field.
  static let saturated = Int(UInt32.max)
  static let saturated16 = Int(UInt16.max)
  /// Flags, by their bits.
  static let isEncrypted: UInt16 = 1 | 1 << 6 | 1 << 13
  static let hasDescriptor: UInt16 = 1 << 3
  static let isUTF8: UInt16 = 1 << 11
  /// Methods.
  static let stored: UInt16 = 0
  static let deflated: UInt16 = 8
}

/// The entry of a file in an archive.
struct ZIPEntry: Sendable {
  var name: String
  /// The bytes of the name, which the local header must repeat.
  var nameBytes: [UInt8]
  var flags: UInt16
  var method: UInt16
  var checksum: UInt32
  var compressedCount: Int
  var count: Int
  /// The offset of its local header.
  var headerOffset: Int
  /// Where the next entry, or the directory, starts: its bytes end before that.
  var endOffset = Int.max
  /// The file type and permissions of Unix, 0 where the writer gives none.
  var unixMode: UInt16 = 0

  /// Whether it stands for a folder.
  var isFolder: Bool { name.hasSuffix("/") }
}
