import PlumblineGeometry
import PlumblineModel

/// The edges of the triangles of consecutive blocks, as small numbers: two bytes each.
struct CrossedEdges {
  /// The blocks with triangles, by their position in the order of keys, and how many edges each has.
  private var blocks: [(rank: Int, count: Int)] = []
  /// Three for each triangle: which of the block and its neighbors owns the edge, its voxel and axis.
  private var codes: [UInt16] = []

  /// The number of triangles.
  var triangleCount: Int { codes.count / 3 }

  /// Finds the triangles of some blocks; O(blocks).
  static func find(
    _ ranks: Range<Int>, of blocks: SortedBlocks, voxels: BlockVoxels, states: [BlockState],
    cases: CubeCases, leastFrames: Float
  ) -> CrossedEdges {
    var result = CrossedEdges()
    var (neighbors, halo) = (BlockNeighbors(), BlockHalo())
    for rank in ranks {
      neighbors.find(rank, in: blocks)
      guard neighbors.hasSolid(states) else { continue }
      halo.load(neighbors, from: voxels, states, leastFrames: leastFrames)
      let before = result.codes.count
      halo.forEachCrossedCube { x, y, z, inside in
        for edge in cases.triangles[inside] {
          result.codes.append(code(of: Int(edge), x, y, z))
        }
      }
      if result.codes.count > before { result.blocks.append((rank, result.codes.count - before)) }
    }
    return result
  }

  /// The edge's owner, voxel and axis.
  private static func code(of edge: Int, _ x: Int, _ y: Int, _ z: Int) -> UInt16 {
    let corner = CubeCases.edgeCorners[edge]
    let (ex, ey, ez) = (x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2))
    let neighbor = ex >> 3 | (ey >> 3) << 1 | (ez >> 3) << 2
    let voxel = ((ez & 7) * 8 + (ey & 7)) * 8 + (ex & 7)
    return UInt16(neighbor * EdgeNumbering.edgesPerBlock + voxel * 3 + (edge >> 2))
  }

  /// Calls with the three edges of each triangle, numbered among those of all blocks.
  func forEachTriangle(of sorted: SortedBlocks, _ body: (Int, Int, Int) -> Void) {
    var neighbors = BlockNeighbors()
    /// The edge's number: ``EdgeNumbering/edgesPerBlock`` for each block.
    func number(_ code: UInt16) -> Int {
      let (neighbor, edge) = Int(code).quotientAndRemainder(dividingBy: EdgeNumbering.edgesPerBlock)
      return neighbors.ranks[neighbor] * EdgeNumbering.edgesPerBlock + edge
    }
    var next = 0
    for (rank, count) in blocks {
      neighbors.find(rank, in: sorted)
      for i in stride(from: next, to: next + count, by: 3) {
        body(number(codes[i]), number(codes[i + 1]), number(codes[i + 2]))
      }
      next += count
    }
  }

  /// The triangles of all parts in their order; O(triangles).
  static func triangles(
    of parts: [CrossedEdges], _ blocks: SortedBlocks, _ numbering: EdgeNumbering, threads: Int
  ) -> [TriangleIndices] {
    var firsts: [Int] = []
    var total = 0
    for part in parts {
      firsts.append(total)
      total += part.triangleCount
    }
    let none = TriangleIndices(0, 0, 0)
    var triangles = [TriangleIndices](repeating: none, count: total)
    triangles.withUnsafeMutableBufferPointer { triangles in
      forEachConcurrently(parts.count, threads: threads) { number in
        var next = firsts[number]
        parts[number].forEachTriangle(of: blocks) { a, b, c in
          triangles[next] = TriangleIndices(
            numbering.vertex(of: a), numbering.vertex(of: b), numbering.vertex(of: c))
          next += 1
        }
      }
    }
    return triangles
  }
}
