import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The files of an archive without a directory, found one after another by their local headers.
struct ZIPScan {
  private(set) var entries: [ZIPEntry] = []
  /// The end of the last complete file.
  private var end = 0
  private let source: any ByteSource
  private let limits: ReadingLimits

  /// Reads an archive until a file is incomplete.
  ///
  /// - Throws: `.malformed` when there is no complete file.
  init(_ source: any ByteSource, limits: ReadingLimits) throws(CaptureReadingError) {
    self.source = source
    self.limits = limits
    while let entry = try? next() {
      entries.append(entry)
      try limits.require(entries.count, atMost: limits.archiveEntries, "entries of an archive")
    }
    guard !entries.isEmpty else {
      throw CaptureReadingError(
        .malformed, offset: source.byteCount, expected: "the end record of an archive",
        found: "neither it nor a whole file")
    }
  }

  /// The finding that the archive is truncated, with the number of files that remain.
  var finding: Finding {
    Finding(
      .fileCutOff, .caution,
      "the archive has no directory, as when writing or copying it broke off; \(entries.count) "
        + "whole files were found by their own headers",
      evidence: "\(source.byteCount - end) of \(source.byteCount) bytes are not used")
  }

  /// The file that starts at the end of the last one; `nil` if none does or if it is incomplete.
  private mutating func next() throws(CaptureReadingError) -> ZIPEntry? {
    guard let local = try ZIPLocalHeader(at: end, in: source) else { return nil }
    var entry = ZIPEntry(
      name: String(decoding: local.nameBytes, as: UTF8.self), nameBytes: local.nameBytes,
      flags: local.flags, method: local.method, checksum: local.checksum,
      compressedCount: local.sizes.compressed, count: local.sizes.full, headerOffset: end)
    var dataEnd = local.dataOffset
    if local.flags & ZIPRecord.hasDescriptor != 0 {
      guard let place = try descriptorPlace(of: local) else { return nil }
      entry.compressedCount = place.compressed
      entry.count = place.full
      entry.checksum = place.checksum
      dataEnd = place.end
    } else {
      guard entry.compressedCount <= source.byteCount - local.dataOffset else { return nil }
      dataEnd += entry.compressedCount
    }
    entry.endOffset = dataEnd
    end = dataEnd
    return entry
  }

  private typealias Descriptor = (compressed: Int, full: Int, checksum: UInt32, end: Int)

  private func descriptorPlace(
    of local: ZIPLocalHeader
  ) throws(CaptureReadingError) -> Descriptor? {
    let start = local.dataOffset
    guard local.method == ZIPRecord.deflated else { return try storedDescriptor(from: start) }
    var place = start
    let outcome = try RawDeflate.inflate(limit: limits.archiveInflatedBytes) {
      () throws(CaptureReadingError) in
      let end = min(source.byteCount, place + (64 << 10))
      defer { place = end }
      return try source.bytes(in: place..<end)[...]
    } output: { _ in
    }
    guard outcome.hasEnded else { return nil }
    return try descriptor(
      at: start + outcome.consumed, compressed: outcome.consumed, full: outcome.produced)
  }

  /// The descriptor after stored data of unknown length: the first one whose size matches its
  /// distance.
  private func storedDescriptor(from start: Int) throws(CaptureReadingError) -> Descriptor? {
    var place = start
    while place < source.byteCount {
      // Pieces overlap by the maximum size of a descriptor minus one byte.
      let piece = try source.bytes(in: place..<min(source.byteCount, place + (1 << 20)))
      for index in piece.indices.dropLast(3)
      where piece[index] == 0x50 && piece[index + 1] == 0x4B && piece[index + 2] == 7
        && piece[index + 3] == 8
      {
        let size = place + index - start
        if let found = try descriptor(at: place + index, compressed: size, full: size) {
          return found
        }
      }
      if piece.count <= 3 { return nil }
      place += piece.count - 3
    }
    return nil
  }

  /// Reads a descriptor in any of its four forms: with or without signature, 32 or 64 bits.
  private func descriptor(
    at offset: Int, compressed: Int, full: Int
  ) throws(CaptureReadingError) -> Descriptor? {
    let end = min(source.byteCount, offset + 24)
    guard offset <= end else { return nil }
    let bytes = try source.bytes(in: offset..<end)
    for hasMark in [true, false] {
      for size in [4, 8] {
        let count = (hasMark ? 8 : 4) + 2 * size
        guard bytes.count >= count else { continue }
        var reader = ByteReader(bytes[...], endianness: .little)
        if hasMark, try reader.readUInt32() != ZIPRecord.descriptor { continue }
        let checksum = try reader.readUInt32()
        func number() throws(CaptureReadingError) -> Int {
          size == 4 ? Int(try reader.readUInt32()) : Int(clamping: try reader.readUInt64())
        }
        if try number() == compressed, try number() == full {
          return (compressed, full, checksum, offset + count)
        }
      }
    }
    return nil
  }
}
