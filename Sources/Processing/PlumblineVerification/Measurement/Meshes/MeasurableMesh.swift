package import PlumblineModel

/// A surface of triangles with the errors of its vertices: what is measured on meshes is measured on it.
///
/// Unit: meters, in any right-handed frame. Triangles are counter-clockwise seen from outside.
package struct MeasurableMesh: Sendable {
  /// The vertices.
  package let positions: [SIMD3<Double>]
  /// The corners of each triangle as places in ``positions``.
  package let triangles: [SIMD3<Int32>]
  /// One standard deviation of each vertex along its normal, of all causes but the scale, in meters; NaN where
  /// it is not known, `nil` where none is.
  package let sigmas: [Double]?
  /// Which vertices were invented to close holes; `nil` for none.
  package let invented: [Bool]?
  /// What vertices share; `nil` where that is not known.
  package let errors: SurfaceErrors?
  /// Unit vectors out of the surface; zero for vertices of no triangle.
  let normals: [SIMD3<Double>]

  private init(
    positions: [SIMD3<Double>], triangles: [SIMD3<Int32>], sigmas: [Double]?, invented: [Bool]?,
    errors: SurfaceErrors?, normals: [SIMD3<Double>]
  ) {
    self.positions = positions
    self.triangles = triangles
    self.sigmas = sigmas
    self.invented = invented
    self.errors = errors
    self.normals = normals
  }

  /// A surface with the normals of its vertices: the mean of those of its triangles, weighted by area.
  ///
  /// - Parameters:
  ///   - positions: Finite.
  ///   - triangles: Their corners are places in `positions`.
  ///   - sigmas: For each vertex; `nil` for unknown.
  ///   - invented: For each vertex; `nil` for none.
  ///   - errors: What vertices share.
  /// - Returns: The surface. Cost: O(*n*).
  /// - Precondition: The lists have one entry for each vertex, and each corner is one (checked).
  package static func prepared(
    positions: [SIMD3<Double>], triangles: [SIMD3<Int32>], sigmas: [Double]? = nil,
    invented: [Bool]? = nil, errors: SurfaceErrors? = nil
  ) -> MeasurableMesh {
    precondition(
      sigmas.map { $0.count == positions.count } ?? true
        && invented.map { $0.count == positions.count } ?? true,
      "lists of other lengths than \(positions.count)")
    var sums = [SIMD3<Double>](repeating: .zero, count: positions.count)
    for corners in triangles {
      let (a, b, c) = (Int(corners.x), Int(corners.y), Int(corners.z))
      let normal = (positions[b] - positions[a]).cross(positions[c] - positions[a])
      sums[a] += normal
      sums[b] += normal
      sums[c] += normal
    }
    return MeasurableMesh(
      positions: positions, triangles: triangles, sigmas: sigmas, invented: invented,
      errors: errors, normals: sums.map(\.unit))
  }

  /// The same vertices with some of the triangles; normals stay those of the whole.
  package func with(triangles: [SIMD3<Int32>]) -> MeasurableMesh {
    MeasurableMesh(
      positions: positions, triangles: triangles, sigmas: sigmas, invented: invented,
      errors: errors, normals: normals)
  }

  /// The surface after a rigid motion.
  package func moved(by motion: RigidTransform) -> MeasurableMesh {
    MeasurableMesh(
      positions: positions.map { motion * $0 }, triangles: triangles, sigmas: sigmas,
      invented: invented, errors: errors, normals: normals.map { motion.rotation * $0 })
  }

  /// The triangles whose corners all lie in a box along the axes.
  package func part(from low: SIMD3<Double>, through high: SIMD3<Double>) -> MeasurableMesh {
    with(
      triangles: triangles.filter { corners in
        (0..<3).allSatisfy { corner in
          let point = positions[Int(corners[corner])]
          return all(point .>= low) && all(point .<= high)
        }
      })
  }

  /// The corners of a triangle, in meters.
  func corners(_ triangle: Int) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    let corners = triangles[triangle]
    return (positions[Int(corners.x)], positions[Int(corners.y)], positions[Int(corners.z)])
  }

  /// (b − a) × (c − a) of a triangle: twice its area along its normal, in m².
  func doubledArea(_ triangle: Int) -> SIMD3<Double> {
    let (a, b, c) = corners(triangle)
    return (b - a).cross(c - a)
  }

  /// The unit normal of a triangle; `nil` for one without area.
  package func unitNormal(_ triangle: Int) -> SIMD3<Double>? {
    let normal = doubledArea(triangle).unit
    return normal == .zero ? nil : normal
  }

  /// The number of edges with a triangle on one side only, or with more than two, or with two of opposite
  /// orientation; 0 for a surface that encloses a volume.
  ///
  /// - Complexity: O(*n* log *n*).
  package var openEdgeCount: Int {
    var edges: [UInt64] = []
    edges.reserveCapacity(3 * triangles.count)
    for corners in triangles {
      for (a, b) in [(corners.x, corners.y), (corners.y, corners.z), (corners.z, corners.x)] {
        edges.append(
          UInt64(UInt32(min(a, b))) << 33 | UInt64(UInt32(max(a, b))) << 1 | (a < b ? 0 : 1))
      }
    }
    edges.sort()
    var open = 0
    var index = 0
    while index < edges.count {
      var end = index
      var balance = 0
      while end < edges.count, edges[end] >> 1 == edges[index] >> 1 {
        balance += edges[end] & 1 == 0 ? 1 : -1
        end += 1
      }
      if end - index != 2 || balance != 0 { open += 1 }
      index = end
    }
    return open
  }

  /// The share of the area whose triangles have an invented corner.
  package var inventedShare: Double {
    guard let invented else { return 0 }
    var (part, whole) = (0.0, 0.0)
    for (index, corners) in triangles.enumerated() {
      let area = doubledArea(index).norm
      whole += area
      if (0..<3).contains(where: { invented[Int(corners[$0])] }) { part += area }
    }
    return whole > 0 ? part / whole : 0
  }
}

extension SIMD3<Double> {
  /// The Euclidean length.
  var norm: Double { dot(self).squareRoot() }

  /// The vector of length 1; zero for zero.
  var unit: SIMD3 {
    let length = norm
    return length > .leastNormalMagnitude ? self / length : .zero
  }
}
