import CKernels

/// The costs of a pair summed along paths, given row by row to the code that chooses disparities.
///
/// Paths from the left, the right and above are exact. Those from below begin, where the rows in
/// memory are fewer than the image's, `lookahead` rows below the last one that is given: the same
/// rows for any number of threads.
struct PathAggregation {
  let cost: MatchingCost
  let penalties: PathPenalties
  let paths: StereoMatcher.Paths
  /// The left image's gray levels, packed.
  let gray: UnsafePointer<UInt8>
  let threads: Int
  /// How many rows of costs and sums may lie in memory.
  let rowsInMemory: Int
  /// Rows from which costs and sums are made before the next are, so that they stay in a cache.
  static let chunk = 32
  static let lookahead = 48

  private var length: Int { cost.width * cost.lanes }
  private var verticalPaths: Int { paths == .four ? 1 : 3 }

  /// Calls `give` with ranges of rows, each row once, and a row's sums begin at `place(row)`.
  ///
  /// One thread takes each row through all steps while it is in a cache; several share rows, step
  /// by step. Sums are whole numbers, so that both give the same.
  func run(
    in workspace: inout MatchingWorkspace,
    _ give: (_ rows: Range<Int>, _ place: (Int) -> UnsafeMutablePointer<UInt16>) -> Void
  ) {
    let height = cost.height
    let isOnePass = paths == .five
    let isSerial = threads <= 1
    let chunk = isSerial ? height : Self.chunk * threads
    let capacity = min(height, isOnePass ? (isSerial ? 1 : chunk) : rowsInMemory)
    workspace.reserve(capacity * length)
    // What one thread is given at once need not go back to memory.
    let last = MatchingMemory<UInt16>(unwritten: length)
    let lastBase = last.base
    let (costBase, sumBase, rowLength) = (workspace.costs.base, workspace.sums.base, length)
    let costPlace = { (y: Int) in costBase + y % capacity * rowLength }
    let sumPlace = { (y: Int) in sumBase + y % capacity * rowLength }
    let down = PathRows(width: cost.width, lanes: cost.lanes, paths: verticalPaths)
    let up = PathRows(width: cost.width, lanes: cost.lanes, paths: verticalPaths)
    // One thread keeps a row of sums in the cache; what only the paths from below will need goes
    // past it.
    let sourcePlace = isSerial ? { (_: Int) in lastBase } : sumPlace
    let walk = { (y: Int) in
      down.advance(
        to: y, from: y - 1, isFirst: y == 0, self, costPlace(y), sourcePlace(y),
        isOnePass ? sourcePlace(y) : sumPlace(y), streams: isSerial && !isOnePass)
    }
    var (made, given) = (0, 0)
    while given < height {
      let goal = isOnePass && isSerial ? height : min(height, given + capacity)
      if isSerial {
        makeRows(made..<goal, costPlace, sourcePlace) { y in
          walk(y)
          if isOnePass { give(y..<y + 1, sourcePlace) }
        }
        made = goal
      }
      while made < goal {
        let rows = made..<min(made + chunk, goal)
        nonisolated(unsafe) let (aggregation, costPlace, sumPlace) = (self, costPlace, sumPlace)
        forEachPart(of: rows, threads: threads) { part in
          aggregation.makeRows(part, costPlace, sumPlace) { _ in }
        }
        for y in rows { walk(y) }
        made = rows.upperBound
      }
      let end = isOnePass || made == height ? made : max(made - Self.lookahead, given + 1)
      if !isOnePass {
        for y in (given..<made).reversed() {
          up.advance(
            to: y, from: y + 1, isFirst: y == made - 1, self, costPlace(y),
            y < end ? sumPlace(y) : nil, isSerial ? lastBase : sumPlace(y))
          if isSerial && y < end { give(y..<y + 1) { _ in lastBase } }
        }
      }
      if !isSerial { give(given..<end, sumPlace) }
      given = end
    }
  }

  /// Costs and horizontal paths of some rows; `then` is called after each.
  private func makeRows(
    _ rows: Range<Int>, _ costPlace: (Int) -> UnsafeMutablePointer<UInt8>,
    _ sumPlace: (Int) -> UnsafeMutablePointer<UInt16>, then: (Int) -> Void
  ) {
    let block = cost.lanes + Int(PLB_DISPARITY_LANES)
    let blocks = MatchingMemory<UInt8>(
      count: 4 * block + Int(PLB_DISPARITY_LANES), repeating: PathRows.wall)
    cost.write(rows: rows, to: costPlace) { y in
      plb_stereo_horizontal(
        costPlace(y), gray + y * cost.width, cost.width, cost.lanes, penalties.smallStep,
        penalties.largeSteps, blocks.base, sumPlace(y))
      then(y)
    }
  }
}

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

/// What a path pays for changing its disparity, in units of ``MatchingCost``.
struct PathPenalties {
  /// For a change by 1.
  let smallStep: UInt8
  /// The most that a penalty may be: with the highest cost it still fits a byte.
  static let limit = Int(PLB_PENALTY_MOST)
  /// For a larger change, by the difference of the gray levels, 0…255.
  let largeSteps: [UInt8]

  /// Penalties that shrink where gray levels change, as surfaces end there.
  ///
  /// - Source: Hirschmüller 2008, equation 13 and below: P2′ = P2 / |ΔI|, never below P1; here
  ///   P2 / (1 + |ΔI| / scale), which is finite at 0.
  init(smallStep: Int, largeStep: Int, levelScale: Float) {
    self.smallStep = UInt8(min(max(smallStep, 0), Self.limit))
    let floor = Float(smallStep) * 1.5
    largeSteps = (0...255).map { difference in
      let step = Float(largeStep) / (1 + Float(difference) / levelScale)
      return UInt8(min(max(step, floor, 0), Float(Self.limit)))
    }
  }
}
