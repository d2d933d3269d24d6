/// Removes small patches with a disparity of their own.
enum SpeckleRemoval {
  /// Makes patches of fewer than `leastPixels` pixels NaN, where neighbors of one patch differ by
  /// at most `step`; returns how many pixels that were.
  ///
  /// - Complexity: O(pixels · α), by joining runs to the row above.
  static func apply(
    to disparity: UnsafeMutablePointer<Float>, width: Int, height: Int, leastPixels: Int,
    step: Float
  ) -> Int {
    guard leastPixels > 1 else { return 0 }
    let count = width * height
    let parents = MatchingMemory<Int32>(count: count, repeating: -1)
    let sizes = MatchingMemory<Int32>(count: count, repeating: 0)
    let parent = parents.base
    func root(_ start: Int32) -> Int32 {
      var index = start
      while parent[Int(index)] != index {
        parent[Int(index)] = parent[Int(parent[Int(index)])]
        index = parent[Int(index)]
      }
      return index
    }
    for y in 0..<height {
      for index in y * width..<(y + 1) * width where !disparity[index].isNaN {
        let value = disparity[index]
        parent[index] = Int32(index)
        if index > y * width, abs(disparity[index - 1] - value) <= step {
          parent[index] = parent[index - 1]
        }
        guard y > 0, abs(disparity[index - width] - value) <= step else { continue }
        let neighbor = parent[index - width]
        if neighbor == parent[index] { continue }
        let above = root(neighbor), here = root(parent[index])
        if above < here { parent[Int(here)] = above } else { parent[Int(above)] = here }
      }
    }
    for index in 0..<count where parent[index] >= 0 {
      parent[index] = root(Int32(index))
      sizes.base[Int(parent[index])] += 1
    }
    var removed = 0
    for index in 0..<count where parent[index] >= 0 {
      if Int(sizes.base[Int(parent[index])]) < leastPixels {
        disparity[index] = .nan
        removed += 1
      }
    }
    return removed
  }
}
