package import PlumblineModel

/// The poses of a scan's frames, in the order in which they came.
package struct Trajectory: Sendable {
  /// One for each frame that was given, tracked or not.
  package var frames: [TrackedFrame] = []

  /// No frames.
  package init() {}

  /// The length of the path of the fused frames in meters; steps between fragments do not count.
  package var pathLengthMeters: Double {
    steps.reduce(0) { $0 + ($1.0.inverse * $1.1).distanceMeters }
  }

  /// The length of the same steps by the recorded poses; `nil` if one of the frames has none.
  package var recordedPathLengthMeters: Double? {
    var length = 0.0
    var previous: TrackedFrame?
    for frame in frames where frame.isFused {
      guard let recorded = frame.recordedWorldFromCamera else { return nil }
      if let before = previous, before.fragment == frame.fragment,
        let recordedBefore = before.recordedWorldFromCamera
      {
        length += (recordedBefore.inverse * recorded).distanceMeters
      }
      previous = frame
    }
    return length
  }

  /// Poses of fused frames of one fragment that follow each other.
  private var steps: [(RigidTransform, RigidTransform)] {
    let fused = frames.filter(\.isFused)
    return zip(fused, fused.dropFirst()).compactMap { before, after in
      guard before.fragment == after.fragment, let a = before.estimate, let b = after.estimate
      else { return nil }
      return (a.aFromB, b.aFromB)
    }
  }
}

/// A frame of a scan and what tracking made of it.
package struct TrackedFrame: Sendable {
  /// The number of the frame, from 0 on.
  package var index: Int
  /// Its time; `nil` where the recording has none.
  package var timestampSeconds: Double?
  /// The recorded pose; `nil` without one.
  package var recordedWorldFromCamera: RigidTransform?
  /// The pose in the world of its fragment, relative to the fused surface; `nil` where it is not known.
  package var estimate: PoseEstimate?
  /// What tracking decided.
  package var state: TrackingState
  /// How well the frame fits; `nil` where it was not registered.
  package var quality: TrackingQuality?
  /// The number of the surface that the frame belongs to, from 0 on.
  package var fragment: Int
  /// The pose that fits and lies too far from the expected one; `nil` unless that is why the frame is lost.
  package var refusedWorldFromCamera: RigidTransform?

  /// Whether the frame is part of the surface.
  package var isFused: Bool {
    switch state {
    case .started, .tracked, .followed, .relocalized: true
    case .lost, .skipped: false
    }
  }
}

extension TrackedFrame {
  /// A frame without a time, a recorded pose, an estimate and a quality.
  package init(index: Int, state: TrackingState, fragment: Int) {
    self.init(
      index: index, timestampSeconds: nil, recordedWorldFromCamera: nil, estimate: nil,
      state: state, quality: nil, fragment: fragment)
  }
}

/// What tracking decided of a frame.
package enum TrackingState: Hashable, Sendable {
  /// The first frame of a surface: its pose is the recorded one, or the origin.
  case started
  /// It fits the surface.
  case tracked
  /// Too little of it meets the surface; the recorded motion gives the pose.
  case followed
  /// It fits the surface as seen from an earlier pose, after frames that were lost.
  case relocalized
  /// Its pose is not known; it is not fused.
  case lost(LossReason)
  /// It has too few points with a normal; it is not fused.
  case skipped
}

/// Why the pose of a frame is not known.
package enum LossReason: String, Hashable, Sendable {
  /// Too little of the frame meets the surface, and there is no recorded motion.
  case noOverlap
  /// The frame meets the surface, but does not agree with it: something moved, or the motion was too quick.
  case disagreement
  /// The pose that fits lies farther from the expected one than the motion allows.
  case jump
  /// There is neither a recorded motion nor a surface that fixes the pose in all directions.
  case undetermined
}
