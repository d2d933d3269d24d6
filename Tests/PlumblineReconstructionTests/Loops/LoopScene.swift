import Foundation
import PlumblineModel
import PlumblineSimulation

@testable import PlumblineReconstruction

/// A closed path in a scene with closed forms, with its truth and a drift of known size.
struct LoopScene {
  var scene: TrackingScene
  var truth: [RigidTransform]
  /// How far the path drifts in one direction of the world, as a share of its length.
  var drift = 0.0
  /// The turn about the vertical for each meter, in radians.
  var yawPerMeter = 0.0
  var sigmaMeters = 0.002

  /// The drift of ARKit as the issue states it: 1 % of the path, 0.5° in 10 m.
  static let driftShare = 0.01
  static let driftYaw = 0.5 / 10 * Double.pi / 180

  /// A room with things in it, so that every view is its own.
  static let furnished = TrackingScene(
    planes: TrackingScene.room.planes,
    spheres: [
      .init(center: [1.6, 0.9, 1.9], radius: 0.5), .init(center: [-1.7, 0.4, 1.2], radius: 0.4),
      .init(center: [0.3, -0.6, 2.3], radius: 0.35),
      .init(center: [-1.5, -0.5, -2.0], radius: 0.6),
      .init(center: [1.8, 0.2, -1.4], radius: 0.45), .init(center: [0.2, 1.2, -2.2], radius: 0.5),
    ])

  /// Once around, looking outward, and on over the first eighth.
  static func circle(radius: Double = 0.8, steps: Int = 64) -> [RigidTransform] {
    (0..<(steps * 9 / 8)).map { step in
      let angle = 2 * Double.pi * Double(step) / Double(steps)
      return RigidTransform(
        rotation: Rotation(axisAngle: [0, angle, 0]) ?? .identity,
        translation: [radius * sin(angle), 0.1 * sin(2 * angle), radius * cos(angle)])
    }
  }

  /// Once around an object at the origin, looking at it, and on over the first eighth.
  static func around(radius: Double, steps: Int) -> [RigidTransform] {
    (0..<(steps * 9 / 8)).map { step in
      let turn =
        Rotation(axisAngle: [0, 2 * Double.pi * Double(step) / Double(steps), 0]) ?? .identity
      return RigidTransform(rotation: turn, translation: turn * SIMD3(0, 0, -radius))
    }
  }

  /// A figure of eight, looking along the path, and on over its first tenth.
  static func eight(steps: Int = 80) -> [RigidTransform] {
    (0..<(steps * 11 / 10)).map { step in
      let angle = 2 * Double.pi * Double(step) / Double(steps)
      let ahead = SIMD3(cos(angle), 0, 1.4 * cos(2 * angle))
      return RigidTransform(
        rotation: Rotation(axisAngle: [0, atan2(ahead.x, ahead.z), 0]) ?? .identity,
        translation: [sin(angle), 0.1, 0.7 * sin(2 * angle)])
    }
  }

  /// The truth with its drift, from the first pose on.
  var drifted: [RigidTransform] {
    var poses = Array(truth.prefix(1))
    for (before, after) in zip(truth, truth.dropFirst()) {
      let meters = difference(before, after).meters
      var next = poses[poses.count - 1] * (before.inverse * after)
      next.translation += SIMD3(0.6, 0, 0.8) * drift * meters
      poses.append(next.moved(rotation: [0, yawPerMeter * meters, 0], translation: .zero))
    }
    return poses
  }

  /// The keyframes as tracking would leave them: at the drifted poses, recorded or not.
  func keyframes(
    hasRecordedPoses: Bool, seed: UInt64 = 1, fragment: (Int) -> Int = { _ in 0 }
  ) -> [Keyframe] {
    var store = KeyframeStore()
    for (index, pose) in drifted.enumerated() {
      let frame = scene.frame(
        worldFromCamera: truth[index], sigmaMeters: sigmaMeters,
        seed: seed * 1000 + UInt64(index), recorded: hasRecordedPoses ? pose : nil)
      store.add(
        TrackedFrame(
          index: index, recordedWorldFromCamera: frame.worldFromCamera,
          estimate: PosePrior(worldFromCamera: pose, sigmaRadians: 1e-4, sigmaMeters: 1e-4)
            .estimate,
          state: .tracked, fragment: fragment(index)), frame)
    }
    return store.keyframes
  }

  /// The length of the true path.
  var pathMeters: Double {
    zip(truth, truth.dropFirst()).reduce(0) { $0 + difference($1.0, $1.1).meters }
  }

  /// How far the last pose is from the truth, seen from the first one.
  func endError(_ first: RigidTransform, _ last: RigidTransform, at index: Int) -> Double {
    difference(first.inverse * last, truth[0].inverse * truth[index]).meters
  }
}
