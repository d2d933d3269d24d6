import PlumblineImages
import PlumblineIO

/// The box `moov` of a file, found by reading the outermost boxes without reading their contents.
struct MP4Index {
  /// The boxes inside `moov`.
  let movie: [ISOBox]

  /// Finds and reads `moov`.
  ///
  /// - Throws: `.missing` without one, `.unsupported` for fragmented videos, `.malformed`,
  ///   `.limitExceeded`.
  init(_ source: any ByteSource, limits: ReadingLimits) throws(CaptureReadingError) {
    var offset = 0
    var count = 0
    var hasMedia = false
    while offset < source.byteCount {
      count += 1
      try limits.require(count, atMost: limits.videoImages, "boxes", offset: offset)
      let start = try source.bytes(in: offset..<min(offset + 16, source.byteCount))
      var reader = ByteReader(start[...])
      var size = Int(try reader.readUInt32("a box size"))
      let type = try reader.readFourCC("a box type")
      if size == 1 { size = Int(clamping: try reader.readUInt64("a 64-bit box size")) }
      if size == 0 { size = source.byteCount - offset }
      guard count > 1 || ["ftyp", "wide", "mdat", "moov", "free", "skip", "pnot"].contains(type)
      else {
        throw CaptureReadingError(
          .malformed, offset: 0, expected: "an MP4 or QuickTime video", found: "a box \(type)")
      }
      guard size >= reader.offset, size <= source.byteCount - offset else {
        let hint = type == "mdat" || type == "moov" ? " (the file ends early: copy it again)" : ""
        throw CaptureReadingError(
          .malformed, offset: offset,
          expected: "a size of \(type) between \(reader.offset) and \(source.byteCount - offset)",
          found: "\(size)\(hint)")
      }
      if type == "mdat" { hasMedia = true }
      if type == "moov" {
        movie = try Self.children(of: source, offset..<offset + size, limits)
        return
      }
      offset += size
    }
    throw CaptureReadingError(
      .missing, expected: "an index (moov)",
      found: hasMedia
        ? "images alone: the recording was not finished" : "\(count) boxes without one")
  }

  private static func children(
    of source: any ByteSource, _ range: Range<Int>, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [ISOBox] {
    try limits.require(
      range.count, atMost: limits.videoIndexBytes, "bytes of index", path: ["moov"],
      offset: range.lowerBound)
    var reader = ByteReader(try source.bytes(in: range)[...])
    do throws(CaptureReadingError) {
      let box = try reader.readBox()
      var inside = box.reader(in: [])
      let boxes = try inside.readBoxes(limits)
      if boxes.contains(where: { $0.type == "mvex" }) {
        throw CaptureReadingError(
          .unsupported, path: ["moov", "mvex"],
          expected: "a video with one index; ffmpeg -i IN -c copy OUT.mp4 makes one",
          found: "a fragmented video")
      }
      return boxes
    } catch {
      // Offsets inside were counted from the start of the box.
      var moved = error
      moved.offset = error.offset.map { $0 + range.lowerBound }
      throw moved
    }
  }

  /// Ticks of a second of the whole video's clock (`mvhd`), in which edits are counted.
  func movieTicksPerSecond(_ limits: ReadingLimits) throws(CaptureReadingError) -> Int {
    guard let header = movie.first(where: { $0.type == "mvhd" }) else {
      throw CaptureReadingError(
        .missing, path: ["moov"], expected: "a box of type mvhd", found: "none")
    }
    var reader = header.reader(in: ["moov"])
    return try reader.readClock()
  }
}

extension ByteReader {
  /// Reads the start of `mvhd` or `mdhd` up to the ticks of a second, which must be above 0.
  mutating func readClock() throws(CaptureReadingError) -> Int {
    let version = try readFullBoxHeader().version
    try skip(version == 1 ? 16 : 8, as: "times of making")
    let ticks = Int(try readUInt32("ticks per second"))
    guard ticks > 0 else { throw malformed(expected: "ticks per second above 0", found: "0") }
    return ticks
  }
}
