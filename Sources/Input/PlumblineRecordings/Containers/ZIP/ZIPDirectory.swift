import PlumblineImages
import PlumblineIO

/// The position of an archive's central directory, which is at its end.
struct ZIPDirectory {
  let range: Range<Int>
  let entryCount: Int

  /// Finds the end record and, through it, the directory.
  ///
  /// - Returns: `nil` when there is no end record, since the archive is truncated.
  static func find(in source: any ByteSource) throws(CaptureReadingError) -> ZIPDirectory? {
    let total = source.byteCount
    // A comment of up to 65,535 bytes may follow the record.
    let tailStart = max(0, total - ZIPRecord.endSize - Int(UInt16.max))
    let tail = try source.bytes(in: tailStart..<total)
    guard let place = endPlace(in: tail) else { return nil }
    let offset = tailStart + place
    var record = ByteReader(tail[(place + 4)...], endianness: .little)
    let disk = try record.readUInt16()
    let directoryDisk = try record.readUInt16()
    let countHere = Int(try record.readUInt16())
    var count = Int(try record.readUInt16())
    var size = Int(try record.readUInt32())
    var start = Int(try record.readUInt32())
    guard disk == directoryDisk, countHere == count, disk == 0 || disk == .max else {
      throw CaptureReadingError(
        .unsupported, offset: offset, expected: "an archive in one file",
        found: "part \(disk + 0) of several")
    }
    var recordStart = offset
    if count == ZIPRecord.saturated16 || size == ZIPRecord.saturated
      || start == ZIPRecord.saturated,
      let large = try end64(before: offset, in: source)
    {
      (count, size, start, recordStart) = (large.count, large.size, large.start, large.offset)
    }
    // Neither is negative, and the offset is inside the file, so the sum does not overflow.
    guard start <= recordStart, size <= recordStart - start,
      count <= size / ZIPRecord.directoryHeaderSize
    else {
      throw CaptureReadingError(
        .malformed, offset: offset,
        expected: "a directory of \(count) entries before byte \(recordStart)",
        found: "\(size) bytes at \(start)")
    }
    return ZIPDirectory(range: start..<(start + size), entryCount: count)
  }

  /// The last end record whose comment ends at the end of the file, or else the last possible one.
  private static func endPlace(in tail: [UInt8]) -> Int? {
    var place = tail.count - ZIPRecord.endSize
    var fallback: Int?
    while place >= 0 {
      if tail[place] == 0x50, tail[place + 1] == 0x4B, tail[place + 2] == 5, tail[place + 3] == 6 {
        let comment = Int(tail[place + 20]) | Int(tail[place + 21]) << 8
        let end = place + ZIPRecord.endSize + comment
        if end == tail.count { return place }
        if end < tail.count, fallback == nil { fallback = place }
      }
      place -= 1
    }
    return fallback
  }

  private static func end64(
    before offset: Int, in source: any ByteSource
  ) throws(CaptureReadingError) -> (count: Int, size: Int, start: Int, offset: Int)? {
    let locatorStart = offset - ZIPRecord.end64LocatorSize
    guard locatorStart >= 0 else { return nil }
    var locator = ByteReader(
      try source.bytes(in: locatorStart..<offset)[...], endianness: .little)
    guard try locator.readUInt32() == ZIPRecord.end64Locator else { return nil }
    try locator.skip(4)
    let place = Int(clamping: try locator.readUInt64())
    guard place <= locatorStart - ZIPRecord.end64Size else {
      throw CaptureReadingError(
        .malformed, offset: locatorStart, expected: "a ZIP64 end record before it",
        found: "one at byte \(place)")
    }
    var record = ByteReader(
      try source.bytes(in: place..<(place + ZIPRecord.end64Size))[...], endianness: .little)
    guard try record.readUInt32() == ZIPRecord.end64 else {
      throw CaptureReadingError(
        .malformed, offset: place, expected: "a ZIP64 end record", found: "other bytes")
    }
    // Size of the record, versions, disks, entries on this disk.
    try record.skip(8 + 2 + 2 + 4 + 4 + 8)
    let count = Int(clamping: try record.readUInt64())
    let size = Int(clamping: try record.readUInt64())
    return (count, size, Int(clamping: try record.readUInt64()), place)
  }

  /// Reads the entries, one piece of the directory at a time.
  func entries(
    of source: any ByteSource, limits: ReadingLimits
  ) throws(CaptureReadingError) -> [ZIPEntry] {
    try limits.require(entryCount, atMost: limits.archiveEntries, "entries of an archive")
    var entries: [ZIPEntry] = []
    var place = range.lowerBound
    var piece: ArraySlice<UInt8> = []
    // The longest entry has three fields of 64 kB; a piece holds one of these and many short ones.
    let pieceSize = 1 << 18
    for _ in 0..<entryCount {
      if piece.count < min(pieceSize, range.upperBound - place) {
        let end = min(range.upperBound, place + (1 << 20))
        piece = try source.bytes(in: place..<end)[...]
      }
      var reader = ByteReader(piece, endianness: .little)
      let entry: ZIPEntry
      do throws(CaptureReadingError) {
        entry = try Self.entry(&reader)
      } catch {
        var error = error
        error.offset = error.offset.map { $0 - piece.startIndex + place }
        throw error.inside("directory")
      }
      place += reader.offset - piece.startIndex
      piece = piece[reader.offset...]
      entries.append(entry)
    }
    return entries
  }

  private static func entry(_ reader: inout ByteReader) throws(CaptureReadingError) -> ZIPEntry {
    guard try reader.readUInt32("an entry") == ZIPRecord.directoryHeader else {
      throw reader.malformed(expected: "an entry of the directory", found: "other bytes")
    }
    // Version made by, version needed.
    try reader.skip(4)
    let flags = try reader.readUInt16()
    let method = try reader.readUInt16()
    // Time and date.
    try reader.skip(4)
    let checksum = try reader.readUInt32()
    var sizes = ZIPSizes()
    sizes.compressed = Int(try reader.readUInt32())
    sizes.full = Int(try reader.readUInt32())
    let nameCount = Int(try reader.readUInt16())
    let extraCount = Int(try reader.readUInt16())
    let commentCount = Int(try reader.readUInt16())
    // Disk, internal attributes.
    try reader.skip(4)
    let attributes = try reader.readUInt32()
    sizes.offset = Int(try reader.readUInt32())
    let name = Array(try reader.readBytes(nameCount, as: "a name"))
    try sizes.complete(from: reader.readBytes(extraCount, as: "extra fields"))
    try reader.skip(commentCount, as: "a comment")
    return ZIPEntry(
      name: String(decoding: name, as: UTF8.self), nameBytes: name, flags: flags, method: method,
      checksum: checksum, compressedCount: sizes.compressed, count: sizes.full,
      headerOffset: sizes.offset, unixMode: UInt16(truncatingIfNeeded: attributes >> 16))
  }
}
