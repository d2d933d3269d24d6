package import PlumblineGeometry
package import PlumblineModel

/// Points with what registration compares of them.
package struct RegistrationCloud: Sendable {
  /// In meters.
  package var positions: [PackedPoint]
  /// Unit vectors out of the surface; NaN where unknown.
  package var normals: [PackedPoint]?
  /// The brightness of each point in any unit.
  package var intensities: [Float]?
  /// One standard deviation of each point along its normal, in meters.
  package var sigmaMeters: [Float]?

  /// Collects points.
  ///
  /// - Precondition: Each attribute has as many elements as there are positions.
  package init(
    positions: [PackedPoint], normals: [PackedPoint]? = nil, intensities: [Float]? = nil,
    sigmaMeters: [Float]? = nil
  ) {
    let counts = [normals?.count, intensities?.count, sigmaMeters?.count]
    precondition(
      counts.allSatisfy { $0 == nil || $0 == positions.count },
      "attributes of \(counts.map { $0 ?? positions.count }) for \(positions.count) points")
    self.positions = positions
    self.normals = normals
    self.intensities = intensities
    self.sigmaMeters = sigmaMeters
  }

  /// One point for each voxel, with the mean of each attribute; ± is that of a mean of errors that the points
  /// do not share.
  ///
  /// - Throws: ``VoxelNumberingError`` where there are more than 2²⁰ voxels along an axis.
  package func downsampled(voxelMeters: Double, threads: Int) throws(VoxelNumberingError)
    -> RegistrationCloud
  {
    let groups = try VoxelGroups.grouping(positions, size: voxelMeters)
    return RegistrationCloud(
      positions: groups.means(of: positions, threads: threads),
      normals: normals.map { groups.meanDirections(of: $0, threads: threads) },
      intensities: intensities.map { groups.means(of: $0, threads: threads) },
      sigmaMeters: sigmaMeters.map { groups.sigmas(of: $0, threads: threads) })
  }
}

/// Points to register against, with the tree that finds them.
package struct RegistrationTarget: Sendable {
  /// The points.
  package let cloud: RegistrationCloud
  /// The tree of their positions.
  package let tree: KDTree
  /// The change of intensity per meter along the surface at each point; `nil` without intensities.
  package let intensityGradients: [PackedPoint]?

  private init(cloud: RegistrationCloud, tree: KDTree, intensityGradients: [PackedPoint]?) {
    self.cloud = cloud
    self.tree = tree
    self.intensityGradients = intensityGradients
  }

  /// Builds what registration needs of a cloud.
  ///
  /// - Parameters:
  ///   - cloud: In its own frame.
  ///   - threads: The maximum number of threads; the result does not depend on it.
  /// - Returns: With intensity gradients where the cloud has normals and intensities.
  /// - Complexity: O(*n* log *n*).
  package static func build(_ cloud: RegistrationCloud, threads: Int) -> RegistrationTarget {
    let tree = KDTree.build(cloud.positions, threads: threads)
    return RegistrationTarget(
      cloud: cloud, tree: tree,
      intensityGradients: IntensityGradients.estimate(of: cloud, tree: tree, threads: threads))
  }
}

extension VoxelGroups {
  /// The mean of each voxel's numbers.
  func means(of values: [Float], threads: Int) -> [Float] {
    values.withUnsafeBufferPointer { values in
      map(initial: 0, threads: threads) { members in
        Float(members.reduce(0.0) { $0 + Double(values[Int($1)]) } / Double(members.count))
      }
    }
  }

  /// The mean direction of each voxel's unit vectors, those that are not finite left out; NaN without any.
  func meanDirections(of vectors: [PackedPoint], threads: Int) -> [PackedPoint] {
    vectors.withUnsafeBufferPointer { vectors in
      map(initial: PackedPoint(x: .nan, y: .nan, z: .nan), threads: threads) { members in
        var sum = SIMD3<Double>.zero
        for index in members {
          let vector = vectors[Int(index)].wide
          if vector.x.isFinite { sum += vector }
        }
        let unit = sum / (sum * sum).sum().squareRoot()
        return PackedPoint(x: Float(unit.x), y: Float(unit.y), z: Float(unit.z))
      }
    }
  }
}

extension PackedPoint {
  /// In double precision.
  @inline(__always)
  var wide: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
}
