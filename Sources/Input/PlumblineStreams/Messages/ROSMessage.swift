package import PlumblineIO

/// One kind of ROS 2 message: its definition in words of ROS, and its bytes.
package protocol ROSMessage: Sendable {
  /// The package and the name, such as `sensor_msgs/msg/Image`.
  static var name: String { get }
  /// The fields, and those of all types inside, as the schema encoding `ros2msg` wants them.
  static var definition: String { get }

  /// Reads the fields in their order.
  ///
  /// - Throws: ``CaptureReadingError`` for bytes that are no such message.
  init(from reader: inout CDRReader) throws(CaptureReadingError)

  /// About how many bytes it has, so that they are put together without being moved.
  var byteCountEstimate: Int { get }

  /// Writes the fields in their order.
  func write(to writer: inout CDRWriter)
}

extension ROSMessage {
  package var byteCountEstimate: Int { 512 }

  /// Reads a message with its encapsulation.
  package init(_ bytes: ArraySlice<UInt8>, topic: String) throws(CaptureReadingError) {
    var reader = try CDRReader(bytes, path: [printable(text: topic)])
    try self.init(from: &reader)
  }

  /// The message with its encapsulation.
  package var bytes: [UInt8] {
    var writer = CDRWriter(capacity: byteCountEstimate)
    write(to: &writer)
    return writer.bytes
  }
}

/// The definitions of messages, put together from their parts.
///
/// - Source: The format registry of MCAP, *ros2msg*: the definitions of all types inside follow
///   that of the message, each behind a line of 80 `=` and a line `MSG: package/Name`.
enum ROSDefinition {
  /// A definition with those of the types inside it.
  static func text(_ fields: String, with types: [(name: String, fields: String)]) -> String {
    types.reduce(fields + "\n") { text, type in
      text + String(repeating: "=", count: 80) + "\nMSG: \(type.name)\n\(type.fields)\n"
    }
  }

  /// The types that `std_msgs/Header` brings.
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
  /// The frame that the message's numbers are in.
  package var frame: String

  package init(stamp: ROSTime, frame: String) {
    self.stamp = stamp
    self.frame = frame
  }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    let seconds = try reader.readInt32("the stamp's seconds")
    let nanoseconds = try reader.readUInt32("the stamp's nanoseconds")
    stamp = ROSTime(seconds: seconds, nanoseconds: nanoseconds)
    // REP 103 names frames without a leading slash; older bags still have it.
    let name = try reader.readString("the frame's name")
    frame = name.hasPrefix("/") ? String(name.dropFirst()) : name
  }

  package func write(to writer: inout CDRWriter) {
    writer.write(stamp.seconds)
    writer.write(stamp.nanoseconds)
    writer.write(frame)
  }
}

/// A moment as ROS writes it, `builtin_interfaces/Time`.
package struct ROSTime: Hashable, Sendable {
  package var seconds: Int32
  /// From 0 to 999,999,999 in sound files.
  package var nanoseconds: UInt32

  package init(seconds: Int32, nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The moment nearest to a time in seconds; `nil` for one that is no number, before the clock's
  /// start or after its 31 bits of seconds.
  package init?(_ seconds: Double) {
    guard seconds >= 0, seconds < Double(Int32.max) else { return nil }
    self.init(nanosecondCount: UInt64((seconds * 1e9).rounded()))
  }

  /// A moment by its nanoseconds since the clock's start.
  ///
  /// - Precondition: Its seconds fit 31 bits.
  package init(nanosecondCount count: UInt64) {
    self.init(seconds: Int32(count / 1_000_000_000), nanoseconds: UInt32(count % 1_000_000_000))
  }

  /// Seconds since the clock's start, rounded once.
  package var inSeconds: Double { Double(nanosecondCount) / 1e9 }

  /// Nanoseconds since the clock's start; a stamp before it counts below 0.
  package var nanosecondCount: Int64 { Int64(seconds) * 1_000_000_000 + Int64(nanoseconds) }
}

extension MCAPFile {
  /// The channels with messages of a ROS type in CDR, by ascending identifier.
  package func channels(of type: any ROSMessage.Type) -> [MCAPChannel] {
    channels.values.filter {
      $0.messageEncoding == "cdr" && schemas[$0.schemaID]?.name == type.name
    }.sorted { $0.id < $1.id }
  }
}
