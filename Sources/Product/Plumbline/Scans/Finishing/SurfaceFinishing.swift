import PlumblineGeometry

/// Removes small parts of a surface, closes holes and simplifies it, as far as that was asked for.
struct SurfaceFinishing: Sendable {
  /// What is done.
  let settings: SurfaceSettings
  /// The side of a voxel, in meters.
  let voxelMeters: Double
  /// The most threads; the result does not depend on it.
  let threads: Int

  /// The finished surface, and what became of it.
  ///
  /// The part of the largest area stays, however small. Holes are closed before triangles become fewer, so
  /// that what is invented is simplified as well.
  ///
  /// - Parameter mesh: As fused.
  /// - Returns: Without texture where it changed. Cost: O(*n*), O(*n* log *n*) with simplification, and the
  ///   cube of each closed hole's edges.
  func finished(_ mesh: TriangleMesh) -> (mesh: TriangleMesh, changes: SurfaceChanges) {
    var changes = SurfaceChanges()
    var mesh = withoutSmallParts(mesh, &changes)
    if settings.closedHoleMeters > 0 {
      let closed = MeshHoles(
        mostEdges: Self.mostEdges, longestPerimeterMeters: settings.closedHoleMeters
      ).close(mesh)
      mesh = closed.mesh
      changes.closedHoleCount = closed.closedCount
      changes.openHoleCount = closed.openCount
    }
    if settings.triangleCount != nil || settings.toleranceMeters != nil {
      changes.unsimplifiedTriangleCount = mesh.triangles.count
      mesh = MeshSimplification(
        triangleCount: settings.triangleCount ?? 0, errorMeters: settings.toleranceMeters
      ).simplify(mesh, threads: threads)
    }
    return (mesh, changes)
  }

  /// Holes of more edges stay open: a thousand take a second.
  private static let mostEdges = 1000

  private func withoutSmallParts(
    _ mesh: TriangleMesh, _ changes: inout SurfaceChanges
  ) -> TriangleMesh {
    let found = MeshComponents.find(in: mesh)
    let largest = found.largest.map { found.components[$0].areaSquareMeters } ?? 0
    let smallest =
      settings.smallestPartSquareMeters
      ?? max(
        SurfaceSettings.usualSmallestPart(voxelMeters: voxelMeters),
        settings.smallestPartShare * largest)
    changes.smallestPartSquareMeters = smallest
    let stays = found.components.indices.map {
      $0 == found.largest || found.components[$0].areaSquareMeters >= smallest
    }
    for (component, isKept) in zip(found.components, stays) where !isKept {
      changes.removedPartCount += 1
      changes.removedSquareMeters += component.areaSquareMeters
    }
    guard changes.removedPartCount > 0 else { return mesh }
    return mesh.keeping(
      triangles: mesh.triangles.indices.filter { stays[Int(found.componentOfTriangle[$0])] })
  }
}
