package import PlumblineIO

/// One type of ROS message that is read, with equal fields in ROS 1 and ROS 2.
package protocol ReadableROSMessage: Sendable {
  /// The package and the type name in ROS 2, such as `sensor_msgs/msg/Image`.
  static var name: String { get }

  /// Reads the fields in their order.
  ///
  /// - Throws: ``CaptureReadingError`` if the bytes are not such a message.
  init(from reader: inout CDRReader) throws(CaptureReadingError)
}

extension ReadableROSMessage {
  /// Reads a message of either serialization.
  package init(_ payload: ROSPayload, topic: String) throws(CaptureReadingError) {
    var reader = try CDRReader(payload, path: [printable(text: topic)])
    try self.init(from: &reader)
  }
}

/// One type of ROS message that is also written: its definition and its serialization in ROS 2.
package protocol ROSMessage: ReadableROSMessage {
  /// The fields, and those of all nested types, in the schema encoding `ros2msg`.
  static var definition: String { get }

  /// The approximate size in bytes, so that serialization needs no reallocation.
  var byteCountEstimate: Int { get }

  /// Writes the fields in their order.
  func write(to writer: inout CDRWriter)
}

extension ROSMessage {
  package var byteCountEstimate: Int { 512 }

  /// Reads a message that starts with its encapsulation header.
  package init(_ bytes: ArraySlice<UInt8>, topic: String) throws(CaptureReadingError) {
    var reader = try CDRReader(bytes, path: [printable(text: topic)])
    try self.init(from: &reader)
  }

  /// The message with its encapsulation header.
  package var bytes: [UInt8] {
    var writer = CDRWriter(capacity: byteCountEstimate)
    write(to: &writer)
    return writer.bytes
  }
}

/// The definitions of messages, composed of their parts.
///
/// - Source: MCAP's format registry, *ros2msg*: the definitions of all nested types follow that of
///   the message, each after a line of 80 `=` and a line `MSG: package/Name`.
enum ROSDefinition {
  /// A definition with those of its nested types.
  static func text(_ fields: String, with types: [(name: String, fields: String)]) -> String {
    types.reduce(fields + "\n") { text, type in
      text + String(repeating: "=", count: 80) + "\nMSG: \(type.name)\n\(type.fields)\n"
    }
  }

  /// The types that `std_msgs/Header` requires.
  static let header = [
    (name: "std_msgs/Header", fields: "builtin_interfaces/Time stamp\nstring frame_id"),
    (name: "builtin_interfaces/Time", fields: "int32 sec\nuint32 nanosec"),
  ]
  /// A vector.
  static let vector = (name: "geometry_msgs/Vector3", fields: "float64 x\nfloat64 y\nfloat64 z")
  /// A quaternion.
  static let quaternion = (
    name: "geometry_msgs/Quaternion", fields: "float64 x\nfloat64 y\nfloat64 z\nfloat64 w"
  )
}

/// The time and the frame of a message, `std_msgs/Header`.
package struct ROSHeader: Hashable, Sendable {
  package var stamp: ROSTime
  /// The frame in which the message's values are expressed.
  package var frame: String

  package init(stamp: ROSTime, frame: String) {
    self.stamp = stamp
    self.frame = frame
  }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    // ROS 2 dropped the sequence number.
    if reader.serialization == .ros1 { _ = try reader.readUInt32("the sequence number") }
    let seconds = try reader.readInt32("the stamp's seconds")
    let nanoseconds = try reader.readUInt32("the stamp's nanoseconds")
    stamp = ROSTime(seconds: seconds, nanoseconds: nanoseconds)
    // REP 103 names frames without a leading slash, but older bags have one.
    let name = try reader.readString("the frame's name")
    frame = name.hasPrefix("/") ? String(name.dropFirst()) : name
  }

  package func write(to writer: inout CDRWriter) {
    writer.write(stamp.seconds)
    writer.write(stamp.nanoseconds)
    writer.write(frame)
  }
}

/// A ROS time, `builtin_interfaces/Time`.
package struct ROSTime: Hashable, Sendable {
  package var seconds: Int32
  /// From 0 to 999,999,999 in valid files.
  package var nanoseconds: UInt32

  package init(seconds: Int32, nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The time nearest to a time in seconds; `nil` if that is not a number, before the clock's start
  /// or beyond its 31 bits of seconds.
  package init?(_ seconds: Double) {
    guard seconds >= 0, seconds < Double(Int32.max) else { return nil }
    self.init(nanosecondCount: UInt64((seconds * 1e9).rounded()))
  }

  /// Creates a time from nanoseconds since the clock's start.
  ///
  /// - Precondition: Its seconds fit 31 bits.
  package init(nanosecondCount count: UInt64) {
    self.init(seconds: Int32(count / 1_000_000_000), nanoseconds: UInt32(count % 1_000_000_000))
  }

  /// Seconds since the clock's start, rounded once.
  package var inSeconds: Double { Double(nanosecondCount) / 1e9 }

  /// Nanoseconds since the clock's start; negative for a time before it.
  package var nanosecondCount: Int64 { Int64(seconds) * 1_000_000_000 + Int64(nanoseconds) }
}

extension MCAPFile {
  /// The channels with CDR messages of a ROS type, by ascending identifier.
  package func channels(of type: any ROSMessage.Type) -> [MCAPChannel] {
    channels.values.filter {
      $0.messageEncoding == "cdr" && schemas[$0.schemaID]?.name == type.name
    }.sorted { $0.id < $1.id }
  }
}
