package import PlumblineModel
internal import PlumblineNumerics

/// What the loops of a path say of it: the poses that agree best, and how far the path had drifted.
package struct LoopClosure: Sendable {
  /// A place that was seen again.
  package struct Loop: Hashable, Sendable {
    /// The frame that saw it first, as the trajectory counts.
    package var first: Int
    /// The frame that saw it again.
    package var second: Int
    /// The pose of the second camera in the first, as registered.
    package var firstFromSecond: RigidTransform
    /// The length of the path between both, from keyframe to keyframe, in meters.
    package var pathMeters: Double
    /// One standard deviation of that pose's translation, in the direction that is known the least, in meters.
    package var sigmaMeters: Double
    /// How far the second camera is from there by the tracked poses, in meters; `nil` between two surfaces.
    package var trackedMeters: Double?
    /// The same by the recorded poses; `nil` without them.
    package var recordedMeters: Double?
    /// The same by the corrected poses.
    package var correctedMeters: Double
    /// Whether it agrees with the rest; a rejected loop corrects nothing.
    package var isKept: Bool
  }

  /// The loops that were registered both ways, by their second frame.
  package var loops: [Loop]
  /// The pairs of keyframes that seemed to see the same place and did not fit.
  package var misfitCount: Int
  /// The keyframes, as the trajectory counts, ascending.
  package var keyframes: [Int]
  /// Their poses, relative to the first one of their surface: the corrected ones where a loop was kept.
  package var worldFromKeyframes: [PoseEstimate]
  /// The surface that each fragment belongs to, now that loops join some.
  package var surfaces: [Int]
  /// How far a correction moves what a keyframe sees at its median depth, at most, in meters.
  package var movedMeters: Double

  /// The kept loop with the longest path that is measured to 1 cm in all directions, which shows the drift; where no
  /// loop is, the one that is measured best.
  package var longest: Loop? {
    let kept = loops.filter(\.isKept)
    return kept.filter { $0.sigmaMeters <= 0.01 }.max { $0.pathMeters < $1.pathMeters }
      ?? kept.min { $0.sigmaMeters < $1.sigmaMeters }
  }

  /// Whether fragments became one surface.
  package var joinsFragments: Bool { Set(surfaces).count < surfaces.count }
}

extension Trajectory {
  /// The trajectory at the corrected poses of its keyframes, with the surfaces that loops join.
  ///
  /// Frames between two keyframes of a fragment share their corrections; see ``TrajectoryCorrection``. Linear in
  /// the frames.
  package func corrected(by closure: LoopClosure) -> Trajectory {
    var copy = self
    for fragment in closure.surfaces.indices {
      let fused = frames.indices.filter { frames[$0].isFused && frames[$0].fragment == fragment }
      let places = Dictionary(uniqueKeysWithValues: fused.enumerated().map { ($1, $0) })
      let keyframes = closure.keyframes.indices.filter { places[closure.keyframes[$0]] != nil }
      let path = fused.compactMap { frames[$0].estimate?.aFromB }
      guard !keyframes.isEmpty, path.count == fused.count else { continue }
      let estimates = TrajectoryCorrection(
        keyframes: keyframes.compactMap { places[closure.keyframes[$0]] },
        worldFromKeyframes: keyframes.map { closure.worldFromKeyframes[$0] }
      ).applied(to: path)
      for (frame, estimate) in zip(fused, estimates) { copy.frames[frame].estimate = estimate }
    }
    for frame in copy.frames.indices where frames[frame].fragment < closure.surfaces.count {
      copy.frames[frame].fragment = closure.surfaces[frames[frame].fragment]
    }
    return copy
  }
}
