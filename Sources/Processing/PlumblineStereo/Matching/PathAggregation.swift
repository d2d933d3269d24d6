import CKernels

/// The costs of a pair summed along paths, given row by row to the code that chooses disparities.
///
/// Five paths need the row before alone. For four and eight, ``RowBlocks`` says which rows are kept and
/// which are made anew. All numbers are whole, so that neither the division nor the number of threads
/// changes a bit.
struct PathAggregation {
  let cost: MatchingCost
  let penalties: PathPenalties
  let paths: StereoMatcher.Paths
  /// The left image's gray levels, packed.
  let gray: UnsafePointer<UInt8>
  let threads: Int
  /// How the rows are divided.
  let blocks: RowBlocks

  /// Takes what is summed and in how much memory.
  ///
  /// - Parameters:
  ///   - cost: What each pixel costs.
  ///   - penalties: What a change of disparity costs.
  ///   - paths: From where costs are summed.
  ///   - gray: The left image's gray levels, packed.
  ///   - threads: How many threads work; the result is the same for any number.
  ///   - bytes: What costs and sums may take, see ``RowBlocks``.
  init(
    cost: MatchingCost, penalties: PathPenalties, paths: StereoMatcher.Paths,
    gray: UnsafePointer<UInt8>, threads: Int, within bytes: Int
  ) {
    self.cost = cost
    self.penalties = penalties
    self.paths = paths
    self.gray = gray
    self.threads = threads
    blocks = RowBlocks.divide(
      height: cost.height,
      keptBytes: PathRows.keptBytes(
        width: cost.width, count: cost.disparities.count, paths: paths.verticalCount),
      rowBytes: cost.width * cost.lanes * Self.bytesPerLane, within: bytes)
  }

  /// The rows that each thread makes at once with five paths.
  private static let rowsPerThread = 16
  /// The bytes of a cost and a sum.
  private static let bytesPerLane = MemoryLayout<UInt8>.size + MemoryLayout<UInt16>.size

  /// Calls `give` with ranges of rows, each row once, and a row's sums begin at `place(row)`.
  ///
  /// One thread takes each row through all steps while it is in a cache; several share rows, step
  /// by step.
  func run(
    in workspace: inout MatchingWorkspace,
    _ give: (_ rows: Range<Int>, _ place: (Int) -> UnsafeMutablePointer<UInt16>) -> Void
  ) {
    let isSerial = threads <= 1
    let isOnePass = paths == .five
    let chunk = isOnePass ? (isSerial ? 1 : Self.rowsPerThread * threads) : blocks.blockRows
    let rows = min(cost.height, chunk)
    workspace.reserve(
      rows * cost.width * cost.lanes,
      kept: isOnePass ? 0 : blocks.keptRows * keptBytes)
    let passes = PathPasses(self, workspace, rows: rows)
    if isOnePass {
      // One thread goes through all rows at once, since each beginning makes two more rows of costs.
      let step = isSerial ? max(cost.height, 1) : rows
      for first in stride(from: 0, to: cost.height, by: step) {
        passes.takeDownwards(first..<min(first + step, cost.height), give)
      }
    } else {
      passes.take(0..<cost.height, division: 0, give)
    }
  }

  /// The bytes of the paths from above at one row that is kept.
  var keptBytes: Int {
    PathRows.keptBytes(
      width: cost.width, count: cost.disparities.count, paths: paths.verticalCount)
  }
}

/// The passes over the rows of one pair, and the memory they work in.
private struct PathPasses {
  typealias Give = (_ rows: Range<Int>, _ place: (Int) -> UnsafeMutablePointer<UInt16>) -> Void

  let aggregation: PathAggregation
  /// How many rows lie in memory.
  let rows: Int
  let costs: UnsafeMutablePointer<UInt8>
  let sums: UnsafeMutablePointer<UInt16>
  let kept: UnsafeMutablePointer<UInt8>
  let down: PathRows
  let up: PathRows

  private var cost: MatchingCost { aggregation.cost }
  private var isSerial: Bool { aggregation.threads <= 1 }

  init(_ aggregation: PathAggregation, _ workspace: borrowing MatchingWorkspace, rows: Int) {
    let cost = aggregation.cost
    self.aggregation = aggregation
    self.rows = rows
    costs = workspace.costs.base
    sums = workspace.sums.base
    kept = workspace.kept.base
    func paths() -> PathRows {
      PathRows(
        width: cost.width, lanes: cost.lanes, count: cost.disparities.count,
        paths: aggregation.paths.verticalCount)
    }
    down = paths()
    up = aggregation.paths == .five ? down : paths()
  }

