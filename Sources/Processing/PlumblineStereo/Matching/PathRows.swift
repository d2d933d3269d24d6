import CKernels

/// The last row of each vertical path, from which the next one is made.
final class PathRows {
  /// What lies beside the first and last disparity: more than any path with any penalty.
  static let wall = UInt8.max

  private let paths: Int
  private let width: Int
  private let lanes: Int
  private let count: Int
  private let rows: MatchingMemory<UInt8>
  private let least: MatchingMemory<UInt8>
  private let rowCount: Int
  private let leastCount: Int
  private var newest = 0

  /// The bytes of the paths at one row, without what pads them.
  static func keptBytes(width: Int, count: Int, paths: Int) -> Int { paths * width * (count + 1) }

  /// Paths that begin outside of the image.
  ///
  /// - Parameters:
  ///   - width: The number of columns.
  ///   - lanes: Disparities, padded to whole vectors.
  ///   - count: Disparities that are tried.
  ///   - paths: 1 for the straight path alone, 3 with both slanted ones.
  init(width: Int, lanes: Int, count: Int, paths: Int) {
    self.paths = paths
    self.width = width
    self.lanes = lanes
    self.count = count
    rowCount = paths * ((width + 2) * (lanes + Int(PLB_DISPARITY_LANES)) + Int(PLB_DISPARITY_LANES))
    leastCount = paths * (width + 2)
    rows = MatchingMemory(count: 2 * rowCount, repeating: Self.wall)
    least = MatchingMemory(count: 2 * leastCount, repeating: 0)
    clear(0)
    clear(1)
  }

  /// Makes the paths begin anew: a path that comes from outside owes nothing.
  private func clear(_ half: Int) {
    for path in 0..<paths {
      for x in -1...width { block(path, x, half).update(repeating: 0, count: lanes) }
    }
    (least.base + half * leastCount).update(repeating: 0, count: leastCount)
  }

  /// The first disparity of a path at a column, from −1 to the width.
  private func block(_ path: Int, _ x: Int, _ half: Int) -> UnsafeMutablePointer<UInt8> {
    let unit = Int(PLB_DISPARITY_LANES)
    let row = rows.base + half * rowCount + path * ((width + 2) * (lanes + unit) + unit)
    return row + (x + 1) * (lanes + unit) + unit
  }

  /// Copies the newest row to `target`, which has room for ``keptBytes(width:count:paths:)``.
  func keep(at target: UnsafeMutablePointer<UInt8>) {
    var next = target
    for path in 0..<paths {
      let leasts = least.base + newest * leastCount + path * (width + 2) + 1
      next.update(from: leasts, count: width)
      next += width
      for x in 0..<width {
        next.update(from: block(path, x, newest), count: count)
        next += count
      }
    }
  }

  /// Takes a row that was kept as the newest.
  func resume(from source: UnsafeMutablePointer<UInt8>) {
    // Columns beside the image are not kept: they stay as they were made.
    var next = UnsafePointer(source)
    for path in 0..<paths {
      let leasts = least.base + newest * leastCount + path * (width + 2) + 1
      leasts.update(from: next, count: width)
      next += width
      for x in 0..<width {
        let lanesOfPixel = block(path, x, newest)
        lanesOfPixel.update(from: next, count: count)
        (lanesOfPixel + count).update(repeating: Self.wall, count: lanes - count)
        next += count
      }
    }
  }

  /// Advances to a row from the one next to it: result = sums + what the paths cost there.
  func advance(
    to y: Int, from other: Int, isFirst: Bool, _ aggregation: PathAggregation,
    _ costs: UnsafeMutablePointer<UInt8>, _ sums: UnsafeMutablePointer<UInt16>?,
    _ result: UnsafeMutablePointer<UInt16>?
  ) {
    if isFirst { clear(newest) }
    let next = 1 - newest
    let gray = aggregation.gray
    plb_stereo_vertical(
      costs, gray + y * width, gray + (isFirst ? y : other) * width, width, lanes, paths,
      aggregation.penalties.smallStep, aggregation.penalties.largeSteps,
      rows.base + newest * rowCount, least.base + newest * leastCount,
      rows.base + next * rowCount, least.base + next * leastCount, sums, result)
    newest = next
  }
}
