import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The two lists of motion beside an AVFoundation dump: lines `T x y z`, `T` in milliseconds.
///
/// Accelerations are Apple's counted in m/s², their sign kept: at rest upright they read −9.8 along
/// y, so the force that is felt is their negative. Turn rates are in radians per second.
enum DumpedMotion {
  static let accelerometer = "Accelerometer.txt"
  static let gyroscope = "Gyroscope.txt"
  static let files = [accelerometer, gyroscope]

  /// A reader of both lists; `nil` when neither is there.
  static func reader(_ folder: any CaptureFolder, limits: ReadingLimits) -> Recording.MotionReader?
  {
    let names = folder.fileNames
    let present = files.filter(names.contains)
    guard !present.isEmpty else { return nil }
    return { () throws(CaptureReadingError) -> [MotionSample] in
      var samples: [MotionSample] = []
      for name in present {
        let lines = try NumberLines(folder.bytes(of: name), limits: limits, path: name).lines
        for (index, fields) in lines.enumerated() {
          guard fields.count == 4, let n = fields.numbers else {
            throw CaptureReadingError(
              .malformed, path: [name, "line \(index + 1)"], expected: "T x y z",
              found: printable(text: fields.joined(separator: " ").prefix(60)))
          }
          var sample = MotionSample(timestampSeconds: n[0] / 1000)
          let vector = SIMD3(n[1], n[2], n[3])
          if name == accelerometer {
            sample.specificForce = -vector
          } else {
            sample.rotationRate = vector
          }
          // The app's lists repeat a reading now and then.
          if samples.last != sample { samples.append(sample) }
        }
      }
      // Equal times keep the order of the lists.
      return samples.sortedByTime(\.timestampSeconds)
    }
  }
}
