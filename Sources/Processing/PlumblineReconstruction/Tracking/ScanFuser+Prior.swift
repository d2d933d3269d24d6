internal import PlumblineModel

extension ScanFuser {
  /// The expected pose of a frame, and whether it is that of the recorded motion.
  func prior(for tracked: TrackedFrame) -> (PosePrior, isRecorded: Bool) {
    let fused = latestFused
    guard let previous = fused.last, let pose = previous.estimate?.aFromB else {
      return (
        PosePrior(worldFromCamera: .identity, sigmaRadians: 0.2, sigmaMeters: 0.1), false
      )
    }
    if let before = previous.recordedWorldFromCamera, let now = tracked.recordedWorldFromCamera,
      limits.isPossible(before.inverse * now, secondsBetween(previous, tracked))
    {
      return (.recordedMotion(from: pose, previous: before, current: now), true)
    }
    // A velocity is that of two frames in a row.
    let earlier =
      fused.first.flatMap {
        fused.count == 2 && tracked.index - $0.index == 2 ? $0.estimate?.aFromB : nil
      }
    if let turn = sensors.turn(from: previous, to: tracked),
      let prior = PosePrior.sensedRotation(
        from: pose, earlier: earlier, turn: turn.rotation, covariance: turn.covariance)
    {
      return (prior, false)
    }
    return (.constantVelocity(from: pose, earlier: earlier), false)
  }

  private func secondsBetween(_ a: TrackedFrame, _ b: TrackedFrame) -> Double? {
    guard let first = a.timestampSeconds, let second = b.timestampSeconds else { return nil }
    return second - first
  }
}
