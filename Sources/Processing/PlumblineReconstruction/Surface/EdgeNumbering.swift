/// Gives the crossed edges that triangles use consecutive numbers, in the order of block, voxel and axis.
struct EdgeNumbering {
  static let edgesPerBlock = BlockKey.voxelCount * 3
  static let wordsPerBlock = edgesPerBlock / 64

  /// One bit for each edge that is used.
  let used: [UInt64]
  /// How many are used before each word.
  private let before: [UInt32]
  /// How many are used in all.
  let count: Int

  private init(used: [UInt64], before: [UInt32], count: Int) {
    self.used = used
    self.before = before
    self.count = count
  }

  /// Numbers the edges that the triangles of blocks use; O(edges + blocks).
  static func numbering(_ parts: [CrossedEdges], of blocks: SortedBlocks) -> EdgeNumbering {
    var used = [UInt64](repeating: 0, count: blocks.keys.count * EdgeNumbering.wordsPerBlock)
    for part in parts {
      part.forEachTriangle(of: blocks) { a, b, c in
        for edge in [a, b, c] { used[edge >> 6] |= 1 << UInt64(edge & 63) }
      }
    }
    var before = [UInt32](repeating: 0, count: used.count)
    var count = 0
    for word in used.indices {
      before[word] = UInt32(truncatingIfNeeded: count)
      count += used[word].nonzeroBitCount
    }
    return EdgeNumbering(used: used, before: before, count: count)
  }

  /// The number of a used edge.
  func vertex(of edge: Int) -> UInt32 {
    let below = used[edge >> 6] & (1 << UInt64(edge & 63) &- 1)
    return before[edge >> 6] + UInt32(below.nonzeroBitCount)
  }

  /// How many edges of earlier blocks are used.
  func first(ofBlock rank: Int) -> Int { Int(before[rank * EdgeNumbering.wordsPerBlock]) }
}
