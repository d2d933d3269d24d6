public import PlumblineModel

/// The motion of a camera through a recording, and the jumps of its tracking.
public struct TrajectoryAssessment: Sendable {
  /// A step that no hand makes.
  public struct Jump: Sendable {
    /// The frame after the jump.
    public var frame: String
    /// The distance of the camera from its extrapolated position, in meters.
    public var meters: Double
    /// The angle of the camera to its extrapolated orientation, in degrees.
    public var degrees: Double
  }

  /// A step is a jump from this many times the usual deviation from an even motion.
  ///
  /// A choice: deviations of handheld cameras have heavy tails; 3 or 5 would find jumps in every
  /// recording.
  static let unusualFactor = 10.0
  /// And from this many meters: ARKit's own drift between two frames is millimeters.
  static let leastMeters = 0.03
  /// Or from this many degrees.
  static let leastDegrees = 3.0

  /// The number of frames with a pose.
  public var poseCount: Int
  /// The frames without one, where others have one; of frames that cannot be read that is unknown.
  public var untrackedFrames: [String]
  /// The length of the camera's path in meters, jumps included.
  public var pathMeters: Double
  /// The jumps of the tracking, in the order of time.
  public var jumps: [Jump]
  /// Whether all poses are the same, as apps write that do not track.
  public var isStill: Bool

  /// Looks at the poses of all frames; O(*n* log *n*).
  ///
  /// The motion from one frame to the next is compared with that before it: what a camera with mass
  /// does not do is change its velocity by a multiple of what is usual in the recording.
  package init(_ frames: [FrameFacts]) {
    let posed = frames.compactMap { frame in frame.worldFromCamera.map { (frame.name, $0) } }
    poseCount = posed.count
    untrackedFrames =
      posed.isEmpty
      ? []
      : frames.filter { $0.worldFromCamera == nil && $0.problem == nil }.map(\.name)
    jumps = []
    isStill = posed.count > 1 && posed.allSatisfy { $0.1 == posed[0].1 }
    pathMeters = zip(posed, posed.dropFirst()).reduce(0) { sum, pair in
      sum + (pair.1.1.translation - pair.0.1.translation).length
    }
    guard posed.count > 3 else { return }
    var deviations: [(name: String, meters: Double, degrees: Double)] = []
    for index in 2..<posed.count {
      let (a, b, c) = (posed[index - 2].1, posed[index - 1].1, posed[index].1)
      let expected = b.translation + (b.translation - a.translation)
      let expectedTurn = b.rotation * a.rotation.inverse * b.rotation
      deviations.append(
        (
          posed[index].0, (c.translation - expected).length,
          (expectedTurn.inverse * c.rotation).angleDegrees
        ))
    }
    let usualMeters = deviations.map(\.meters).lowerMedian ?? 0
    let usualDegrees = deviations.map(\.degrees).lowerMedian ?? 0
    let mostMeters = max(Self.leastMeters, Self.unusualFactor * usualMeters)
    let mostDegrees = max(Self.leastDegrees, Self.unusualFactor * usualDegrees)
    var previousWasJump = false
    for step in deviations {
      let isJump = step.meters > mostMeters || step.degrees > mostDegrees
      // The step after a jump deviates as much, since the jump was its expectation.
      if isJump, !previousWasJump {
        jumps.append(Jump(frame: step.name, meters: step.meters, degrees: step.degrees))
        previousWasJump = true
      } else {
        previousWasJump = false
      }
    }
  }

  /// The findings about the poses.
  public var findings: [Finding] {
    var findings: [Finding] = []
    if let first = untrackedFrames.first {
      findings.append(
        Finding(
          .sequencePosesMissing, .caution,
          "\(untrackedFrames.count) of \(untrackedFrames.count + poseCount) frames have no pose",
          evidence: "first \(first)"))
    }
    if let meters = jumps.map(\.meters).max(), let degrees = jumps.map(\.degrees).max() {
      findings.append(
        Finding(
          .sequencePoseJumps, .caution,
          "tracking jumps at \(jumps.count.counting("frame")), by up to "
            + "\((meters * 100).fixed(1)) cm and \(degrees.fixed(1))°; "
            + "surfaces from both sides of a jump do not meet",
          evidence: jumps.prefix(5).map(\.frame).joined(separator: ", ")))
    }
    if isStill {
      findings.append(
        Finding(
          .sequencePosesStill, .note,
          "all \(poseCount) poses are the same: the app did not track the camera",
          evidence: "every pose equals the first"))
    }
    return findings
  }
}

extension Rotation {
  /// The angle of the rotation in degrees, 0 to 180.
  ///
  /// - Source: `2·asin(|R − 1|_F / √8)`, which keeps small angles exact where `acos` of the trace
  ///   does not.
  fileprivate var angleDegrees: Double {
    let difference = [x - [1, 0, 0], y - [0, 1, 0], z - [0, 0, 1]]
    let norm = difference.reduce(0) { $0 + ($1 * $1).sum() }.squareRoot()
    let half = min(1, norm / 8.0.squareRoot())
    return (.pi - 2 * arccosine(half)) * 180 / .pi
  }
}
