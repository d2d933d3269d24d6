import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The list `motion-data.json` beside StandardCyborg's frames: Core Motion's device motion, 100 Hz.
///
/// - Source: Apple, *CMDeviceMotion*: gravity and user acceleration add up to the device's
///   acceleration, in g, pointing to the ground at rest; the attitude is against a frame whose z axis
///   is vertical.
enum StandardCyborgMotion {
  static let file = "motion-data.json"

  /// A reader of the list; `nil` when it is not there.
  static func reader(_ folder: any CaptureFolder, limits: ReadingLimits) -> Recording.MotionReader?
  {
    guard folder.fileNames.contains(file) else { return nil }
    return { () throws(CaptureReadingError) -> [MotionSample] in
      let root = try RecordedJSON(
        parsing: folder.bytes(of: file)[...], limits: limits, path: [file])
      guard let elements = root.elements else {
        throw CaptureReadingError(
          .malformed, path: [file], expected: "a list of readings", found: root.kind)
      }
      var samples: [MotionSample] = []
      samples.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        guard let time = element["timestamp"]?.number else {
          throw CaptureReadingError(
            .malformed, path: [file, "\(index)"], expected: "a timestamp", found: element.kind)
        }
        var sample = MotionSample(timestampSeconds: time)
        sample.rotationRate = vector(element, "rotation")
        if let gravity = vector(element, "gravity"), let user = vector(element, "acceleration") {
          sample.specificForce = -(gravity + user) * MotionSample.standardGravity
        }
        if let v = vector(element, "attitude"), let w = element["attitude_w"]?.number {
          sample.worldFromSensor = Rotation(quaternion: SIMD4(v, w))
        }
        samples.append(sample)
      }
      return samples.sortedByTime(\.timestampSeconds)
    }
  }

  private static func vector(_ element: RecordedJSON, _ name: String) -> SIMD3<Double>? {
    let parts = ["x", "y", "z"].compactMap { element["\(name)_\($0)"]?.number }
    return parts.count == 3 ? SIMD3(parts[0], parts[1], parts[2]) : nil
  }
}
