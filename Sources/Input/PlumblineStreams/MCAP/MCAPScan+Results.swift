import PlumblineIO
import PlumblineModel

extension MCAPScan {
  /// All messages by ascending log time; ties are in file order.
  var places: [MCAPMessagePlace] {
    var places = looseMessages.map { message in
      MCAPMessagePlace(
        logTime: message.logTime, channelID: message.channelID, chunkNumber: -1,
        offset: message.offset)
    }
    for (number, entries) in contents.enumerated() {
      for (channel, entries) in entries {
        places += entries.map { entry in
          MCAPMessagePlace(
            logTime: entry.logTime, channelID: channel, chunkNumber: Int32(number),
            offset: Int(entry.offset))
        }
      }
    }
    places.sort()
    return places
  }

  /// The findings about the file.
  ///
  /// `indexProblem` is the reason why its index could not be used; `nil` for a file without an
  /// index.
  func findings(indexProblem: CaptureReadingError?) -> [Finding] {
    var findings: [Finding] = []
    if let indexProblem {
      findings.append(
        Finding(
          .sequenceWithoutIndex, .caution,
          "the recording has no sound end; its \(chunks.count) whole chunks are used",
          evidence: "\(indexProblem)", correction: .applied))
    }
    if !gaps.isEmpty {
      let bytes = gaps.reduce(0) { $0 + $1.range.count }
      findings.append(
        Finding(
          .sequenceDamagedBytes, .caution,
          "\(bytes) bytes in \(gaps.count) \(gaps.count == 1 ? "place" : "places") cannot be used",
          evidence: gaps.prefix(4).map { gap in
            "bytes \(gap.range.lowerBound) to \(gap.range.upperBound): \(gap.detail)"
          }.joined(separator: "; ")))
    }
    if isChecksumWrong {
      findings.append(
        Finding(
          .sequenceDamagedBytes, .caution,
          "the checksum of the whole recording does not fit, though those of its chunks do",
          evidence: "data end record"))
    }
    return findings
  }
}

/// A window on a file that moves forward, so that a scan needs few read calls.
struct MCAPWindow {
  private let source: any ByteSource
  private var bytes: [UInt8] = []
  private var start = 0
  /// The minimum size of one read.
  private static let blockBytes = 1 << 20

  init(_ source: any ByteSource) { self.source = source }

  /// A range of bytes; indices are offsets in the file.
  ///
  /// - Precondition: The range lies within the file.
  mutating func bytes(in range: Range<Int>) throws(CaptureReadingError) -> ByteReader {
    if range.lowerBound < start || range.upperBound > start + bytes.count {
      let end = max(
        range.upperBound, min(source.byteCount, range.lowerBound + Self.blockBytes))
      bytes = try source.bytes(in: range.lowerBound..<end)
      start = range.lowerBound
    }
    return ByteReader(
      bytes[(range.lowerBound - start)..<(range.upperBound - start)], endianness: .little)
  }
}
