package import PlumblineGeometry
import PlumblineModel

/// A surface of a volume with the parts of its ±.
package struct FusedSurface: Sendable {
  /// In the world's frame, with the ± of noise and shared error, and colors where frames had them.
  package var mesh: TriangleMesh
  /// The parts of the ±.
  package var errors: VertexErrors
}

extension SurfaceVolume {
  /// The surface where distances change their sign, by marching cubes over the cubes whose eight corners were all
  /// seen.
  ///
  /// Vertices are shared by the triangles around them and numbered by block (z, y, x), voxel and axis. Nothing is
  /// smoothed, nothing invented: what was not seen is a hole. Vertices without a color between voxels that have
  /// none are black.
  ///
  /// - Parameter threads: The maximum number of threads; the result has the same bytes for any.
  /// - Returns: The mesh in the world's frame, outside where frames saw free space.
  /// - Throws: For more than 2³¹ − 1 vertices or triangles.
  /// - Complexity: O(voxels).
  package func surface(threads: Int) throws(MeshError) -> FusedSurface {
    let blocks = SortedBlocks(self)
    let edges = crossedEdges(of: blocks, threads: threads)
    let numbering = EdgeNumbering.numbering(edges, blockCount: blocks.keys.count)
    let vertices = SurfaceVertices.make(
      of: self, blocks: blocks, numbering: numbering, threads: threads)
    var triangles: [TriangleIndices] = []
    triangles.reserveCapacity(edges.reduce(0) { $0 + $1.count } / 3)
    for part in edges {
      for i in Swift.stride(from: 0, to: part.count, by: 3) {
        triangles.append(
          TriangleIndices(
            numbering.vertex(of: part[i]), numbering.vertex(of: part[i + 1]),
            numbering.vertex(of: part[i + 2])))
      }
    }
    let errors = VertexErrors(
      noiseMeters: vertices.map(\.noise), sharedMeters: vertices.map(\.shared),
      views: vertices.map(\.views))
    let hasColors = slabs.contains { !$0.colors.isEmpty }
    let mesh = try TriangleMesh(
      positions: vertices.map(\.position), triangles: triangles,
      colors: hasColors ? vertices.map(\.color) : nil, sigmaMeters: errors.sigmaMeters)
    return FusedSurface(mesh: mesh, errors: errors)
  }

  /// Blocks that one task examines.
  static let blocksPerTask = 32

  /// The three edges of each triangle, for each task in the order of blocks and voxels.
  private func crossedEdges(of blocks: SortedBlocks, threads: Int) -> [[Int]] {
    let cases = CubeCases.build()
    let count = blocks.keys.count
    let leastFrames = Float(min(settings.leastFrames, 0.05 * independentFrames))
    let tasks = (count + SurfaceVolume.blocksPerTask - 1) / SurfaceVolume.blocksPerTask
    var result = [[Int]](repeating: [], count: tasks)
    result.withUnsafeMutableBufferPointer { result in
      withVoxels { voxels in
        forEachConcurrently(tasks, threads: threads) { task in
          let first = task * SurfaceVolume.blocksPerTask
          var halo = BlockHalo()
          for rank in first..<min(count, first + SurfaceVolume.blocksPerTask)
          where blocks.hasSolid(rank, states) {
            halo.load(rank, of: blocks, from: voxels, states, leastFrames: leastFrames)
            SurfaceVolume.appendEdges(of: halo, cases, to: &result[task])
          }
        }
      }
    }
    return result
  }

  /// Appends the triangles of the cubes that a block owns.
  private static func appendEdges(of halo: BlockHalo, _ cases: CubeCases, to result: inout [Int]) {
    let side = BlockHalo.side
    let corners = (0..<8).map { (($0 >> 2) * side + ($0 >> 1 & 1)) * side + ($0 & 1) }
    halo.distances.withUnsafeBufferPointer { distances in
      halo.weights.withUnsafeBufferPointer { weights in
        for z in 0..<8 {
          for y in 0..<8 {
            for x in 0..<8 {
              let first = (z * side + y) * side + x
              guard weights[first] > 0 else { continue }
              var inside = 0
              var isSeen = true
              for corner in 0..<8 {
                let here = first + corners[corner]
                if !(weights[here] > 0) { isSeen = false }
                if distances[here] < 0 { inside |= 1 << corner }
              }
              guard isSeen, inside != 0, inside != 255 else { continue }
              for edge in cases.triangles[inside] {
                result.append(identifier(of: Int(edge), x, y, z, halo))
              }
            }
          }
        }
      }
    }
  }

  /// The edge's number among those of all blocks: three for each voxel.
  private static func identifier(of edge: Int, _ x: Int, _ y: Int, _ z: Int, _ halo: BlockHalo)
    -> Int
  {
    let corner = CubeCases.edgeCorners[edge]
    let (ex, ey, ez) = (x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2))
    let rank = halo.ranks[ex >> 3 | (ey >> 3) << 1 | (ez >> 3) << 2]
    let voxel = ((ez & 7) * 8 + (ey & 7)) * 8 + (ex & 7)
    return rank * EdgeNumbering.edgesPerBlock + voxel * 3 + (edge >> 2)
  }
}
