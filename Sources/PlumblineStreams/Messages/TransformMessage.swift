package import PlumblineIO
package import PlumblineModel

/// Some transforms between frames, `tf2_msgs/msg/TFMessage`.
package struct TransformMessage: ROSMessage {
  package static let name = "tf2_msgs/msg/TFMessage"
  package static let definition = ROSDefinition.text(
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

  package var transforms: [StampedTransform]

  package init(_ transforms: [StampedTransform]) { self.transforms = transforms }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    // A stamp, two lengths and seven numbers.
    let count = try reader.readCount("transforms", minimumBytes: 72, atMost: 4096)
    transforms = []
    for _ in 0..<count { transforms.append(try StampedTransform(from: &reader)) }
  }

  package func write(to writer: inout CDRWriter) {
    writer.write(UInt32(transforms.count))
    for transform in transforms { transform.write(to: &writer) }
  }
}

/// Where one frame stands in another at a time, `geometry_msgs/TransformStamped`: `parentFromChild`,
/// in meters.
package struct StampedTransform: Hashable, Sendable {
  /// The time and the parent.
  package var header: ROSHeader
  package var child: String
  package var translation: SIMD3<Double>
  /// x, y, z, w.
  package var rotation: SIMD4<Double>

  /// A transform as a message; `nil` for a mirror, which no quaternion holds.
  package init?(header: ROSHeader, child: String, _ parentFromChild: RigidTransform) {
    guard parentFromChild.rotation.determinant > 0 else { return nil }
    self.header = header
    self.child = child
    translation = parentFromChild.translation
    rotation = parentFromChild.rotation.quaternion
  }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    header = try ROSHeader(from: &reader)
    let name = try reader.readString("the child's name")
    child = name.hasPrefix("/") ? String(name.dropFirst()) : name
    let place = try reader.readDoubles(count: 3, "the translation")
    translation = [place[0], place[1], place[2]]
    let turn = try reader.readDoubles(count: 4, "the rotation")
    rotation = [turn[0], turn[1], turn[2], turn[3]]
  }

  package func write(to writer: inout CDRWriter) {
    header.write(to: &writer)
    writer.write(child)
    writer.write(array: [translation.x, translation.y, translation.z])
    writer.write(array: [rotation.x, rotation.y, rotation.z, rotation.w])
  }
}
