/// How the rows of an image are divided, so that paths from above and from below meet in little memory.
///
/// Paths from below reach a row after all rows below it, when what the paths from above cost there is
/// long past. So paths from above are kept at the beginning of each block alone, and are made anew from
/// there once the paths from below have come as far. With blocks of √*n* of *n* rows, both the rows that
/// are kept and those of a block are √*n*, and the paths from above are made twice. Where even that is
/// too much, blocks are divided once more.
/// - Source: A. Griewank, A. Walther, "Algorithm 799: revolve", ACM TOMS 26(1), 2000, for derivatives of
///   long computations; the sums of paths are this project's use of it.
struct RowBlocks: Equatable {
  /// The number of rows of a part at each division, from the first to that of a block.
  let sizes: [Int]
  /// The number of rows that are kept at each division.
  let kept: [Int]

  /// The number of rows of a block.
  var blockRows: Int { sizes.last ?? 1 }
  /// The number of rows of paths from above that are kept at one time.
  var keptRows: Int { kept.reduce(0, +) }

  /// The most divisions: three make the paths from above four times.
  private static let mostDivisions = 3

  /// Divides rows so that they take `bytes` at most, as long as three divisions suffice.
  ///
  /// - Parameters:
  ///   - height: The rows of the image, at least 1.
  ///   - keptBytes: What the paths from above take at one row.
  ///   - rowBytes: What costs and sums of a row take.
  ///   - bytes: The memory that is allowed for both.
  /// - Returns: The sizes of the parts.
  static func divide(height: Int, keptBytes: Int, rowBytes: Int, within bytes: Int) -> RowBlocks {
    var result = divide(height: height, keptBytes: keptBytes, rowBytes: rowBytes, divisions: 1)
    for divisions in 2...mostDivisions
    where result.bytes(keptBytes: keptBytes, rowBytes: rowBytes) > bytes {
      result = divide(
        height: height, keptBytes: keptBytes, rowBytes: rowBytes, divisions: divisions)
    }
    return result
  }

  /// Divides rows so often, so that kept rows and those of a block take least.
  private static func divide(
    height: Int, keptBytes: Int, rowBytes: Int, divisions: Int
  ) -> RowBlocks {
    // With n parts at each of L divisions and blocks of k rows, nᴸ·k = height, and L·n·kept + k·row is
    // least for k = n·kept / row.
    let share = Double(max(keptBytes, 1)) / Double(max(rowBytes, 1))
    let parts = nthRoot(Double(height) / share, divisions + 1)
    var rows = height
    var sizes: [Int] = []
    var kept: [Int] = []
    for division in 0..<divisions {
      // The last division alone says how many rows a block has; rounding there keeps blocks small.
      let isLast = division == divisions - 1
      let size = Int((isLast ? parts * share : Double(rows) / parts).rounded(.up))
      let part = min(max(size, 1), rows)
      sizes.append(part)
      kept.append((rows + part - 1) / part - 1)
      rows = part
    }
    return RowBlocks(sizes: sizes, kept: kept)
  }

  /// What kept rows and a block take together.
  func bytes(keptBytes: Int, rowBytes: Int) -> Int { keptRows * keptBytes + blockRows * rowBytes }
}

/// The *n*th root of a number above 0.
private func nthRoot(_ value: Double, _ n: Int) -> Double {
  // Newton's steps from above: 60 are more than whole rows need.
  var root = max(value, 1)
  for _ in 0..<60 {
    var power = 1.0
    for _ in 1..<n { power *= root }
    root -= (root - value / power) / Double(n)
  }
  return root
}
