package import PlumblineIO
package import PlumblineModel

/// A number, `std_msgs/msg/Float32`.
package struct FloatMessage: ReadableROSMessage {
  package static let name = "std_msgs/msg/Float32"

  package let value: Float

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    value = Float(bitPattern: try reader.readUInt32("a number"))
  }
}

/// A name and its value as texts, `diagnostic_msgs/msg/KeyValue`.
package struct KeyValueMessage: ReadableROSMessage {
  package static let name = "diagnostic_msgs/msg/KeyValue"

  package let key: String
  package let value: String

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    key = try reader.readString("the key")
    value = try reader.readString("the value")
  }
}

/// A transform without time and frames, `geometry_msgs/msg/Transform`, in meters.
package struct PlainTransformMessage: ReadableROSMessage {
  package static let name = "geometry_msgs/msg/Transform"

  /// `nil` for numbers that are not finite or no rotation.
  package let transform: RigidTransform?

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    let place = try reader.readDoubles(count: 3, "the translation")
    let turn = try reader.readDoubles(count: 4, "the rotation")
    let isFinite = (place + turn).allSatisfy { $0.isFinite && abs($0) < 1e6 }
    transform =
      isFinite
      ? Rotation(quaternion: [turn[0], turn[1], turn[2], turn[3]]).map {
        RigidTransform(rotation: $0, translation: [place[0], place[1], place[2]])
      } : nil
  }
}
