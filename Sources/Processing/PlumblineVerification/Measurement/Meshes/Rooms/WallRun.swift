/// A stretch of a wall's line that was seen.
struct WallRun: Sendable {
  /// The place of its line in the list of lines.
  let line: Int
  /// The places along the line where it begins and ends, in meters.
  let start: Double
  let end: Double

  /// Places along a line are counted in bins of this width, in meters.
  private static let bin = 0.05
  /// Gaps up to this length, in meters, are bridged; longer ones, such as doors and what hides a wall, are
  /// weighed against other ways around the room by ``RunMatching``.
  private static let bridged = 0.1
  /// The least length of a stretch, in meters.
  private static let leastLength = 0.1

  /// The stretches of a line where its triangles fill a fifth of the band of heights or more.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - index: Its place in the list of lines.
  ///   - band: The height of the band that triangles are of, in meters.
  /// - Returns: By place. Cost: O(*n*).
  static func runs(of line: WallLine, at index: Int, band: Double) -> [WallRun] {
    let spans = line.elements.map { element -> (Double, Double, Double) in
      let half = (element.high - element.low) / 2
      let middle = ((element.high + element.low) / 2).dot(line.direction)
      // The least box around a triangle, seen along the line, is at most this wide.
      let reach = min(half.norm, abs(half.x * line.direction.x) + abs(half.y * line.direction.y))
      return (middle - reach, middle + reach, element.area)
    }
    guard let low = spans.map(\.0).min(), let high = spans.map(\.1).max() else { return [] }
    let bin = max(Self.bin, (high - low) / 1e5)
    var areas = [Double](repeating: 0, count: Int((high - low) / bin) + 1)
    for (from, to, area) in spans {
      let (first, last) = (Int((from - low) / bin), Int((to - low) / bin))
      for place in first...last {
        let left = max(from, low + Double(place) * bin)
        let right = min(to, low + Double(place + 1) * bin)
        areas[place] += to > from ? area * max(0, right - left) / (to - from) : area
      }
    }
    var runs: [(from: Int, to: Int)] = []
    for place in areas.indices where areas[place] >= 0.2 * band * bin {
      if let last = runs.last, Double(place - last.to - 1) * bin < bridged {
        runs[runs.count - 1].to = place
      } else {
        runs.append((place, place))
      }
    }
    return runs.compactMap { run in
      let (left, right) = (low + Double(run.from) * bin, low + Double(run.to + 1) * bin)
      let own = spans.filter { $0.1 > left && $0.0 < right }
      let start = max(left - bin, own.map(\.0).min() ?? left)
      let end = min(right + bin, own.map(\.1).max() ?? right)
      guard end - start >= leastLength else { return nil }
      return WallRun(line: index, start: start, end: end)
    }
  }
}
