import CKernels

/// The last row of each vertical path, from which the next one is made.
final class PathRows {
  /// What lies beside the first and last disparity: more than any path with any penalty.
  static let wall = UInt8.max

  private let paths: Int
  private let width: Int
  private let lanes: Int
  private let rows: MatchingMemory<UInt8>
  private let least: MatchingMemory<UInt8>
  private let rowCount: Int
  private let leastCount: Int
  private var newest = 0

  init(width: Int, lanes: Int, paths: Int) {
    self.paths = paths
    self.width = width
    self.lanes = lanes
    rowCount = paths * ((width + 2) * (lanes + Int(PLB_DISPARITY_LANES)) + Int(PLB_DISPARITY_LANES))
    leastCount = paths * (width + 2)
    rows = MatchingMemory(count: 2 * rowCount, repeating: Self.wall)
    least = MatchingMemory(count: 2 * leastCount, repeating: 0)
    clear(0)
    clear(1)
  }

  /// Makes the paths begin anew: a path that comes from outside owes nothing.
  private func clear(_ half: Int) {
    let unit = Int(PLB_DISPARITY_LANES)
    let block = lanes + unit
    for path in 0..<paths {
      let row = rows.base + half * rowCount + path * ((width + 2) * block + unit)
      for x in 0..<width + 2 {
        (row + x * block + unit).update(repeating: 0, count: lanes)
      }
    }
    (least.base + half * leastCount).update(repeating: 0, count: leastCount)
  }

  /// Advances to a row from the one next to it: result = sums + what the paths cost there.
  func advance(
    to y: Int, from other: Int, isFirst: Bool, _ aggregation: PathAggregation,
    _ costs: UnsafeMutablePointer<UInt8>, _ sums: UnsafeMutablePointer<UInt16>?,
    _ result: UnsafeMutablePointer<UInt16>?, streams: Bool = false
  ) {
    if isFirst { clear(newest) }
    let next = 1 - newest
    let gray = aggregation.gray
    plb_stereo_vertical(
      costs, gray + y * width, gray + (isFirst ? y : other) * width, width, lanes, paths,
      aggregation.penalties.smallStep, aggregation.penalties.largeSteps,
      rows.base + newest * rowCount, least.base + newest * leastCount,
      rows.base + next * rowCount, least.base + next * leastCount, sums, result, streams)
    newest = next
  }
}
