import PlumblineIO
import PlumblineImages

/// One record in memory: its header and its data.
struct ROS1BagRecord {
  let header: ROS1BagHeader
  /// Indices are offsets of the file or of the chunk.
  let data: ArraySlice<UInt8>

  /// Reads the record at a cursor.
  ///
  /// - Throws: `.malformed`, for example for a length beyond the end.
  init(_ cursor: inout ByteReader) throws(CaptureReadingError) {
    let count = Int(try cursor.readUInt32("the length of a record's header"))
    header = try ROS1BagHeader(
      cursor.readBytes(count, as: "a record's header"), path: cursor.path + ["record"])
    let dataCount = Int(try cursor.readUInt32("the length of a record's data"))
    data = try cursor.readBytes(dataCount, as: "a record's data")
  }
}

/// The place of a record in a file: its header, which was read, and the range of its data.
struct ROS1BagRecordPlace {
  let header: ROS1BagHeader
  let opcode: ROS1BagOpcode?
  /// The range of the whole record, and of its data, in the file.
  let range: Range<Int>
  let data: Range<Int>

  /// Reads the header of the record at an offset with one or two reads of the file.
  ///
  /// - Throws: `.malformed` if there is no whole record; `.missing` if the file cannot be read.
  init(in source: any ByteSource, at offset: Int) throws(CaptureReadingError) {
    let room = source.byteCount - offset
    func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, path: ["record"], offset: offset, expected: expected, found: found)
    }
    guard room >= 8 else { throw malformed("a record", "\(max(0, room)) bytes left") }
    // Headers have less than 100 bytes, so one read suffices as a rule.
    var bytes = try source.bytes(in: offset..<(offset + min(256, room)))[...]
    var cursor = ByteReader(bytes, endianness: .little, path: ["record"])
    let count = Int(try cursor.readUInt32("the length of a record's header"))
    guard count <= min(ROS1BagLayout.maximumHeaderBytes, room - 8) else {
      throw malformed("a header of a record that fits the file", "\(count) bytes")
    }
    if count + 8 > bytes.count {
      bytes = try source.bytes(in: offset..<(offset + count + 8))[...]
      cursor = ByteReader(bytes, endianness: .little, path: ["record"])
      try cursor.skip(4)
    }
    header = try ROS1BagHeader(
      cursor.readBytes(count, as: "a record's header"), path: ["record at \(offset)"])
    opcode = try header.opcode()
    let dataCount = Int(try cursor.readUInt32("the length of a record's data"))
    guard dataCount <= room - 8 - count else {
      throw malformed("\(dataCount) bytes of a record's data", "\(room - 8 - count) bytes left")
    }
    data = (offset + count + 8)..<(offset + count + 8 + dataCount)
    range = offset..<data.upperBound
  }
}

/// A chunk of messages and connections, as the file stores it.
struct ROS1BagChunk: Sendable {
  /// The compressed records.
  let data: Range<Int>
  /// The compression by its name in the file.
  let compression: String
  /// The size of the records in bytes.
  let size: Int
  /// The end of the index records behind the chunk.
  var indexEnd: Int
  /// The connections with messages in it; `nil` if no index states them.
  var connections: Set<UInt32>?

  /// Reads the fields of a chunk.
  ///
  /// - Throws: `.malformed` for another record; `.unsupported` for a compression that is not read.
  init(_ place: ROS1BagRecordPlace) throws(CaptureReadingError) {
    guard place.opcode == .chunk else {
      throw CaptureReadingError(
        .malformed, path: ["chunk"], offset: place.range.lowerBound, expected: "a chunk",
        found: place.opcode.map(\.name) ?? "another record")
    }
    compression = try place.header.text("compression")
    size = Int(try place.header.uint32("size"))
    data = place.data
    indexEnd = place.range.upperBound
    try Self.requireReadable(compression, at: place.range.lowerBound)
  }

  /// - Source: wiki.ros.org/Bags/Format/2.0, "Chunk": `none` and `bz2`; ROS's `roslz4` and
  ///   `rosbag record --lz4` for `lz4`, in LZ4's frame format.
  private static func requireReadable(
    _ compression: String, at offset: Int
  ) throws(CaptureReadingError) {
    switch compression {
    case "none", "lz4": return
    case "bz2":
      throw CaptureReadingError(
        .unsupported, path: ["chunk"], offset: offset,
        expected: "chunks that are compressed by lz4 or not at all, as the program rosbag "
          + "decompress writes them",
        found: "bz2, for which no decoder is built in")
    default:
      throw CaptureReadingError(
        .unsupported, path: ["chunk"], offset: offset,
        expected: "chunks that are compressed by lz4 or not at all",
        found: "“\(printable(text: compression.prefix(32)))”")
    }
  }

  /// The decompressed records.
  ///
  /// - Throws: `.limitExceeded`; `.malformed` for a wrong size or broken data; `.missing`. The
  ///   format has no checksum but that of LZ4.
  func records(
    in source: any ByteSource, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    for count in [size, data.count] {
      try limits.require(
        count, atMost: limits.fileBytes, "bytes of a chunk", path: ["chunk"],
        offset: data.lowerBound)
    }
    do throws(CaptureReadingError) {
      return try MCAPCompression.decompressed(
        source.bytes(in: data)[...], named: compression == "none" ? "" : compression,
        exactly: size)
    } catch {
      throw CaptureReadingError(
        error.reason, path: error.path, offset: data.lowerBound, expected: error.expected,
        found: error.found)
    }
  }
}
