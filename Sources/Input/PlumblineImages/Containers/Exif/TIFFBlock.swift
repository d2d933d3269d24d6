import PlumblineIO

/// A TIFF structure in memory, as used by Exif and multi-picture indices: directories of tags.
///
/// Source: TIFF 6.0 §2. Offsets count from the start of the block.
struct TIFFBlock {
  /// The block; `startIndex` is the file offset of the header.
  let bytes: ArraySlice<UInt8>
  /// The byte order that the header names.
  let endianness: ByteReader.Endianness
  /// The offset of the first directory from the start of the block.
  let firstDirectory: Int
  private let path: [String]

  /// Reads the header.
  ///
  /// - Throws: `.malformed` when it is not `II*\0` or `MM\0*` and an offset.
  init(_ bytes: ArraySlice<UInt8>, path: [String]) throws(CaptureReadingError) {
    self.bytes = bytes
    self.path = path
    var reader = ByteReader(bytes, path: path)
    switch try reader.readUInt16("a TIFF byte order") {
    case 0x4949: endianness = .little
    case 0x4D4D: endianness = .big
    default:
      throw CaptureReadingError(
        .malformed, path: path, offset: bytes.startIndex, expected: "a TIFF byte order (II or MM)",
        found: printable(bytes.prefix(2)))
    }
    reader.endianness = endianness
    guard try reader.readUInt16("the TIFF number 42") == 42 else {
      throw CaptureReadingError(
        .malformed, path: path, offset: bytes.startIndex + 2, expected: "the TIFF number 42",
        found: printable(bytes.dropFirst(2).prefix(2)))
    }
    firstDirectory = Int(try reader.readUInt32("the offset of the first directory"))
  }

  /// Reads one directory; the first of two entries with the same tag wins, as in other readers.
  ///
  /// An entry whose value lies outside the block is kept without bytes.
  ///
  /// - Throws: `.malformed` when the entries run past the block; `.limitExceeded`. O(entries).
  func directory(
    at offset: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) -> [UInt16: TIFFEntry] {
    guard offset >= 0, offset <= bytes.count else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "a directory within \(bytes.count) bytes",
        found: "offset \(offset)")
    }
    var reader = ByteReader(bytes, endianness: endianness, path: path)
    try reader.seek(to: bytes.startIndex + offset)
    let count = Int(try reader.readUInt16("the number of entries"))
    try limits.require(
      count, atMost: limits.exifEntries, "directory entries", path: path, offset: reader.offset)
    var entries: [UInt16: TIFFEntry] = [:]
    for _ in 0..<count {
      let tag = try reader.readUInt16("a tag")
      let type = try reader.readUInt16("a type")
      let valueCount = Int(try reader.readUInt32("a count"))
      let field = try reader.readBytes(4, as: "a value or its offset")
      guard entries[tag] == nil else { continue }
      entries[tag] = TIFFEntry(
        type: type, count: valueCount, endianness: endianness,
        bytes: value(type: type, count: valueCount, field: field))
    }
    return entries
  }

  /// Whether another directory follows that at an offset, as in files of several images; `false` for one that
  /// cannot be read.
  func isFollowed(directoryAt offset: Int) -> Bool {
    var reader = ByteReader(bytes, endianness: endianness, path: path)
    guard (try? reader.seek(to: bytes.startIndex + offset)) != nil,
      let count = try? reader.readUInt16("the number of entries"),
      (try? reader.readBytes(12 * Int(count), as: "entries")) != nil,
      let next = try? reader.readUInt32("the offset of the next directory")
    else { return false }
    return next != 0
  }

  private func value(type: UInt16, count: Int, field: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let size = TIFFEntry.byteCount(ofType: type) else { return nil }
    // The count has 32 bits and the size is at most 8, so the product fits 64 bits.
    let length = count * size
    if length <= 4 { return field.prefix(length) }
    var reader = ByteReader(field, endianness: endianness)
    guard let offset = try? Int(reader.readUInt32()), offset <= bytes.count,
      length <= bytes.count - offset
    else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + length]
  }
}

/// One tag's value in a TIFF directory.
struct TIFFEntry {
  /// The TIFF 6.0 type, such as 2 for text.
  var type: UInt16
  /// The declared number of values.
  var count: Int
  /// The byte order of the values.
  var endianness: ByteReader.Endianness
  /// The values; `nil` when they lie outside the block or their type is unknown.
  var bytes: ArraySlice<UInt8>?

  /// The size in bytes of one value of a type, for the types of TIFF 6.0 and Exif 3.0's UTF-8 text.
  static func byteCount(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11: 4
    case 5, 10, 12: 8
    default: nil
    }
  }

  /// The text without its terminator and padding; `nil` for another type or empty text.
  var text: String? {
    guard let bytes, type == 2 || type == 129 else { return nil }
    let content = bytes.prefix { $0 != 0 }
    guard let last = content.lastIndex(where: { $0 != 0x20 }) else { return nil }
    return String(decoding: content[...last], as: UTF8.self)
  }

  /// The first value of an unsigned integer type.
  var integer: Int? {
    guard let bytes, !bytes.isEmpty else { return nil }
    var reader = ByteReader(bytes, endianness: endianness)
    return switch type {
    case 1: try? Int(reader.readUInt8())
    case 3: try? Int(reader.readUInt16())
    case 4: try? Int(reader.readUInt32())
    default: nil
    }
  }

  /// All values of an unsigned integer type; `nil` unless all of them are present.
  var integers: [Int]? {
    guard let bytes, let size = Self.byteCount(ofType: type), bytes.count == count * size else {
      return nil
    }
    var reader = ByteReader(bytes, endianness: endianness)
    var values: [Int] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      let value: Int? =
        switch type {
        case 1: try? Int(reader.readUInt8())
        case 3: try? Int(reader.readUInt16())
        case 4: try? Int(reader.readUInt32())
        default: nil
        }
      guard let value else { return nil }
      values.append(value)
    }
    return values
  }

  /// The first value of the unsigned rational type; `nil` when the denominator is 0.
  var rational: Double? {
    guard let bytes, type == 5 else { return nil }
    var reader = ByteReader(bytes, endianness: endianness)
    guard let numerator = try? reader.readUInt32(), let denominator = try? reader.readUInt32(),
      denominator != 0
    else { return nil }
    return Double(numerator) / Double(denominator)
  }
}
