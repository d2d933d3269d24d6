internal import PlumblineModel
internal import PlumblineNumerics

/// How fast recorded poses drift, by what frames some way apart see of the same surface.
///
/// The mean square S of the differences of two frames is that of their noise, and grows with the way between them where
/// poses drift: by V a keyframe for a random path. Errors of depth that neighboring frames share grow in the same
/// way, so that V is rather too large.
package struct RecordedDrift: Hashable, Sendable {
  /// The variance of one coordinate that a keyframe adds, in m², at least 0.
  package var variancePerKeyframe: Double
  /// One standard deviation of it.
  package var sigmaPerKeyframe: Double

  /// How many keyframes apart the near and the far frame of a comparison are from the first one: 0.12 and 0.36 m straight
  /// ahead, or 10° and 30°.
  private static let gaps = (near: 1, far: 3)
  /// The most first frames, evenly chosen, and the step between their pixels: they bound the cost.
  private static let frameCount = 96
  private static let stride = 4
  /// Fewer comparisons say nothing of their scatter.
  private static let minimumCount = 8

  /// The variance over so many keyframes that the comparisons allow: one standard deviation above what they show.
  package func largestVariance(keyframes: Int) -> Double {
    (variancePerKeyframe + sigmaPerKeyframe) * Double(max(0, keyframes - 1))
  }

  /// Compares keyframes of a recording with poses.
  ///
  /// Differences count along the axis of the first camera; their square is that of 1.4826 times the median magnitude.
  /// - Parameters:
  ///   - keyframes: In the order of time.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: `nil` with fewer than eight comparisons. Cost: about 0.5 s at most.
  package static func measured(by keyframes: [Keyframe], threads: Int) -> RecordedDrift? {
    let all = keyframes.indices.dropLast(gaps.far)
    let count = min(all.count, frameCount)
    var growths = [Double?](repeating: nil, count: count)
    growths.withUnsafeMutableBufferPointer { growths in
      forEachConcurrently(count, threads: threads) { number in
        let first = number * all.count / count
        guard let near = square(keyframes[first], keyframes[first + gaps.near]),
          let far = square(keyframes[first], keyframes[first + gaps.far])
        else { return }
        growths[number] = (far - near) / Double(gaps.far - gaps.near)
      }
    }
    let found = growths.compactMap { $0 }
    guard found.count >= minimumCount else { return nil }
    let mean = found.reduce(0, +) / Double(found.count)
    let scatter = found.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(found.count - 1)
    // Comparisons less than the far gap apart share frames.
    let apart = max(1, Double(gaps.far) * Double(found.count) / Double(all.count))
    let independent = max(1, Double(found.count) / apart)
    return RecordedDrift(
      variancePerKeyframe: max(0, mean), sigmaPerKeyframe: (scatter / independent).squareRoot())
  }

  /// The mean square of the differences of two keyframes at their recorded poses; `nil` with too few.
  private static func square(_ a: Keyframe, _ b: Keyframe) -> Double? {
    guard let worldFromA = a.frame.worldFromCamera, let worldFromB = b.frame.worldFromCamera else {
      return nil
    }
    let differences = FrameOverlap.samples(
      of: b.frame, in: a.frame, iFromJ: worldFromA.inverse * worldFromB, stride: stride
    ).map { abs($0.differenceMeters) }.filter { $0 < FrameOverlap.limitMeters }
    guard differences.count >= 64, let median = differences.upperMedian else { return nil }
    return 1.4826 * 1.4826 * median * median
  }
}