  /// Where the costs of a row of a block lie.
  private func costPlace(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    costs + y % rows * cost.width * cost.lanes
  }

  /// Where the sums of a row of a block lie.
  private func sumPlace(_ y: Int) -> UnsafeMutablePointer<UInt16> {
    sums + y % rows * cost.width * cost.lanes
  }

  /// Gives rows from the last to the first; paths from above are those of the row before the first.
  func take(_ range: Range<Int>, division: Int, _ give: Give) {
    guard range.count > rows else {
      sumFromAbove(range)
      sumFromBelow(range, give)
      return
    }
    let blocks = aggregation.blocks, bytes = aggregation.keptBytes
    let size = blocks.sizes[division]
    let place = kept + blocks.kept[..<division].reduce(0, +) * bytes
    let starts = Array(stride(from: range.lowerBound, to: range.upperBound, by: size))
    for (index, start) in starts.dropLast().enumerated() {
      down.keep(at: place + index * bytes)
      pass(start..<start + size)
    }
    for (index, start) in starts.enumerated().reversed() {
      if index < starts.count - 1 { down.resume(from: place + index * bytes) }
      take(start..<min(start + size, range.upperBound), division: division + 1, give)
    }
  }

  /// Gives rows of five paths in their order.
  func takeDownwards(_ range: Range<Int>, _ give: Give) {
    if isSerial {
      aggregation.makeRows(range, costPlace, sumPlace) { y in
        advanceDown(to: y, sumPlace(y), sumPlace(y))
        give(y..<y + 1, sumPlace)
      }
      return
    }
    makeRowsTogether(range)
    for y in range { advanceDown(to: y, sumPlace(y), sumPlace(y)) }
    give(range, sumPlace)
  }

  /// Takes the paths from above past some rows without sums.
  private func pass(_ range: Range<Int>) {
    if isSerial {
      cost.write(rows: range, to: costPlace) { y in advanceDown(to: y, nil, nil) }
      return
    }
    for first in stride(from: range.lowerBound, to: range.upperBound, by: rows) {
      let part = first..<min(first + rows, range.upperBound)
      nonisolated(unsafe) let passes = self
      forEachPart(of: part, threads: aggregation.threads) { part in
        passes.cost.write(rows: part, to: passes.costPlace) { _ in }
      }
      for y in part { advanceDown(to: y, nil, nil) }
    }
  }

  /// Costs of a block, and the sums of all paths but those from below.
  private func sumFromAbove(_ range: Range<Int>) {
    if isSerial {
      aggregation.makeRows(range, costPlace, sumPlace) { y in
        advanceDown(to: y, sumPlace(y), sumPlace(y))
      }
      return
    }
    makeRowsTogether(range)
    for y in range { advanceDown(to: y, sumPlace(y), sumPlace(y)) }
  }

  /// Adds the paths from below to the sums of a block, and gives its rows.
  private func sumFromBelow(_ range: Range<Int>, _ give: Give) {
    for y in range.reversed() {
      up.advance(
        to: y, from: y + 1, isFirst: y == cost.height - 1, aggregation, costPlace(y), sumPlace(y),
        sumPlace(y))
      if isSerial { give(y..<y + 1, sumPlace) }
    }
    if !isSerial { give(range, sumPlace) }
  }

  private func advanceDown(
    to y: Int, _ sums: UnsafeMutablePointer<UInt16>?, _ result: UnsafeMutablePointer<UInt16>?
  ) {
    down.advance(
      to: y, from: y - 1, isFirst: y == 0, aggregation, costPlace(y), sums, result)
  }

  private func makeRowsTogether(_ range: Range<Int>) {
    nonisolated(unsafe) let passes = self
    forEachPart(of: range, threads: aggregation.threads) { part in
      passes.aggregation.makeRows(part, passes.costPlace, passes.sumPlace) { _ in }
    }
  }
}

extension PathAggregation {
  /// Costs and horizontal paths of some rows; `then` is called after each.
  fileprivate func makeRows(
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

extension StereoMatcher.Paths {
  /// How many of the paths come from the row above, and with four and eight as many from below.
  var verticalCount: Int { self == .four ? 1 : 3 }
}
