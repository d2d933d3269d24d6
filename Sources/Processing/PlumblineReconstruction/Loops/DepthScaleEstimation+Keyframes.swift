internal import PlumblineModel

extension DepthScaleEstimation {
  /// How many keyframes later the other one of a pair is: 0.24 to 1 m on a path straight ahead, long enough for a path
  /// and short enough for an overlap.
  private static let gaps = [2, 4, 8]
  /// The most pairs, evenly chosen, and the step between their pixels: they bound the cost.
  private static let pairCount = 192
  private static let stride = 4

  /// What some keyframes with recorded poses see of the same surfaces, pair by pair in the order of time.
  ///
  /// - Parameters:
  ///   - keyframes: In the order of time; those without a recorded pose have no samples.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: The samples for ``estimated(_:)`` and ``bend(_:)``. Cost: about 0.5 s at most.
  package func pairs(of keyframes: [Keyframe], threads: Int) -> [[OverlapSample]] {
    let all = keyframes.indices.flatMap { first in
      Self.gaps.map { (first: first, second: first + $0) }
    }.filter { $0.second < keyframes.count }
    let count = min(all.count, Self.pairCount)
    let pairs = (0..<count).map { all[$0 * all.count / count] }
    var samples = [[OverlapSample]](repeating: [], count: count)
    samples.withUnsafeMutableBufferPointer { samples in
      forEachConcurrently(count, threads: threads) { number in
        let (i, j) = (keyframes[pairs[number].first].frame, keyframes[pairs[number].second].frame)
        guard let worldFromI = i.worldFromCamera, let worldFromJ = j.worldFromCamera else { return }
        samples[number] = FrameOverlap.samples(
          of: j, in: i, iFromJ: worldFromI.inverse * worldFromJ, stride: Self.stride)
      }
    }
    return samples
  }
}
