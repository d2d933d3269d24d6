import PlumblineModel

/// Which frames of a recording are compared: pairs at fixed gaps of time, and revisits.
struct FramePairs {
  /// Two frames by their positions in the recording.
  struct Pair: Hashable, Sendable {
    /// The earlier frame, with which the later is compared.
    var first: Int
    /// The later frame.
    var second: Int
  }

  /// The gaps in seconds.
  static let gaps = [0.1, 0.5, 1, 2, 4]
  /// The most pairs of a gap: 24 medians give their median within a quarter of their spread.
  static let pairCount = 24
  /// A revisit is at least this long after the first visit, in seconds.
  static let revisitSeconds = 5.0
  /// And at most this far from it, in meters.
  static let revisitMeters = 0.5
  /// And looks in the same direction within this angle: its cosine, of 30°.
  static let revisitCosine = 0.866

  /// The frames with a pose, in the order of time, with their positions.
  private let frames: [(index: Int, seconds: Double?, pose: RigidTransform)]

  /// Takes the frames that have a pose.
  init(_ facts: [FrameFacts]) {
    self.init(facts.map { (seconds: $0.timestampSeconds, pose: $0.worldFromCamera) })
  }

  /// Takes the frames that have a pose, each with its time on one clock; `nil` where it is not known.
  init(_ all: [(seconds: Double?, pose: RigidTransform?)]) {
    let posed = all.enumerated().compactMap { index, frame in
      frame.pose.map { (index: index, seconds: frame.seconds, pose: $0) }
    }
    // Frames without a time among others cannot be placed; without any time the order counts.
    let timed = posed.filter { $0.seconds?.isFinite == true }
    frames = timed.count > 1 ? timed : posed
  }

  /// Whether the frames have times.
  var isTimed: Bool { frames.first?.seconds?.isFinite == true && frames.count > 1 }

  /// Pairs about a gap apart, evenly spread over the recording; none where frames have no times.
  func pairs(apart gap: Double) -> [Pair] {
    guard isTimed, let end = frames.last?.seconds else { return [] }
    let starts = frames.indices.filter { (frames[$0].seconds ?? end) + gap <= end }
    return spread(starts).compactMap { first in
      guard let start = frames[first].seconds,
        let second = nearest(to: start + gap, after: first), let time = frames[second].seconds,
        abs(time - start - gap) <= 0.3 * gap
      else { return nil }
      return Pair(first: frames[first].index, second: frames[second].index)
    }
  }

  /// Frames that follow one another, for recordings without times.
  var successivePairs: [Pair] {
    spread(Array(frames.indices.dropLast())).map {
      Pair(first: frames[$0].index, second: frames[$0 + 1].index)
    }
  }

  /// At most ``pairCount`` of the positions, evenly spread.
  private func spread(_ positions: [Int]) -> [Int] {
    let count = min(Self.pairCount, positions.count)
    return (0..<count).map { positions[count == 1 ? 0 : $0 * (positions.count - 1) / (count - 1)] }
  }

  /// The frame after another one whose time is nearest; O(log *n*) where the clock runs forward.
  private func nearest(to seconds: Double, after first: Int) -> Int? {
    var (low, high) = (first + 1, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if (frames[middle].seconds ?? 0) < seconds { low = middle + 1 } else { high = middle }
    }
    let around = [low - 1, low].filter { $0 > first && $0 < frames.count }
    return around.min {
      abs((frames[$0].seconds ?? 0) - seconds) < abs((frames[$1].seconds ?? 0) - seconds)
    }
  }

  /// Places that were seen again: pairs long apart whose cameras stood and looked alike, although the
  /// path between them led away.
  ///
  /// Of two hundred frames, evenly spread, all pairs are tried; one that is near another in time is
  /// left out. O(1).
  var revisits: [Pair] {
    guard isTimed else { return [] }
    let step = max(1, frames.count / 200)
    let chosen = Array(stride(from: 0, to: frames.count, by: step))
    let lengths = pathLengths
    var found: [(pair: Pair, seconds: SIMD2<Double>, badness: Double)] = []
    for (position, first) in chosen.enumerated() {
      for second in chosen[(position + 1)...] {
        guard let start = frames[first].seconds, let end = frames[second].seconds,
          end - start >= Self.revisitSeconds,
          let badness = badness(first, second, path: lengths[second] - lengths[first])
        else { continue }
        found.append(
          (
            Pair(first: frames[first].index, second: frames[second].index), [start, end], badness
          ))
      }
    }
    var kept: [(pair: Pair, seconds: SIMD2<Double>, badness: Double)] = []
    for candidate in found.sorted(by: { $0.badness < $1.badness }) {
      let isNew = kept.allSatisfy {
        let apart = candidate.seconds - $0.seconds
        return max(abs(apart.x), abs(apart.y)) > 1
      }
      if isNew { kept.append(candidate) }
      if kept.count == Self.pairCount { break }
    }
    return kept.map(\.pair).sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// How unlike two views are, from 0 to 2; `nil` where the second is no revisit of the first.
  private func badness(_ first: Int, _ second: Int, path: Double) -> Double? {
    let (a, b) = (frames[first].pose, frames[second].pose)
    let apart = b.translation - a.translation
    let meters = (apart * apart).sum().squareRoot()
    let cosine = (a.rotation.z * b.rotation.z).sum()
    guard meters <= Self.revisitMeters, cosine >= Self.revisitCosine,
      path >= max(1, 4 * meters)
    else { return nil }
    return meters / Self.revisitMeters + (1 - cosine) / (1 - Self.revisitCosine)
  }

  /// The length of the path up to each frame, in meters.
  private var pathLengths: [Double] {
    var lengths = [0.0]
    for (before, after) in zip(frames, frames.dropFirst()) {
      let step = after.pose.translation - before.pose.translation
      lengths.append((lengths.last ?? 0) + (step * step).sum().squareRoot())
    }
    return lengths
  }

  /// The length of the path between two frames of a pair, in meters.
  func pathMeters(of pair: Pair) -> Double {
    let lengths = pathLengths
    guard let first = frames.firstIndex(where: { $0.index == pair.first }),
      let second = frames.firstIndex(where: { $0.index == pair.second })
    else { return 0 }
    return lengths[second] - lengths[first]
  }

  /// The time between the frames of a pair, in seconds; `nil` where one has none.
  func seconds(of pair: Pair) -> Double? {
    guard let first = frames.first(where: { $0.index == pair.first })?.seconds,
      let second = frames.first(where: { $0.index == pair.second })?.seconds
    else { return nil }
    return second - first
  }
}
