/// Builds bags of ROS 1 byte by byte, sound ones and such as crashed recorders leave.
///
/// - Source: wiki.ros.org/Bags/Format/2.0; shares no code with the reader.
package struct ROS1BagBuilder {
  /// The name of the compression that chunks state.
  package var compression = "none"
  /// Compresses the records of a chunk.
  package var compress: ([UInt8]) -> [UInt8] = { $0 }
  /// Further fields of the bag header, such as an encryption.
  package var headerFields: [(name: String, value: [UInt8])] = []

  private typealias Entry = (time: UInt64, offset: Int)

  private var body: [UInt8] = []
  private var records: [UInt8] = []
  private var entries: [UInt32: [Entry]] = [:]
  private var connections: [(record: [UInt8], topic: String)] = []
  private var chunkInfos: [[UInt8]] = []
  private static let start = 13 + 4096

  /// An empty bag.
  package init() {}

  /// Declares a connection; one topic may have several.
  package mutating func connect(_ topic: String, _ type: String) -> UInt32 {
    let number = UInt32(connections.count)
    let data = Self.fields([
      ("topic", Array(topic.utf8)), ("type", Array(type.utf8)), ("md5sum", Array("*".utf8)),
      ("message_definition", []),
    ])
    let header: [(String, [UInt8])] = [
      ("op", [7]), ("conn", Self.number(number)), ("topic", Array(topic.utf8)),
    ]
    connections.append((Self.record(header, data), topic))
    records += connections[Int(number)].record
    return number
  }

  /// Appends a message to the open chunk.
  package mutating func add(_ connection: UInt32, time: UInt64, _ payload: [UInt8]) {
    entries[connection, default: []].append((time, records.count))
    let header: [(String, [UInt8])] = [
      ("op", [2]), ("conn", Self.number(connection)), ("time", Self.time(time)),
    ]
    records += Self.record(header, payload)
  }

  /// Closes the open chunk and writes its index.
  package mutating func closeChunk() {
    let position = UInt64(Self.start + body.count)
    let header: [(String, [UInt8])] = [
      ("op", [5]), ("compression", Array(compression.utf8)),
      ("size", Self.number(UInt32(records.count))),
    ]
    body += Self.record(header, compress(records))
    let times = entries.values.joined().map(\.time)
    var counts: [UInt8] = []
    for (connection, entries) in entries.sorted(by: { $0.key < $1.key }) {
      let data = entries.flatMap { Self.time($0.time) + Self.number(UInt32($0.offset)) }
      body += Self.record(
        [
          ("op", [4]), ("ver", Self.number(UInt32(1))), ("conn", Self.number(connection)),
          ("count", Self.number(UInt32(entries.count))),
        ], data)
      counts += Self.number(connection) + Self.number(UInt32(entries.count))
    }
    chunkInfos.append(
      Self.record(
        [
          ("op", [6]), ("ver", Self.number(UInt32(1))), ("chunk_pos", Self.number(position)),
          ("start_time", Self.time(times.min() ?? 0)), ("end_time", Self.time(times.max() ?? 0)),
          ("count", Self.number(UInt32(entries.count))),
        ], counts))
    records = []
    entries = [:]
  }

  /// The file with its index.
  package mutating func indexed() -> [UInt8] {
    if !records.isEmpty { closeChunk() }
    let index = connections.flatMap(\.record) + chunkInfos.flatMap { $0 }
    return head(indexPosition: UInt64(Self.start + body.count), chunkInfos.count) + body + index
  }

  /// The file of a recorder that crashed: no index, and the open chunk without its sizes.
  package func unfinished() -> [UInt8] {
    var open: [UInt8] = []
    if !records.isEmpty {
      let header: [(String, [UInt8])] = [
        ("op", [5]), ("compression", Array(compression.utf8)), ("size", Self.number(UInt32(0))),
      ]
      open = Self.record(header, []) + records
    }
    return head(indexPosition: 0, 0) + body + open
  }

  private func head(indexPosition: UInt64, _ chunks: Int) -> [UInt8] {
    let count = indexPosition == 0 ? 0 : connections.count
    let header = Self.fields(
      [
        ("op", [3]), ("index_pos", Self.number(indexPosition)),
        ("conn_count", Self.number(UInt32(count))), ("chunk_count", Self.number(UInt32(chunks))),
      ] + headerFields)
    let padding = [UInt8](repeating: 0x20, count: 4096 - 8 - header.count)
    return Array("#ROSBAG V2.0\n".utf8) + Self.number(UInt32(header.count)) + header
      + Self.number(UInt32(padding.count)) + padding
  }

  private static func record(_ header: [(String, [UInt8])], _ data: [UInt8]) -> [UInt8] {
    let header = fields(header)
    return number(UInt32(header.count)) + header + number(UInt32(data.count)) + data
  }

  private static func fields(_ fields: [(String, [UInt8])]) -> [UInt8] {
    fields.flatMap { name, value in
      number(UInt32(name.utf8.count + 1 + value.count)) + Array(name.utf8) + [0x3D] + value
    }
  }

  private static func time(_ nanoseconds: UInt64) -> [UInt8] {
    number(UInt32(nanoseconds / 1_000_000_000)) + number(UInt32(nanoseconds % 1_000_000_000))
  }

  private static func number(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

/// The fields of one message of ROS 1: little-endian, without padding.
package struct ROS1Payload {
  /// The message so far.
  package private(set) var bytes: [UInt8] = []

  /// An empty message.
  package init() {}

  /// A message that starts with a header.
  package init(stamp nanoseconds: UInt64, frame: String, sequence: UInt32 = 9) {
    add(sequence)
    add(UInt32(nanoseconds / 1_000_000_000))
    add(UInt32(nanoseconds % 1_000_000_000))
    add(frame)
  }

  /// Appends an integer.
  package mutating func add(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  /// Appends a number in single precision.
  package mutating func add(_ number: Float) { add(number.bitPattern) }

  /// Appends numbers in double precision without their count.
  package mutating func add(_ numbers: [Double]) {
    for number in numbers { add(number.bitPattern) }
  }

  /// Appends a text with its length.
  package mutating func add(_ text: String) {
    add(UInt32(text.utf8.count))
    bytes += Array(text.utf8)
  }

  /// Appends bytes with their count.
  package mutating func add(counted data: [UInt8]) {
    add(UInt32(data.count))
    bytes += data
  }
}
