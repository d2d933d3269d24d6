import PlumblineIO

/// A view of a file that moves forward, so that a scan costs few reads.
struct MCAPWindow {
  private let source: any ByteSource
  private var bytes: [UInt8] = []
  private var start = 0
  /// What one read takes, unless more is requested.
  private static let blockBytes = 1 << 20

  init(_ source: any ByteSource) { self.source = source }

  /// Some bytes; indices are offsets in the file.
  ///
  /// - Precondition: They lie within the file.
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
