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
