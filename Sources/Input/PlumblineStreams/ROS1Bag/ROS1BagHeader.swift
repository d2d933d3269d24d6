import PlumblineIO
import PlumblineModel

/// The kinds of records.
///
/// - Source: wiki.ros.org/Bags/Format/2.0, "Op codes".
enum ROS1BagOpcode: UInt8 {
  case message = 0x02
  case bagHeader, indexData, chunk, chunkInfo, connection

  /// The name in error messages.
  var name: String {
    switch self {
    case .message: "message data"
    case .bagHeader: "bag header"
    case .indexData: "index data"
    case .chunk: "chunk"
    case .chunkInfo: "chunk info"
    case .connection: "connection"
    }
  }
}

/// The constants of the container.
///
/// - Source: wiki.ros.org/Bags/Format/2.0.
enum ROS1BagLayout {
  /// The first line of a file.
  static let magic = Array("#ROSBAG V2.0\n".utf8)
  /// The first lines of all versions begin with one of these.
  static let families = ["#ROSBAG V", "#ROSRECORD V", "#ROSLOG V"].map { Array($0.utf8) }
  /// The maximum size of a record's header in bytes; writers need less than 100, connections as
  /// much as their topic's name.
  static let maximumHeaderBytes = 1 << 16
  /// The size of an index entry: a time and an offset.
  static let indexEntryBytes = 12
}

/// The fields `name=value` of a record's header, in any order.
///
/// - Source: wiki.ros.org/Bags/Format/2.0, "Headers"; numbers are little-endian, a time is its
///   seconds and its nanoseconds in 32 bits each.
struct ROS1BagHeader: Sendable {
  private let fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]
  private let path: [String]
  private let offset: Int

  /// Reads the fields; `bytes` are the whole header without its length, their indices offsets for
  /// errors.
  ///
  /// - Throws: `.malformed` if a field runs past the end or has no `=`.
  init(_ bytes: ArraySlice<UInt8>, path: [String]) throws(CaptureReadingError) {
    var cursor = ByteReader(bytes, endianness: .little, path: path)
    var fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
    while !cursor.isAtEnd {
      let count = Int(try cursor.readUInt32("the length of a header's field"))
      let field = try cursor.readBytes(count, as: "a header's field")
      guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else {
        throw cursor.malformed(
          expected: "a field name=value in a header", found: printable(field.prefix(16)))
      }
      fields.append((field[..<equals], field[(equals + 1)...]))
    }
    self.fields = fields
    self.path = path
    offset = bytes.startIndex
  }

  /// The bytes of a field, of two with one name the first; `nil` if it is absent.
  func value(_ name: String) -> ArraySlice<UInt8>? {
    fields.first { $0.name.elementsEqual(name.utf8) }?.value
  }

  /// A field of a fixed size.
  private func reader(
    _ name: String, bytes count: Int
  ) throws(CaptureReadingError) -> ByteReader {
    guard let value = value(name), value.count == count else {
      throw CaptureReadingError(
        .malformed, path: path, offset: offset,
        expected: "the header's field “\(name)” with \(count.counting("byte"))",
        found: value(name).map { "\($0.count)" } ?? "none")
    }
    return ByteReader(value, endianness: .little, path: path)
  }

  /// The kind of the record; a number without meaning here is `nil`.
  ///
  /// - Throws: `.malformed` without the field.
  func opcode() throws(CaptureReadingError) -> ROS1BagOpcode? {
    var reader = try reader("op", bytes: 1)
    return ROS1BagOpcode(rawValue: try reader.readUInt8())
  }

  /// An unsigned 32-bit number.
  func uint32(_ name: String) throws(CaptureReadingError) -> UInt32 {
    var reader = try reader(name, bytes: 4)
    return try reader.readUInt32()
  }

  /// An unsigned 64-bit number.
  func uint64(_ name: String) throws(CaptureReadingError) -> UInt64 {
    var reader = try reader(name, bytes: 8)
    return try reader.readUInt64()
  }

  /// A time in nanoseconds.
  func time(_ name: String) throws(CaptureReadingError) -> UInt64 {
    var reader = try reader(name, bytes: 8)
    return try reader.readROS1Time()
  }

  /// A text; invalid UTF-8 becomes replacement characters.
  ///
  /// - Throws: `.malformed` without the field.
  func text(_ name: String) throws(CaptureReadingError) -> String {
    guard let value = value(name) else {
      throw CaptureReadingError(
        .malformed, path: path, offset: offset, expected: "the header's field “\(name)”",
        found: "none")
    }
    return String(decoding: value, as: UTF8.self)
  }
}

extension ByteReader {
  /// Reads a time: seconds and nanoseconds, in nanoseconds.
  mutating func readROS1Time() throws(CaptureReadingError) -> UInt64 {
    let seconds = try readUInt32("a time's seconds")
    return UInt64(seconds) * 1_000_000_000 + UInt64(try readUInt32("a time's nanoseconds"))
  }
}
