import PlumblineModel

/// Some transforms between frames, `tf2_msgs/msg/TFMessage`.
struct TransformMessage: ROSMessage {
  static let name = "tf2_msgs/msg/TFMessage"
  static let definition = ROSDefinition.text(
    "geometry_msgs/TransformStamped[] transforms",
    with: [
      (
        name: "geometry_msgs/TransformStamped",
        fields: "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform"
      ),
      (
        name: "geometry_msgs/Transform",
        fields: "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation"
      ),
    ] + ROSDefinition.header + [ROSDefinition.vector, ROSDefinition.quaternion])

  var transforms: [StampedTransform]

  init(_ transforms: [StampedTransform]) { self.transforms = transforms }

  init(from reader: inout CDRReader) throws(CaptureReadingError) {
    // A stamp, two lengths and seven numbers.
    let count = try reader.readCount("transforms", minimumBytes: 72, atMost: 4096)
    transforms = []
    for _ in 0..<count { transforms.append(try StampedTransform(from: &reader)) }
  }

  func write(to writer: inout CDRWriter) {
    writer.write(UInt32(transforms.count))
    for transform in transforms { transform.write(to: &writer) }
  }
}

/// Where one frame stands in another at a time, `geometry_msgs/TransformStamped`: `parentFromChild`,
/// in meters.
struct StampedTransform: Hashable, Sendable {
  /// The time and the parent.
  var header: ROSHeader
  var child: String
  var translation: SIMD3<Double>
  /// x, y, z, w.
  var rotation: SIMD4<Double>

  /// A transform as a message; `nil` for a mirror, which no quaternion holds.
  init?(header: ROSHeader, child: String, _ parentFromChild: RigidTransform) {
    guard parentFromChild.rotation.determinant > 0 else { return nil }
    self.header = header
    self.child = child
    translation = parentFromChild.translation
    rotation = parentFromChild.rotation.quaternion
  }

  init(from reader: inout CDRReader) throws(CaptureReadingError) {
    header = try ROSHeader(from: &reader)
    let name = try reader.readString("the child's name")
    child = name.hasPrefix("/") ? String(name.dropFirst()) : name
    let place = try reader.readDoubles(count: 3, "the translation")
    translation = [place[0], place[1], place[2]]
    let turn = try reader.readDoubles(count: 4, "the rotation")
    rotation = [turn[0], turn[1], turn[2], turn[3]]
  }

  func write(to writer: inout CDRWriter) {
    header.write(to: &writer)
    writer.write(child)
    writer.write(array: [translation.x, translation.y, translation.z])
    writer.write(array: [rotation.x, rotation.y, rotation.z, rotation.w])
  }
}
