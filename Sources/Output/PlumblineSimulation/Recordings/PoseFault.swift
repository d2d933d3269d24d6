internal import PlumblineModel

/// What is wrong with the poses that a recording states, while the camera's own are known.
package enum PoseFault: Hashable, Sendable {
  /// The poses drift away, by this share of the path at its end (see ``drifted(_:by:_:)``).
  case drift(share: Double)
  /// Steps are too long by a factor that grows evenly from 1 to this one along the path.
  case scale(to: Double)
  /// Each frame states the pose of this many frames earlier.
  case lag(frames: Double)
  /// From the middle on, the poses lie this many meters aside.
  case jump(meters: Double)
  /// This share of the frames, in the middle, has no pose.
  case gap(share: Double)

  /// The stated poses with one more fault.
  ///
  /// - Parameters:
  ///   - poses: The poses so far, `sceneFromCamera`; `nil` where none is stated.
  ///   - exact: The camera's own poses, as many.
  ///   - seed: The seed of what is random.
  /// - Returns: As many poses; the first one stays. Cost: O(frames).
  func applied(
    to poses: [RigidTransform?], exact: [RigidTransform], seed: UInt64
  ) -> [RigidTransform?] {
    let count = poses.count
    switch self {
    case .drift(let share):
      var generator = SeededGenerator(seed: seed ^ 0xD21F7)
      return Self.drifted(poses, by: share, &generator)
    case .scale(let factor):
      let steps = Double(max(count - 1, 1))
      return Self.rebuilt(poses) { index, step in
        (step * (1 + (factor - 1) * Double(index) / steps), .identity)
      }
    case .lag(let frames):
      return (0..<count).map { index in
        poses[index] == nil ? nil : Self.pose(of: exact, at: Double(index) - frames)
      }
    case .jump(let meters):
      return poses.enumerated().map { index, pose in
        guard var pose, 2 * index >= count else { return pose }
        pose.translation.x += meters
        return pose
      }
    case .gap(let share):
      let missing = share > 0 ? max(1, Int((share * Double(count)).rounded())) : 0
      let start = (count - missing) / 2
      return poses.enumerated().map { index, pose in
        (start..<start + missing).contains(index) ? nil : pose
      }
    }
  }

  /// The poses with errors that add up, independent from step to step.
  ///
  /// After a path of length *L* the shift that the steps' own errors make is `share · L` (root mean square
  /// over seeds), and the turn about the vertical `share/1 % · 0.5° · L/10 m`; the turn moves what follows
  /// besides. The vertical stays, as gravity holds it for ARKit.
  private static func drifted(
    _ poses: [RigidTransform?], by share: Double, _ generator: inout SeededGenerator
  ) -> [RigidTransform?] {
    let known = poses.compactMap(\.self)
    let path = zip(known, known.dropFirst()).reduce(0) {
      $0 + length($1.1.translation - $1.0.translation)
    }
    guard path > 0 else { return poses }
    let halfDegree = Double.pi / 360
    return rebuilt(poses) { _, step in
      // Variances add up along the path.
      let part = (length(step) / path).squareRoot() * share * path
      let axis = part / 3.0.squareRoot()
      let shift = SIMD3(
        axis * generator.gaussian(), axis * generator.gaussian(), axis * generator.gaussian())
      let yaw = part * generator.gaussian() * halfDegree * 100 / 10
      return (step + shift, .aboutY(halfTangent: yaw / 2))
    }
  }

  /// Poses from their steps in the scene, each changed, and turned by all turns before.
  private static func rebuilt(
    _ poses: [RigidTransform?],
    _ change: (_ index: Int, _ step: SIMD3<Double>) -> (step: SIMD3<Double>, turn: Rotation)
  ) -> [RigidTransform?] {
    var last: (old: SIMD3<Double>, new: SIMD3<Double>, turn: Rotation)?
    return poses.enumerated().map { index, pose in
      guard let pose else { return nil }
      guard let before = last else {
        last = (pose.translation, pose.translation, .identity)
        return pose
      }
      let (step, turn) = change(index, pose.translation - before.old)
      let place = before.new + before.turn * step
      let turned = before.turn * turn
      last = (pose.translation, place, turned)
      return RigidTransform(rotation: turned * pose.rotation, translation: place)
    }
  }

  /// The pose between two frames: the place on the line between them, the rotation on the shortest arc.
  private static func pose(of poses: [RigidTransform], at place: Double) -> RigidTransform {
    let inside = min(max(place, 0), Double(poses.count - 1))
    let first = Int(inside)
    let part = inside - Double(first)
    guard part > 0 else { return poses[first] }
    let (a, b) = (poses[first], poses[first + 1])
    let (p, q) = (a.rotation.quaternion, b.rotation.quaternion)
    // Frames follow closely, so that the straight way between quaternions is the arc to 1e-6.
    let mixed = p * (1 - part) + ((p * q).sum() < 0 ? -q : q) * part
    return RigidTransform(
      rotation: Rotation(quaternion: mixed) ?? a.rotation,
      translation: a.translation * (1 - part) + b.translation * part)
  }
}
