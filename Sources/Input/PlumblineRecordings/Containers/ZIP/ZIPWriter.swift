import PlumblineImages
package import PlumblineIO
package import PlumblineStreams

/// Writes a ZIP archive sequentially, of any size (with ZIP64 where needed).
///
/// Each file is complete in the archive before the next begins, and its sizes precede its data, so
/// that a truncated archive can be read up to the truncation. The same files give the same bytes:
/// every entry has the earliest time of the format, 1980-01-01.
///
/// - Source: PKWARE APPNOTE.TXT 6.3.10.
package struct ZIPWriter {
  /// The compression of a file.
  package enum Method: Sendable {
    /// Not compressed; programs can read it in place.
    case stored
    /// Deflate, with a level from 1 (fast) to 9 (small).
    case deflated(level: Int)
  }

  private let file: any RecordingFile
  private var directory: [UInt8] = []
  private var entryCount = 0
  private var names: Set<String> = []
  private static let pieceSize = 1 << 20

  /// Starts an archive at the end of a file.
  package init(file: any RecordingFile) { self.file = file }

  /// Adds a file from memory; its name is a path with `/` between folders.
  ///
  /// Its data start at a multiple of `alignment` bytes from the start of the file, after a padding
  /// extra field, so that programs can map them into memory: 64 for USDZ.
  ///
  /// - Precondition: The alignment is from 1 to 4096.
  /// - Throws: `.unrepresentable` for a name that readers reject or that already exists; `.output`.
  ///   O(*n*).
  package mutating func add(
    _ name: String, _ bytes: [UInt8], method: Method = .stored, alignment: Int = 1
  ) throws(RecordingWritingError) {
    precondition((1...4096).contains(alignment), "an alignment to \(alignment) bytes")
    let checksum = ZlibStream.crc32(bytes[...])
    var entry = try begin(name, count: bytes.count, checksum: checksum)
    var body = bytes
    if case .deflated(let level) = method {
      precondition((1...9).contains(level), "a deflate level of \(level)")
      body = RawDeflate.deflated(bytes, level: Int32(level))
      entry.method = ZIPRecord.deflated
      entry.compressedCount = body.count
    }
    try appendHeader(entry, alignment: alignment)
    try file.append(body[...])
    appendDirectory(entry)
  }

  /// Adds a file that is too large for memory: it is read twice, first for its checksum.
  ///
  /// - Throws: As ``add(_:_:method:)`` does; `.output` also when the source cannot be read.
  package mutating func add(
    _ name: String, from source: any ByteSource
  ) throws(RecordingWritingError) {
    var checksum: UInt32 = 0
    try forEachPiece(of: source, name) { piece throws(RecordingWritingError) in
      checksum = ZlibStream.crc32(piece, after: checksum)
    }
    let entry = try begin(name, count: source.byteCount, checksum: checksum)
    try appendHeader(entry)
    try forEachPiece(of: source, name) { piece throws(RecordingWritingError) in
      try file.append(piece)
    }
    appendDirectory(entry)
  }

  /// Writes the directory; nothing may be added afterwards.
  ///
  /// The file stays open.
  ///
  /// - Throws: `.output`.
  package mutating func finish() throws(RecordingWritingError) {
    let start = file.byteCount
    try file.append(directory[...])
    var end: [UInt8] = []
    let count = directory.count
    let isLarge =
      entryCount >= ZIPRecord.saturated16 || count >= ZIPRecord.saturated
      || start >= ZIPRecord.saturated
    if isLarge {
      let place = file.byteCount
      end.appendLittleEndian(ZIPRecord.end64)
      // The record's size without its first twelve bytes; version 4.5 twice; disk 0 twice.
      end.appendLittleEndian(UInt64(ZIPRecord.end64Size - 12))
      end += [45, 3, 45, 0] + Array(repeating: 0, count: 8)
      for number in [entryCount, entryCount, count, start] {
        end.appendLittleEndian(UInt64(number))
      }
      end.appendLittleEndian(ZIPRecord.end64Locator)
      end.appendLittleEndian(UInt32(0))
      end.appendLittleEndian(UInt64(place))
      end.appendLittleEndian(UInt32(1))
    }
    end.appendLittleEndian(ZIPRecord.end)
    end.appendLittleEndian(UInt32(0))
    end.appendLittleEndian(UInt16(clamping: entryCount))
    end.appendLittleEndian(UInt16(clamping: entryCount))
    end.appendLittleEndian(UInt32(clamping: count))
    end.appendLittleEndian(UInt32(clamping: start))
    end.appendLittleEndian(UInt16(0))
    try file.append(end[...])
  }

  private mutating func begin(
    _ name: String, count: Int, checksum: UInt32
  ) throws(RecordingWritingError) -> ZIPEntry {
    let bytes = Array(name.utf8)
    var entry = [
      ZIPEntry(
        name: name, nameBytes: bytes, flags: ZIPRecord.isUTF8, method: ZIPRecord.stored,
        checksum: checksum, compressedCount: count, count: count, headerOffset: file.byteCount)
    ]
    do throws(CaptureReadingError) {
      // Data that this project's reader would reject must not be written.
      try ZIPRules.check(&entry, limits: ReadingLimits())
    } catch {
      throw .unrepresentable(
        format: "ZIP", frame: name, expected: error.expected, found: error.found)
    }
    guard bytes.count <= Int(UInt16.max), names.insert(name.lowercased()).inserted else {
      throw .unrepresentable(
        format: "ZIP", frame: String(name.prefix(80)), expected: "a new name of at most 64 kB",
        found: "one that is there or is longer")
    }
    return entry[0]
  }

  private func forEachPiece(
    of source: any ByteSource, _ name: String,
    _ body: (ArraySlice<UInt8>) throws(RecordingWritingError) -> Void
  ) throws(RecordingWritingError) {
    var place = 0
    while place < source.byteCount {
      let end = min(source.byteCount, place + Self.pieceSize)
      let piece: [UInt8]
      do throws(CaptureReadingError) {
        piece = try source.bytes(in: place..<end)
      } catch {
        throw .output(path: name, detail: error.description, reason: .inputOutput)
      }
      try body(piece[...])
      place = end
    }
  }

  private func appendHeader(
    _ entry: ZIPEntry, alignment: Int = 1
  ) throws(RecordingWritingError) {
    var header: [UInt8] = []
    header.appendLittleEndian(ZIPRecord.localHeader)
    let isLarge = max(entry.count, entry.compressedCount) >= ZIPRecord.saturated
    var extra = isLarge ? Self.extra([entry.count, entry.compressedCount]) : []
    let start =
      entry.headerOffset + ZIPRecord.localHeaderSize + entry.nameBytes.count + extra.count
    extra += Self.padding(after: start, alignment: alignment)
    appendShared(entry, isLarge: isLarge, extraCount: extra.count, to: &header)
    try file.append((header + entry.nameBytes + extra)[...])
  }

  private mutating func appendDirectory(_ entry: ZIPEntry) {
    directory.appendLittleEndian(ZIPRecord.directoryHeader)
    // Made by version 4.5 on Unix, so that the mode below is a Unix mode.
    directory += [45, 3]
    let isLarge = max(entry.count, entry.compressedCount) >= ZIPRecord.saturated
    let isFar = entry.headerOffset >= ZIPRecord.saturated
    let numbers =
      (isLarge ? [entry.count, entry.compressedCount] : []) + (isFar ? [entry.headerOffset] : [])
    let extra = numbers.isEmpty ? [] : Self.extra(numbers)
    appendShared(entry, isLarge: isLarge, extraCount: extra.count, to: &directory)
    // Comment, disk, internal attributes; a regular file with read permission for all.
    directory += Array(repeating: 0, count: 6)
    directory.appendLittleEndian(UInt32(0o100644) << 16)
    directory.appendLittleEndian(UInt32(clamping: entry.headerOffset))
    directory += entry.nameBytes + extra
    entryCount += 1
  }

  /// The fields common to both headers, from the version to the length of the extra field.
  private func appendShared(
    _ entry: ZIPEntry, isLarge: Bool, extraCount: Int, to header: inout [UInt8]
  ) {
    header.appendLittleEndian(
      UInt16(isLarge || entry.headerOffset >= ZIPRecord.saturated ? 45 : 20))
    header.appendLittleEndian(entry.flags)
    header.appendLittleEndian(entry.method)
    // 0:00 on 1 January 1980.
    header.appendLittleEndian(UInt16(0))
    header.appendLittleEndian(UInt16(1 << 5 | 1))
    header.appendLittleEndian(entry.checksum)
    // If one size is in the extra field, both must be there.
    header.appendLittleEndian(isLarge ? UInt32.max : UInt32(entry.compressedCount))
    header.appendLittleEndian(isLarge ? UInt32.max : UInt32(entry.count))
    header.appendLittleEndian(UInt16(entry.nameBytes.count))
    header.appendLittleEndian(UInt16(extraCount))
  }

  /// An extra field that ends at a multiple of the alignment; empty if no padding is needed.
  ///
  /// - Source: the identifier is the one that OpenUSD's own writer uses for padding.
  private static func padding(after start: Int, alignment: Int) -> [UInt8] {
    var missing = (alignment - start % alignment) % alignment
    guard missing > 0 else { return [] }
    // Identifier and length take four bytes.
    while missing < 4 { missing += alignment }
    var extra: [UInt8] = []
    extra.appendLittleEndian(UInt16(0x1986))
    extra.appendLittleEndian(UInt16(missing - 4))
    return extra + Array(repeating: 0, count: missing - 4)
  }

  private static func extra(_ numbers: [Int]) -> [UInt8] {
    var extra: [UInt8] = []
    extra.appendLittleEndian(ZIPRecord.extra64)
    extra.appendLittleEndian(UInt16(8 * numbers.count))
    for number in numbers { extra.appendLittleEndian(UInt64(number)) }
    return extra
  }
}
