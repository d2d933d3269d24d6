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
  /// - Complexity: O(voxels); beside the result 6 bytes a triangle and 288 bytes a block.
  package func surface(threads: Int) throws(MeshError) -> FusedSurface {
    let blocks = SortedBlocks(self)
    let (triangles, numbering) = numberedTriangles(of: blocks, threads: threads)
    let vertices = SurfaceVertices.make(
      of: self, blocks: blocks, numbering: numbering, threads: threads)
    let mesh = try TriangleMesh(
      positions: vertices.positions, triangles: triangles, colors: vertices.colors,
      sigmaMeters: vertices.errors.sigmaMeters)
    return FusedSurface(mesh: mesh, errors: vertices.errors)
  }

  /// Blocks that one task examines.
  static let blocksPerTask = 32

  /// The triangles with the numbers of their vertices.
  private func numberedTriangles(
    of blocks: SortedBlocks, threads: Int
  ) -> (triangles: [TriangleIndices], numbering: EdgeNumbering) {
    let cases = CubeCases.build()
    let count = blocks.keys.count
    let leastFrames = Float(min(settings.leastFrames, 0.05 * independentFrames))
    let tasks = (count + SurfaceVolume.blocksPerTask - 1) / SurfaceVolume.blocksPerTask
    var parts = [CrossedEdges](repeating: CrossedEdges(), count: tasks)
    parts.withUnsafeMutableBufferPointer { parts in
      withVoxels { voxels in
        forEachConcurrently(tasks, threads: threads) { task in
          let first = task * SurfaceVolume.blocksPerTask
          parts[task] = CrossedEdges.find(
            first..<min(count, first + SurfaceVolume.blocksPerTask), of: blocks, voxels: voxels,
            states: states, cases: cases, leastFrames: leastFrames)
        }
      }
    }
    let numbering = EdgeNumbering.numbering(parts, of: blocks)
    return (CrossedEdges.triangles(of: parts, blocks, numbering, threads: threads), numbering)
  }
}
