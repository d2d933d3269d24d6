package import PlumblineModel

/// Which frames of a recording become keyframes: those that moved or turned far enough since the last one.
package struct KeyframeChoice: Hashable, Sendable {
  /// The distance from the last keyframe; 0.12 m by default.
  package var distanceMeters: Double
  /// The rotation from the last keyframe; 10° by default.
  package var angleRadians: Double

  /// Collects limits.
  ///
  /// - Precondition: Both above 0.
  package init(distanceMeters: Double = 0.12, angleRadians: Double = 10 * .pi / 180) {
    precondition(distanceMeters > 0 && angleRadians > 0, "limits of a keyframe must be above 0")
    self.distanceMeters = distanceMeters
    self.angleRadians = angleRadians
  }

  /// The indices of the keyframes, ascending: the first and the last frame are always among them.
  ///
  /// Linear in the frames; empty without frames.
  package func keyframes(of worldFromCameras: [RigidTransform]) -> [Int] {
    guard var last = worldFromCameras.first else { return [] }
    var chosen = [0]
    for (index, pose) in worldFromCameras.enumerated().dropFirst() {
      let motion = last.inverse * pose
      guard
        index == worldFromCameras.count - 1
          || length(motion.translation) >= distanceMeters
          || length(motion.rotation.axisAngle) >= angleRadians
      else { continue }
      chosen.append(index)
      last = pose
    }
    return chosen
  }
}

/// The length of a vector.
private func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
