import PlumblineModel

/// Camera poses by their time.
struct TimedPoses: Sendable {
  private let times: NearestTime
  private let poses: [RigidTransform]

  /// Takes poses in any order; of equal times the first counts.
  init(_ poses: [(seconds: Double, worldFromCamera: RigidTransform)]) {
    times = NearestTime(poses.map(\.seconds))
    self.poses = poses.map(\.worldFromCamera)
  }

  /// The pose nearest to a time, the earlier of two as near.
  ///
  /// It is `nil` when none is within `tolerance` seconds. O(log *n*).
  func worldFromCamera(near seconds: Double, within tolerance: Double) -> RigidTransform? {
    times.index(near: seconds, within: tolerance).map { poses[$0] }
  }
}
