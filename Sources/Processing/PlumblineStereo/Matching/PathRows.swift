import CKernels

/// The last row of each vertical path, from which the next one is made.
final class PathRows {
  /// What lies beside the first and last disparity: more than any path with any penalty.
  static let wall = UInt8.max

  /// What can be read before the first and behind the last path; a whole unit keeps rows aligned.
  private static let margin = 64

  private let paths: Int
  private let width: Int
  private let lanes: Int
  private let count: Int
  private let rows: MatchingMemory<UInt8>
  private let least: MatchingMemory<UInt8>
  private let limits: MatchingMemory<UInt8>
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
    rowCount = paths * (width + 2) * lanes
    leastCount = paths * (width + 2)
    rows = MatchingMemory(count: 2 * rowCount + 2 * Self.margin, repeating: 0)
    least = MatchingMemory(count: 2 * leastCount, repeating: 0)
    limits = MatchingMemory(unwritten: paths * width)
  }

  /// Makes the paths begin anew: a path that comes from outside owes nothing.
  private func clear(_ half: Int) {
    row(half).update(repeating: 0, count: rowCount)
    (least.base + half * leastCount).update(repeating: 0, count: leastCount)
  }

  /// The paths of one row, columns −1 to the width each.
  private func row(_ half: Int) -> UnsafeMutablePointer<UInt8> {
    rows.base + Self.margin + half * rowCount
  }

  /// The first disparity of a path at a column, from −1 to the width.
  private func block(_ path: Int, _ x: Int, _ half: Int) -> UnsafeMutablePointer<UInt8> {
    row(half) + (path * (width + 2) + x + 1) * lanes
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
      row(newest), least.base + newest * leastCount, row(next), least.base + next * leastCount,
      limits.base, sums, result)
    newest = next
  }
}
