import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction

/// How far the places that a path's views see are uncertain relative to the first view.
struct PlaceDrift {
  /// The depth at which a view sees, in meters.
  var depthMeters: Double
  /// The share of the variance of a pixel at that depth that its neighbors share, 0 to 1.
  var sharedShare: Double

  /// By how much the variance of a pose grows where all of a pixel's error is shared.
  ///
  /// Registration counts patches of 1/32 of the width as independent. Slow errors of depth reach over 1/8 of it, as in
  /// loops, so that a sixteenth as many are; and the surface that a frame is registered to has such an error of its
  /// own, from another time or direction.
  private static let sharedFactor = 2.0 * 16

  /// The mean over the views of the variance of one coordinate, in m², of a path as it was tracked.
  ///
  /// A frame that was registered adds the error of its pose as far as it sees new surface (1 − overlap): old
  /// surface holds it in place. One that lies where its recorded motion says adds the error of that motion. An error
  /// of rotation moves all that follows, by its distance from the camera that made it. O(frames).
  func variance(ofTracked frames: [TrackedFrame]) -> Double {
    // Of the frames so far: shift, turn, turn · place, turn · place².
    var (shift, turn, first, second) = (0.0, 0.0, SIMD3<Double>.zero, 0.0)
    var (sum, count) = (0.0, 0.0)
    var previous: TrackedFrame?
    for frame in frames where frame.isFused {
      defer { previous = frame }
      guard let pose = frame.estimate?.aFromB else { continue }
      if let (share, error) = added(by: frame, after: previous) {
        let place = pose.translation
        let own = share * error.turnVariance
        shift += share * error.shiftVariance
        turn += own
        first += own * place
        second += own * (place * place).sum()
      }
      let seen = pose * SIMD3(0, 0, depthMeters)
      sum += shift + max(0, turn * (seen * seen).sum() - 2 * (seen * first).sum() + second)
      count += 1
    }
    return count > 0 ? sum / count : 0
  }

  /// The same of poses whose covariances are relative to the first one, such as those of a solved graph.
  func variance(ofRelative frames: [TrackedFrame]) -> Double {
    let variances = frames.compactMap(\.estimate).map {
      $0.shiftVariance + depthMeters * depthMeters * $0.turnVariance
    }
    return variances.isEmpty ? 0 : variances.reduce(0, +) / Double(variances.count)
  }

  /// The error that a frame adds to all that follow, and how much of it.
  private func added(
    by frame: TrackedFrame, after previous: TrackedFrame?
  ) -> (share: Double, error: PoseEstimate)? {
    switch frame.state {
    case .started, .lost, .skipped: return nil
    case .tracked, .relocalized:
      let new = max(0, 1 - (frame.quality?.overlap ?? 0))
      return frame.estimate.map { (new * (1 + sharedShare * (Self.sharedFactor - 1)), $0) }
    case .followed:
      guard let from = previous?.recordedWorldFromCamera, let to = frame.recordedWorldFromCamera
      else { return nil }
      return (1, PosePrior.recordedMotion(from: from, previous: from, current: to).estimate)
    }
  }
}

extension PoseEstimate {
  /// The mean variance of a coordinate of the translation, in m².
  fileprivate var shiftVariance: Double { (3..<6).reduce(0) { $0 + covariance[$1, $1] } / 3 }

  /// The mean variance of a coordinate of a point a meter away by the rotation across the line to it: two of three
  /// axes move it, along two of three coordinates.
  fileprivate var turnVariance: Double { (0..<3).reduce(0) { $0 + covariance[$1, $1] } * 2 / 9 }
}
