internal import CKernels
package import PlumblineModel

/// The plane through the neighbors of each point.
package struct PointNormals: Sendable {
  /// Unit vectors toward the viewpoint; NaN where fewer than three neighbors are, or all on a line.
  package let normals: [PackedPoint]
  /// The variances of the neighbors along the plane's normal (`x`) and along its two axes (`y` ≤ `z`), in
  /// the squared unit of the points; NaN where there is no normal.
  package let variances: [PackedPoint]

  /// Fits a plane to the nearest neighbors of every point of a tree.
  ///
  /// The normal is the eigenvector of the least eigenvalue of the neighbors' covariance, computed in double
  /// precision about their mean.
  /// - Parameters:
  ///   - tree: The points.
  ///   - neighbors: How many, the point itself among them.
  ///   - radius: Neighbors farther away do not count.
  ///   - viewpoint: Where the points were seen from, in their frame.
  ///   - threads: The maximum number of threads; the result does not depend on it.
  /// - Returns: As many as points.
  /// - Precondition: At least three neighbors.
  /// - Complexity: O(*n*(log *n* + *k*)).
  package static func estimate(
    of tree: KDTree, neighbors: Int = 20, within radius: Float = .infinity,
    viewpoint: SIMD3<Float> = .zero, threads: Int
  ) -> PointNormals {
    precondition(neighbors >= 3, "a plane through \(neighbors) points")
    let none = PackedPoint(x: .nan, y: .nan, z: .nan)
    var normals = [PackedPoint](repeating: none, count: tree.points.count)
    var variances = normals
    KDTree.withCoordinates(tree.points) { coordinates in
      normals.withUnsafeMutableBufferPointer { normals in
        variances.withUnsafeMutableBufferPointer { variances in
          tree.forEachOwnBatch(neighbors: neighbors, within: radius, threads: threads) {
            indices, places, found in
            var planes = [Float](repeating: 0, count: 6 * indices.count)
            let second = 3 * indices.count
            planes.withUnsafeMutableBufferPointer { planes in
              let seen = [viewpoint.x, viewpoint.y, viewpoint.z]
              if let planes = planes.baseAddress, let found = found.baseAddress,
                let places = UnsafeRawBufferPointer(places).baseAddress
              {
                plb_neighbor_planes(
                  coordinates, found, indices.count, Int32(neighbors),
                  places.assumingMemoryBound(to: Float.self), seen, planes, planes + second)
              }
              for (place, index) in indices.enumerated() {
                let n = 3 * place
                normals[Int(index)] = PackedPoint(
                  x: planes[n], y: planes[n + 1], z: planes[n + 2])
                let v = second + n
                variances[Int(index)] = PackedPoint(
                  x: planes[v], y: planes[v + 1], z: planes[v + 2])
              }
            }
          }
        }
      }
    }
    return PointNormals(normals: normals, variances: variances)
  }
}
