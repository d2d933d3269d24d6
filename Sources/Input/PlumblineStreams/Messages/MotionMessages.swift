package import PlumblineIO
package import PlumblineModel

/// A sample of motion sensors, `sensor_msgs/msg/Imu`, in the axes of its frame.
///
/// - Source: REP 145 (specific force: +9.81 m/s² at rest along an axis that points up; a first
///   covariance of −1 means "not measured").
package struct ImuMessage: ROSMessage {
  package static let name = "sensor_msgs/msg/Imu"
  package static let definition = ROSDefinition.text(
    """
    std_msgs/Header header
    geometry_msgs/Quaternion orientation
    float64[9] orientation_covariance
    geometry_msgs/Vector3 angular_velocity
    float64[9] angular_velocity_covariance
    geometry_msgs/Vector3 linear_acceleration
    float64[9] linear_acceleration_covariance
    """,
    with: ROSDefinition.header + [ROSDefinition.quaternion, ROSDefinition.vector])

  package var header: ROSHeader
  /// The quaternion x, y, z, w; `nil` if not measured.
  package var orientation: SIMD4<Double>?
  /// In rad/s; `nil` if not measured.
  var angularVelocity: SIMD3<Double>?
  /// In m/s², gravity included; `nil` if not measured.
  var linearAcceleration: SIMD3<Double>?

  /// The message for a sample; a mirrored orientation is omitted, since no quaternion can represent
  /// it.
  package init(header: ROSHeader, _ sample: MotionSample) {
    self.header = header
    orientation = sample.worldFromSensor.flatMap { $0.determinant > 0 ? $0.quaternion : nil }
    angularVelocity = sample.rotationRate
    linearAcceleration = sample.specificForce
  }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    header = try ROSHeader(from: &reader)
    let rotation = try reader.readDoubles(count: 4, "the orientation")
    orientation =
      try Self.isMeasured(&reader) ? [rotation[0], rotation[1], rotation[2], rotation[3]] : nil
    let rate = try reader.readDoubles(count: 3, "the angular velocity")
    angularVelocity = try Self.isMeasured(&reader) ? [rate[0], rate[1], rate[2]] : nil
    let force = try reader.readDoubles(count: 3, "the linear acceleration")
    linearAcceleration = try Self.isMeasured(&reader) ? [force[0], force[1], force[2]] : nil
  }

  private static func isMeasured(_ reader: inout CDRReader) throws(CaptureReadingError) -> Bool {
    try reader.readDoubles(count: 9, "a covariance")[0] != -1
  }

  package func write(to writer: inout CDRWriter) {
    // Zeros mean "unknown covariance", −1 means "not measured".
    func covariance(_ isMeasured: Bool) -> [Double] {
      [isMeasured ? 0 : -1] + [Double](repeating: 0, count: 8)
    }
    header.write(to: &writer)
    let rotation = orientation ?? [0, 0, 0, 1]
    writer.write(array: [rotation.x, rotation.y, rotation.z, rotation.w])
    writer.write(array: covariance(orientation != nil))
    let rate = angularVelocity ?? .zero
    writer.write(array: [rate.x, rate.y, rate.z])
    writer.write(array: covariance(angularVelocity != nil))
    let force = linearAcceleration ?? .zero
    writer.write(array: [force.x, force.y, force.z])
    writer.write(array: covariance(linearAcceleration != nil))
  }

  /// The sample of the message; non-finite values count as not measured.
  package var sample: MotionSample {
    var sample = MotionSample(timestampSeconds: header.stamp.inSeconds)
    let isFinite = { (v: SIMD3<Double>) in v.x.isFinite && v.y.isFinite && v.z.isFinite }
    sample.rotationRate = angularVelocity.flatMap { isFinite($0) ? $0 : nil }
    sample.specificForce = linearAcceleration.flatMap { isFinite($0) ? $0 : nil }
    sample.worldFromSensor = orientation.flatMap { Rotation(quaternion: $0) }
    return sample
  }
}

/// A list of transforms between frames, `tf2_msgs/msg/TFMessage`.
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
    // A stamp, two string lengths and seven numbers.
    let count = try reader.readCount("transforms", minimumBytes: 72, atMost: 4096)
    transforms = []
    for _ in 0..<count { transforms.append(try StampedTransform(from: &reader)) }
  }

  package func write(to writer: inout CDRWriter) {
    writer.write(UInt32(transforms.count))
    for transform in transforms { transform.write(to: &writer) }
  }
}

/// The pose of one frame in another at a time, `geometry_msgs/TransformStamped`: `parentFromChild`,
/// in meters.
package struct StampedTransform: Hashable, Sendable {
  /// The time and the parent frame.
  package var header: ROSHeader
  package var child: String
  package var translation: SIMD3<Double>
  /// The quaternion x, y, z, w.
  package var rotation: SIMD4<Double>

  /// The message for a transform; `nil` for a reflection, which no quaternion can represent.
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
