/// Where the Cholesky factor of a sparse symmetric matrix of square blocks has entries.
///
/// The blocks are eliminated by least degree, ties by the older entry, so that few new entries arise. The
/// choice depends only on the pairs, not on values or threads.
/// - Source: A. George, J. W. H. Liu, *The Evolution of the Minimum Degree Ordering Algorithm*, SIAM Review 31
///   (1989) 1–19. Cost: for the chains with loops of a scan about linear in the blocks; at most cubic.
struct SparseBlockPattern: Sendable {
  /// The position in the elimination of each block row.
  private(set) var positions: [Int]
  /// For each position, where its column begins in `rows`; one more entry at the end.
  private(set) var columnStarts: [Int]
  /// The positions of the entries below the diagonal, column after column, each column ascending.
  private(set) var rows: [Int]

  /// The number of block rows.
  var count: Int { positions.count }

  /// Finds the order and the entries of the factor for the pairs of rows that have an entry.
  ///
  /// - Precondition: All indices lie within `0..<count`.
  static func eliminating(count: Int, pairs: [(Int, Int)]) -> SparseBlockPattern {
    var neighbors = [Set<Int>](repeating: [], count: count)
    for (a, b) in pairs where a != b {
      neighbors[a].insert(b)
      neighbors[b].insert(a)
    }
    var queue = DegreeQueue(degrees: neighbors.map(\.count))
    var positions = [Int](repeating: 0, count: count)
    var columns: [[Int]] = []
    columns.reserveCapacity(count)
    while let row = queue.removeLeast() {
      positions[row] = columns.count
      let column = neighbors[row].sorted()
      for (index, a) in column.enumerated() {
        neighbors[a].remove(row)
        for b in column[(index + 1)...] {
          neighbors[a].insert(b)
          neighbors[b].insert(a)
        }
      }
      for a in column { queue.update(a, degree: neighbors[a].count) }
      neighbors[row] = []
      columns.append(column)
    }
    var starts = [0]
    var rows: [Int] = []
    for column in columns {
      rows += column.map { positions[$0] }.sorted()
      starts.append(rows.count)
    }
    return SparseBlockPattern(positions: positions, columnStarts: starts, rows: rows)
  }

  /// The entry of `row` in a column, both positions; `nil` where the factor has none.
  ///
  /// O(log of the column).
  func entry(row: Int, column: Int) -> Int? {
    var low = columnStarts[column]
    var high = columnStarts[column + 1]
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low < columnStarts[column + 1] && rows[low] == row ? low : nil
  }
}

/// Rows by their present degree, with old entries skipped when they are met.
private struct DegreeQueue {
  private var degrees: [Int]
  private var isRemoved: [Bool]
  private var buckets: [[Int]]
  private var least = 0

  init(degrees: [Int]) {
    self.degrees = degrees
    isRemoved = [Bool](repeating: false, count: degrees.count)
    buckets = [[Int]](repeating: [], count: degrees.count + 1)
    // The last of a bucket is taken first: the smallest index at the beginning.
    for row in degrees.indices.reversed() { buckets[degrees[row]].append(row) }
  }

  mutating func update(_ row: Int, degree: Int) {
    guard degrees[row] != degree else { return }
    degrees[row] = degree
    buckets[degree].append(row)
    least = min(least, degree)
  }

  mutating func removeLeast() -> Int? {
    while least < buckets.count {
      guard let row = buckets[least].popLast() else {
        least += 1
        continue
      }
      if !isRemoved[row] && degrees[row] == least {
        isRemoved[row] = true
        return row
      }
    }
    return nil
  }
}
