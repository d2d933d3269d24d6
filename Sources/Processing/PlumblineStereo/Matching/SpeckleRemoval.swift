/// Removes small patches with a disparity of their own.
enum SpeckleRemoval {
  /// Pixels beside one another in a row that belong to one patch.
  private struct Run {
    let first: Int32
    var end: Int32
    /// A run of the same patch; itself where it stands for the patch.
    var parent: Int32
    /// How many pixels the patch has, where the run stands for it.
    var pixels: Int32
  }

  /// Makes patches of fewer than `leastPixels` pixels NaN, where neighbors of one patch differ by
  /// at most `step`; returns how many pixels that were.
  ///
  /// - Precondition: There are fewer than 2³¹ pixels.
  /// - Complexity: O(pixels), and O(α) for each pair of runs that touch.
  static func apply(
    to disparity: UnsafeMutablePointer<Float>, width: Int, height: Int, leastPixels: Int,
    step: Float
  ) -> Int {
    guard leastPixels > 1, width > 0 else { return 0 }
    var runs: [Run] = []
    runs.reserveCapacity(64 * height)
    // The run of each pixel of this row and of the one above; −1 where there is none.
    let rows = MatchingMemory<Int32>(count: 2 * width, repeating: -1)
    var (here, above) = (rows.base, rows.base + width)
    for y in 0..<height {
      swap(&here, &above)
      let row = disparity + y * width
      let rowStart = Int32(y * width)
      var previous = Float.nan
      for x in 0..<width {
        let value = row[x]
        if abs(value - previous) <= step {
          here[x] = here[x - 1]
        } else if value.isNaN {
          here[x] = -1
        } else {
          here[x] = Int32(runs.count)
          let place = rowStart + Int32(x)
          runs.append(Run(first: place, end: place, parent: here[x], pixels: 0))
        }
        if here[x] >= 0 { runs[Int(here[x])].end = rowStart + Int32(x) + 1 }
        previous = value
      }
      if y > 0 { join(&runs, row, row - width, here, above, width: width, step: step) }
    }
    for index in runs.indices {
      runs[root(&runs, Int32(index))].pixels += runs[index].end - runs[index].first
    }
    var removed = 0
    for index in runs.indices where Int(runs[root(&runs, Int32(index))].pixels) < leastPixels {
      let run = runs[index]
      (disparity + Int(run.first)).update(repeating: .nan, count: Int(run.end - run.first))
      removed += Int(run.end - run.first)
    }
    return removed
  }

  /// Joins the patches of two rows where pixels above one another belong together.
  private static func join(
    _ runs: inout [Run], _ row: UnsafePointer<Float>, _ rowAbove: UnsafePointer<Float>,
    _ here: UnsafePointer<Int32>, _ above: UnsafePointer<Int32>, width: Int, step: Float
  ) {
    var last: (Int32, Int32) = (-1, -1)
    for x in 0..<width where abs(row[x] - rowAbove[x]) <= step {
      let pair = (here[x], above[x])
      if pair == last { continue }
      last = pair
      let (a, b) = (root(&runs, pair.0), root(&runs, pair.1))
      // The older run stands for both, so that the order of joining does not matter.
      if a < b { runs[b].parent = Int32(a) } else { runs[a].parent = Int32(b) }
    }
  }

  private static func root(_ runs: inout [Run], _ start: Int32) -> Int {
    var index = Int(start)
    while Int(runs[index].parent) != index {
      runs[index].parent = runs[Int(runs[index].parent)].parent
      index = Int(runs[index].parent)
    }
    return index
  }
}
