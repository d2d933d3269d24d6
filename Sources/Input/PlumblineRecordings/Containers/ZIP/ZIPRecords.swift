import PlumblineIO

/// The signatures and sizes of the records of a ZIP archive.
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
  /// A 32-bit field whose actual value is in the extra field.
  static let saturated = Int(UInt32.max)
  static let saturated16 = Int(UInt16.max)
  /// The flags as bit masks.
  static let isEncrypted: UInt16 = 1 | 1 << 6 | 1 << 13
  static let hasDescriptor: UInt16 = 1 << 3
  static let isUTF8: UInt16 = 1 << 11
  /// The compression methods.
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
  /// The offset of the entry's local header.
  var headerOffset: Int
  /// The start of the next entry or of the directory, before which this entry must end.
  var endOffset = Int.max
  /// The file type and permissions of Unix; 0 if the writer gives none.
  var unixMode: UInt16 = 0

  /// Whether the entry is a folder.
  var isFolder: Bool { name.hasSuffix("/") }
}

/// The local header before an entry's data.
struct ZIPLocalHeader {
  var flags: UInt16
  var method: UInt16
  var checksum: UInt32
  var sizes: ZIPSizes
  var nameBytes: [UInt8]
  /// The offset of the file's data.
  var dataOffset: Int

  /// Reads the header at a position; `nil` when there is none.
  ///
  /// - Throws: `.malformed` when the archive ends within it.
  init?(at offset: Int, in source: any ByteSource) throws(CaptureReadingError) {
    let total = source.byteCount
    guard offset >= 0, offset <= total - ZIPRecord.localHeaderSize else { return nil }
    let fixed = try source.bytes(in: offset..<(offset + ZIPRecord.localHeaderSize))
    var reader = ByteReader(fixed[...], endianness: .little)
    guard try reader.readUInt32() == ZIPRecord.localHeader else { return nil }
    try reader.skip(2)
    flags = try reader.readUInt16()
    method = try reader.readUInt16()
    try reader.skip(4)
    checksum = try reader.readUInt32()
    sizes = ZIPSizes()
    sizes.compressed = Int(try reader.readUInt32())
    sizes.full = Int(try reader.readUInt32())
    let nameCount = Int(try reader.readUInt16())
    let extraCount = Int(try reader.readUInt16())
    let end = offset + ZIPRecord.localHeaderSize + nameCount + extraCount
    guard end <= total else {
      throw CaptureReadingError(
        .malformed, offset: offset, expected: "a local header of \(end - offset) bytes",
        found: "\(total - offset) bytes left")
    }
    let rest = try source.bytes(in: (offset + ZIPRecord.localHeaderSize)..<end)
    nameBytes = Array(rest.prefix(nameCount))
    try sizes.complete(from: rest[nameCount...])
    dataOffset = end
  }

  /// The position of an entry's data, after checking that its local header agrees with the
  /// directory.
  ///
  /// - Throws: `.unsupported` for encryption and unknown methods; `.malformed` for a contradiction.
  static func data(
    of entry: ZIPEntry, in source: any ByteSource
  ) throws(CaptureReadingError) -> Range<Int> {
    guard entry.flags & ZIPRecord.isEncrypted == 0 else {
      throw CaptureReadingError(
        .unsupported, offset: entry.headerOffset, expected: "a file without a password",
        found: "an encrypted one")
    }
    guard [ZIPRecord.stored, ZIPRecord.deflated].contains(entry.method) else {
      throw CaptureReadingError(
        .unsupported, offset: entry.headerOffset, expected: "a stored or deflated file",
        found: "compression method \(entry.method)")
    }
    guard let local = try ZIPLocalHeader(at: entry.headerOffset, in: source) else {
      throw CaptureReadingError(
        .malformed, offset: entry.headerOffset, expected: "a local header", found: "other bytes")
    }
    func require<Value: Equatable>(
      _ what: String, _ inDirectory: Value, _ here: Value
    ) throws(CaptureReadingError) {
      guard inDirectory == here else {
        throw CaptureReadingError(
          .malformed, offset: entry.headerOffset,
          expected: "the directory's \(what) \(inDirectory) in the local header", found: "\(here)")
      }
    }
    try require("name", printable(entry.nameBytes), printable(local.nameBytes))
    try require("method", entry.method, local.method)
    // With a descriptor after the data, these fields of the local header are not used.
    if local.flags & ZIPRecord.hasDescriptor == 0 {
      try require("checksum", entry.checksum, local.checksum)
      try require("compressed size", entry.compressedCount, local.sizes.compressed)
      try require("size", entry.count, local.sizes.full)
    }
    let limit = min(entry.endOffset, source.byteCount)
    guard local.dataOffset <= limit, entry.compressedCount <= limit - local.dataOffset else {
      throw CaptureReadingError(
        .malformed, offset: local.dataOffset,
        expected: "\(entry.compressedCount) bytes of data before byte \(limit)",
        found: "\(max(0, limit - local.dataOffset))")
    }
    return local.dataOffset..<(local.dataOffset + entry.compressedCount)
  }
}

/// Sizes and position of an entry; large values are in an extra field.
struct ZIPSizes {
  var compressed = 0
  var full = 0
  var offset = 0

  /// Reads 64-bit values from the extra fields for each saturated field, in their fixed order.
  ///
  /// - Throws: `.malformed` if a value is missing or above 2⁶² bytes.
  mutating func complete(from extra: ArraySlice<UInt8>) throws(CaptureReadingError) {
    let isLarge = [full, compressed, offset].map { $0 == ZIPRecord.saturated }
    guard isLarge.contains(true) else { return }
    var reader = ByteReader(extra, endianness: .little, path: ["extra fields"])
    while reader.remaining >= 4 {
      let kind = try reader.readUInt16()
      let size = Int(try reader.readUInt16())
      let body = try reader.readBytes(size, as: "an extra field")
      guard kind == ZIPRecord.extra64 else { continue }
      var values = ByteReader(body, endianness: .little, path: ["ZIP64"])
      func next(_ values: inout ByteReader) throws(CaptureReadingError) -> Int {
        let value = try values.readUInt64("a size or place")
        guard value < 1 << 62 else {
          throw values.malformed(expected: "a size or place below 2⁶²", found: "\(value)")
        }
        return Int(value)
      }
      if isLarge[0] { full = try next(&values) }
      if isLarge[1] { compressed = try next(&values) }
      if isLarge[2] { offset = try next(&values) }
      return
    }
    // Without the extra field the value is literal: 4 GB minus one byte.
  }
}
