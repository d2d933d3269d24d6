import PlumblineVision

/// How much the sensor's depth changes from frame to frame while nothing moves.
struct TemporalNoise: Hashable, Sendable {
  /// How far corners may move between two frames of one pose, in pixels, root mean square.
  static let maximumMovementPixels = 2.0

  /// One standard deviation of a corner's depth, in meters.
  var sigmaMeters: Double
  /// The number of pairs of frames.
  var pairCount: Int

  /// Compares each frame with the next; `nil` when no two show the board at one position.
  ///
  /// What is compared is sensor minus board, so that the little that the hand moved does not
  /// count; the difference of two frames has twice the variance of one.
  init?(_ frames: [(view: BoardView, check: BoardDepthCheck)]) {
    var samples: [Double] = []
    pairCount = 0
    for (first, second) in zip(frames, frames.dropFirst()) {
      let places = Dictionary(
        uniqueKeysWithValues: first.view.corners.map { ($0.id, $0.pixel) })
      let moves = second.view.corners.compactMap { corner in
        places[corner.id].map { corner.pixel - $0 }
      }
      let square = moves.reduce(0) { $0 + ($1 * $1).sum() } / Double(max(moves.count, 1))
      guard moves.count >= 6, square.squareRoot() <= Self.maximumMovementPixels else { continue }
      pairCount += 1
      for (id, difference) in second.check.differencesMeters {
        if let before = first.check.differencesMeters[id] { samples.append(difference - before) }
      }
    }
    guard let spread = SampleSpread(samples), samples.count >= 10 else { return nil }
    sigmaMeters = spread.sigma / 2.0.squareRoot()
  }
}
