/// Looks up what happened nearest to a time.
struct NearestTime: Sendable {
  private var times: [(seconds: Double, index: Int)] = []

  /// Sorts times; of equal ones the first counts.
  init(_ seconds: some Sequence<Double>) {
    let sorted = seconds.enumerated().map { (seconds: $1, index: $0) }.sorted {
      ($0.seconds, $0.index) < ($1.seconds, $1.index)
    }
    for time in sorted where time.seconds != times.last?.seconds { times.append(time) }
  }

  /// The index, in the order given, of the time nearest to `seconds`; `nil` when none is within
  /// `tolerance`.
  ///
  /// Of two equally near ones it is the earlier one. O(log *n*).
  func index(near seconds: Double, within tolerance: Double) -> Int? {
    let next = times.firstSortedIndex { $0.seconds >= seconds }
    var best: (distance: Double, index: Int)?
    for place in [next - 1, next] where times.indices.contains(place) {
      let distance = abs(times[place].seconds - seconds)
      if distance <= tolerance, distance < best?.distance ?? .infinity {
        best = (distance, times[place].index)
      }
    }
    return best?.index
  }
}
