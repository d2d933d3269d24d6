package import PlumblineModel
import PlumblineNumerics

/// New poses of some keyframes, carried to all frames of a path.
///
/// Between two keyframes the correction in the camera's own axes, `oldCamera⁻¹ · newCamera`, is interpolated along
/// the geodesic of rotation and in a straight line of translation, by the share of the path's length (and of
/// its rotation) that was passed. A frame before the first or behind the last keyframe takes that one's.
package struct TrajectoryCorrection: Sendable {
  /// The frames that are keyframes, ascending.
  package let keyframes: [Int]
  /// Their new poses.
  package let worldFromKeyframes: [PoseEstimate]
  /// The length of an arm by which a rotation counts as a distance, in meters.
  private static let armMeters = 1.0

  /// Collects keyframes.
  ///
  /// - Precondition: As many poses as keyframes, at least one, ascending without repetition.
  package init(keyframes: [Int], worldFromKeyframes: [PoseEstimate]) {
    precondition(
      keyframes.count == worldFromKeyframes.count && !keyframes.isEmpty && keyframes[0] >= 0
        && zip(keyframes, keyframes.dropFirst()).allSatisfy(<),
      "\(worldFromKeyframes.count) poses for the keyframes \(keyframes)")
    self.keyframes = keyframes
    self.worldFromKeyframes = worldFromKeyframes
  }

  /// The corrected poses of all frames; those of the keyframes are the new ones exactly.
  ///
  /// The covariance between two keyframes is the mean of theirs by the same shares: the error of the path
  /// between them is not known to it. Linear in the frames.
  /// - Parameter path: The old poses of all frames.
  /// - Returns: The new poses with their covariances.
  /// - Precondition: The path has all keyframes.
  package func applied(to path: [RigidTransform]) -> [PoseEstimate] {
    precondition((keyframes.last ?? 0) < path.count, "keyframes beyond \(path.count) frames")
    let corrections = zip(keyframes, worldFromKeyframes).map { path[$0].inverse * $1.aFromB }
    let passed = passedMeters(path)
    var following = 0
    return path.indices.map { frame in
      while following < keyframes.count && keyframes[following] < frame { following += 1 }
      if following < keyframes.count && keyframes[following] == frame {
        return worldFromKeyframes[following]
      }
      guard following > 0, following < keyframes.count else {
        let nearest = min(following, keyframes.count - 1)
        return PoseEstimate(
          aFromB: path[frame] * corrections[nearest],
          covariance: worldFromKeyframes[nearest].covariance)
      }
      let (a, b) = (keyframes[following - 1], keyframes[following])
      let share = (passed[frame] - passed[a]) / (passed[b] - passed[a])
      var covariance = worldFromKeyframes[following - 1].covariance.scaled(by: 1 - share)
      covariance += worldFromKeyframes[following].covariance.scaled(by: share)
      return PoseEstimate(
        aFromB: path[frame]
          * interpolated(corrections[following - 1], corrections[following], share),
        covariance: covariance)
    }
  }

  /// The motion until each frame; it grows a little with each, so that no two frames share a value.
  private func passedMeters(_ path: [RigidTransform]) -> [Double] {
    var passed = [0.0]
    for (old, new) in zip(path, path.dropFirst()) {
      let motion = old.inverse * new
      let angle = motion.rotation.axisAngle
      let rotated = Self.armMeters * (angle * angle).sum().squareRoot()
      let moved = (motion.translation * motion.translation).sum().squareRoot()
      passed.append((passed.last ?? 0) + moved + rotated + 1e-6)
    }
    return passed
  }

  private func interpolated(
    _ a: RigidTransform, _ b: RigidTransform, _ share: Double
  ) -> RigidTransform {
    let vector = (a.rotation.inverse * b.rotation).axisAngle
    return RigidTransform(
      rotation: a.rotation * (Rotation(axisAngle: vector * share) ?? .identity),
      translation: a.translation + (b.translation - a.translation) * share)
  }
}
