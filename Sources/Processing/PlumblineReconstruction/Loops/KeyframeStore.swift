internal import PlumblineModel

/// The keyframes of a scan: frames that moved or turned far enough since the last one.
///
/// Memory is bounded: ``limit`` keyframes of at most 200 KiB. When they are full every second one is dropped, and
/// those that follow are twice as far apart.
package struct KeyframeStore: Sendable {
  /// The keyframes in the order of their frames.
  package private(set) var keyframes: [Keyframe] = []
  /// The distance from the last keyframe in meters, at first 0.12 m.
  package private(set) var distanceMeters = 0.12
  /// The rotation from the last keyframe in radians, at first 10°.
  package private(set) var angleRadians = 10 * Double.pi / 180
  /// How many there can be: 2,048 of them take 300 MiB and reach 245 m.
  package let limit: Int

  /// Creates a store without keyframes.
  ///
  /// - Precondition: The limit is at least 2.
  package init(limit: Int = 2048) {
    precondition(limit >= 2, "a store of \(limit) keyframes")
    self.limit = limit
  }

  /// Keeps a fused frame if it is the first of its surface or moved far enough.
  package mutating func add(_ tracked: TrackedFrame, _ frame: ScanFrame) {
    guard tracked.isFused, let estimate = tracked.estimate else { return }
    var passed = (meters: 0.0, radians: 0.0)
    if let last = keyframes.last {
      let motion = Self.motion(from: last, to: tracked, estimate)
      let (meters, radians) = (motion?.distanceMeters ?? 0, motion?.angleRadians ?? 0)
      guard
        last.fragment != tracked.fragment || meters >= distanceMeters || radians >= angleRadians
      else { return }
      passed = (last.passedMeters + meters, last.passedRadians + radians)
    }
    keyframes.append(
      Keyframe(
        index: tracked.index, fragment: tracked.fragment, estimate: estimate,
        frame: frame.thinned(toSide: Keyframe.maximumSide), passedMeters: passed.meters,
        passedRadians: passed.radians))
    if keyframes.count > limit { thin() }
  }

  /// The poses of the last keyframes of a surface, in their order.
  func latestPoses(of fragment: Int, count: Int) -> [RigidTransform] {
    keyframes.suffix(count).filter { $0.fragment == fragment }.map(\.estimate.aFromB)
  }

  /// The motion from a keyframe; between two surfaces the recorded one, `nil` without it.
  private static func motion(
    from last: Keyframe, to tracked: TrackedFrame, _ estimate: PoseEstimate
  ) -> RigidTransform? {
    if last.fragment == tracked.fragment {
      return last.estimate.aFromB.inverse * estimate.aFromB
    }
    guard let before = last.frame.worldFromCamera, let now = tracked.recordedWorldFromCamera
    else { return nil }
    return before.inverse * now
  }

  /// Drops every second keyframe of each surface, the first of each being kept.
  private mutating func thin() {
    distanceMeters *= 2
    angleRadians *= 2
    var fragment: Int?
    var isKept = false
    keyframes = keyframes.filter { keyframe in
      isKept = keyframe.fragment != fragment || !isKept
      fragment = keyframe.fragment
      return isKept
    }
  }
}
