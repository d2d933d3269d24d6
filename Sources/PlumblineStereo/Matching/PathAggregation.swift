import CStereoKernels

/// The costs of a pair summed along paths, given row by row to whoever chooses.
///
/// Paths from the left, the right and above are exact. Those from below begin, where the rows in
/// memory are fewer than the picture's, `lookahead` rows below the last one that is given: the same
/// rows for any number of threads.
struct PathAggregation {
  let cost: MatchingCost
  let penalties: PathPenalties
  let paths: StereoMatcher.Paths
  /// The left picture's gray levels, packed.
  let gray: UnsafePointer<UInt8>
  let threads: Int
  /// How many rows of costs and sums may lie in memory.
  let rowsInMemory: Int
  /// Rows from which costs and sums are made before the next are, so that they stay in a cache.
  static let chunk = 32
  static let lookahead = 48

  private var length: Int { cost.width * cost.lanes }
  private var verticalPaths: Int { paths == .four ? 1 : 3 }

  /// Calls `give` with ranges of rows in order, and where the sums of the row 0 would lie: a row's
  /// sums begin at `place(row)`.
  func run(
    _ give: (_ rows: Range<Int>, _ place: (Int) -> UnsafeMutablePointer<UInt16>) -> Void
  ) {
    let height = cost.height
    let isOnePass = paths == .five
    let capacity = isOnePass ? min(height, Self.chunk * 2) : min(height, rowsInMemory)
    let costs = MatchingMemory<UInt16>(unwritten: capacity * length)
    let sums = MatchingMemory<UInt16>(unwritten: capacity * length)
    let (costBase, sumBase, rowLength) = (costs.base, sums.base, length)
    let costPlace = { (y: Int) in costBase + y % capacity * rowLength }
    let sumPlace = { (y: Int) in sumBase + y % capacity * rowLength }
    let down = PathRows(width: cost.width, lanes: cost.lanes, paths: verticalPaths)
    let up = PathRows(width: cost.width, lanes: cost.lanes, paths: verticalPaths)
    var (made, given) = (0, 0)
    while given < height {
      let goal = min(height, given + capacity)
      while made < goal {
        let rows = made..<min(made + Self.chunk * max(threads, 1), goal)
        makeRows(rows, costBase: costBase, sumBase: sumBase, capacity: capacity)
        for y in rows {
          down.advance(to: y, from: y - 1, isFirst: y == 0, self, costPlace(y), sumPlace(y))
        }
        made = rows.upperBound
      }
      let end = isOnePass || made == height ? made : max(made - Self.lookahead, given + 1)
      if !isOnePass {
        for y in (given..<made).reversed() {
          up.advance(
            to: y, from: y + 1, isFirst: y == made - 1, self, costPlace(y),
            y < end ? sumPlace(y) : nil)
        }
      }
      give(given..<end, sumPlace)
      given = end
    }
  }

  /// Costs and horizontal paths of some rows.
  private func makeRows(
    _ rows: Range<Int>, costBase: UnsafeMutablePointer<UInt16>,
    sumBase: UnsafeMutablePointer<UInt16>, capacity: Int
  ) {
    let rowLength = length
    nonisolated(unsafe) let (aggregation, costBase, sumBase) = (self, costBase, sumBase)
    forEachPart(of: rows, threads: threads) { part in
      let cost = aggregation.cost
      cost.write(rows: part) { costBase + $0 % capacity * rowLength }
      let block = cost.lanes + Int(PLB_DISPARITY_LANES)
      let blocks = MatchingMemory<UInt16>(
        count: 4 * block + Int(PLB_DISPARITY_LANES), repeating: PathRows.wall)
      for y in part {
        let place = y % capacity * rowLength
        plb_stereo_horizontal(
          costBase + place, aggregation.gray + y * cost.width, cost.width, cost.lanes,
          aggregation.penalties.smallStep, aggregation.penalties.largeSteps, blocks.base,
          sumBase + place)
      }
    }
  }
}
