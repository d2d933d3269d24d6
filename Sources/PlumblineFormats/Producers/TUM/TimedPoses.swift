import PlumblineModel

/// Camera poses by their time: lines `t tx ty tz qx qy qz qw`.
///
/// - Source: TUM RGB-D, File formats: the camera's optical center in the world, so `worldFromCamera`.
struct TimedPoses {
  private var times: [Double] = []
  private var poses: [RigidTransform] = []

  /// Reads lines; those that hold no pose are added to `damaged`.
  init(_ lines: [[Substring]], _ damaged: inout [String]) {
    var entries: [(Double, RigidTransform)] = []
    for fields in lines {
      guard fields.count == 8, let n = NumberLines.numbers(fields[...]),
        let rotation = Rotation(quaternion: [n[4], n[5], n[6], n[7]]),
        n[1...3].allSatisfy({ abs($0) <= 1e9 })
      else {
        damaged.append(fields.joined(separator: " "))
        continue
      }
      entries.append(
        (n[0], RigidTransform(rotation: rotation, translation: [n[1], n[2], n[3]])))
    }
    for (time, pose) in entries.sorted(by: { $0.0 < $1.0 }) {
      times.append(time)
      poses.append(pose)
    }
  }

  /// The pose nearest in time, within 20 ms.
  func nearest(_ seconds: Double) -> RigidTransform? {
    let next = times.firstSortedIndex(notBelow: seconds)
    let best = [next - 1, next].filter(times.indices.contains).min {
      abs(times[$0] - seconds) < abs(times[$1] - seconds)
    }
    guard let best, abs(times[best] - seconds) <= TUMLists.greatestDifference else { return nil }
    return poses[best]
  }
}
