import CKernels

/// Removes small patches with a disparity of their own.
enum SpeckleRemoval {
  /// Makes patches of fewer than `leastPixels` pixels NaN, where neighbors of one patch differ by
  /// at most `step`; returns how many pixels that were.
  ///
  /// - Precondition: There are fewer than 2³¹ pixels.
  /// - Complexity: O(pixels), and O(α) for each pair of runs that touch; a byte for each pixel and 16 for
  ///   each run.
  static func apply(
    to disparity: UnsafeMutablePointer<Float>, width: Int, height: Int, leastPixels: Int,
    step: Float
  ) -> Int {
    guard leastPixels > 1, width > 0, height > 0 else { return 0 }
    let links = MatchingMemory<UInt8>(unwritten: width * height)
    let runCount = link(links.base, disparity, width: width, height: height, step: step)
    let runs = MatchingMemory<plb_filter_run>(unwritten: runCount)
    let labels = MatchingMemory<Int32>(count: 2 * width, repeating: 0)
    let found = Int(
      plb_filter_runs(links.base, Int32(width), Int32(height), labels.base, runs.base))
    var removed = 0
    for run in UnsafeBufferPointer(start: runs.base, count: found)
    where Int(run.size) < leastPixels {
      (disparity + Int(run.start)).update(repeating: .nan, count: Int(run.count))
      removed += Int(run.count)
    }
    return removed
  }

  /// Writes which pixels belong to their left neighbors and to those above; returns the number of runs that
  /// this makes of all rows.
  private static func link(
    _ links: UnsafeMutablePointer<UInt8>, _ disparity: UnsafePointer<Float>, width: Int,
    height: Int, step: Float
  ) -> Int {
    let steps = MatchingMemory<Float>(count: width, repeating: step)
    var runCount = 0
    for y in 0..<height {
      let row = disparity + y * width, here = links + y * width
      plb_filter_links(row, y > 0 ? row - width : row, steps.base, width, here)
      // A run begins at a pixel that is known and does not belong to its left neighbor.
      for x in 0..<width { runCount &+= here[x] & 3 == 1 ? 1 : 0 }
    }
    return runCount
  }
}
