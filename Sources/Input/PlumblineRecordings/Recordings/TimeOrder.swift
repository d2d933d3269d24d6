import PlumblineModel

extension Sequence {
  /// Sorts elements by ascending time; equal times keep their order; O(*n* log *n*).
  func sortedByTime(_ seconds: (Element) -> Double) -> [Element] {
    let elements = Array(self)
    // Most lists are already sorted, and sorting millions of large elements takes seconds.
    let times = elements.map(seconds)
    if zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) { return elements }
    return elements.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { elements[$0] }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index at which a condition holds, if it is false before and true from there on.
  ///
  /// It is the end index if the condition holds for no element. O(log *n*).
  func firstSortedIndex(where condition: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Finds the entry nearest to a given time.
package struct NearestTime: Sendable {
  private var times: [(seconds: Double, index: Int)] = []

  /// Sorts times; of equal times the first counts.
  package init(_ seconds: some Sequence<Double>) {
    let sorted = seconds.enumerated().map { (seconds: $1, index: $0) }.sorted {
      ($0.seconds, $0.index) < ($1.seconds, $1.index)
    }
    for time in sorted where time.seconds != times.last?.seconds { times.append(time) }
  }

  /// The original index of the time nearest to `seconds`; `nil` if none is within `tolerance`.
  ///
  /// Of two equally near times it is the earlier one. O(log *n*).
  package func index(near seconds: Double, within tolerance: Double) -> Int? {
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

/// Camera poses by their time.
struct TimedPoses: Sendable {
  private let times: NearestTime
  private let poses: [RigidTransform]

  /// Sorts poses; of equal times the first counts.
  init(_ poses: [(seconds: Double, worldFromCamera: RigidTransform)]) {
    times = NearestTime(poses.map(\.seconds))
    self.poses = poses.map(\.worldFromCamera)
  }

  /// The pose nearest to a time; of two equally near, the earlier one.
  ///
  /// It is `nil` if none is within `tolerance` seconds. O(log *n*).
  func worldFromCamera(near seconds: Double, within tolerance: Double) -> RigidTransform? {
    times.index(near: seconds, within: tolerance).map { poses[$0] }
  }
}
