import PlumblineIO
import PlumblineImages

/// One message's place in the records of a chunk.
struct ROS1BagEntry: Sendable, Hashable {
  var time: UInt64
  var connection: UInt32
  /// The offset of the record from the start of the chunk's records.
  var offset: Int
}

/// The messages of a chunk, found by parsing its records.
struct ROS1BagContents {
  private(set) var entries: [ROS1BagEntry] = []

  /// Parses the records.
  ///
  /// - Parameters:
  ///   - records: The decompressed records; offsets are relative to their start.
  ///   - connections: The connections declared so far; those of the chunk are added, unless this
  ///     throws.
  ///   - limit: The maximum number of messages.
  /// - Throws: `.malformed` if the records do not fill the chunk or a message has an undeclared
  ///   connection; `.limitExceeded`.
  init(
    _ records: ArraySlice<UInt8>, connections: inout ROS1BagConnections, limit: Int
  ) throws(CaptureReadingError) {
    var known = connections
    var cursor = ByteReader(records, endianness: .little, path: ["chunk"])
    while !cursor.isAtEnd {
      let offset = cursor.offset - records.startIndex
      let record = try ROS1BagRecord(&cursor)
      switch try record.header.opcode() {
      case .connection: try known.add(record.header, record.data)
      case .message:
        guard entries.count < limit else {
          throw CaptureReadingError(
            .limitExceeded, path: ["messages"], offset: cursor.offset,
            expected: "fewer messages", found: "over \(limit) more")
        }
        entries.append(try Self.entry(record.header, at: offset, known))
      default:
        throw cursor.malformed(
          expected: "connections and messages in a chunk", found: "another record")
      }
    }
    connections = known
  }

  /// The entry of a message.
  ///
  /// - Throws: `.malformed` for a message of an undeclared connection.
  static func entry(
    _ header: ROS1BagHeader, at offset: Int, _ connections: ROS1BagConnections
  ) throws(CaptureReadingError) -> ROS1BagEntry {
    let entry = ROS1BagEntry(
      time: try header.time("time"), connection: try header.uint32("conn"), offset: offset)
    guard connections.contains(entry.connection) else {
      throw CaptureReadingError(
        .malformed, path: ["message data"], offset: offset,
        expected: "messages of declared connections",
        found: "one of connection \(entry.connection), which nothing declares")
    }
    return entry
  }

  /// Reads the index records behind a chunk.
  ///
  /// - Parameters:
  ///   - bytes: All bytes between the chunk and the next one.
  ///   - connections: The wanted connections; entries of others are skipped.
  ///   - size: The size of the chunk's records, which bounds the offsets.
  /// - Returns: The entries in the order of the file.
  /// - Throws: `.malformed` for anything but index records of version 1.
  /// - Source: wiki.ros.org/Bags/Format/2.0, "Index data".
  static func indexed(
    _ bytes: ByteReader, connections: Set<UInt32>, size: Int
  ) throws(CaptureReadingError) -> [ROS1BagEntry] {
    var cursor = bytes
    var entries: [ROS1BagEntry] = []
    while !cursor.isAtEnd {
      let record = try ROS1BagRecord(&cursor)
      let count = Int(try record.header.uint32("count"))
      guard try record.header.opcode() == .indexData, try record.header.uint32("ver") == 1,
        record.data.count == count * ROS1BagLayout.indexEntryBytes
      else { throw cursor.malformed(expected: "an index of messages", found: "another record") }
      let connection = try record.header.uint32("conn")
      guard connections.contains(connection) else { continue }
      var fields = ByteReader(record.data, endianness: .little, path: ["index data"])
      for _ in 0..<count {
        let time = try fields.readROS1Time()
        let offset = Int(try fields.readUInt32("an offset"))
        guard offset < size else {
          throw fields.malformed(expected: "an offset below \(size)", found: "\(offset)")
        }
        entries.append(ROS1BagEntry(time: time, connection: connection, offset: offset))
      }
    }
    return entries
  }
}
