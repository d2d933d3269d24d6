/// The area of a surface, and the volume that it encloses, each with its ±.
package enum SurfaceContent {
  /// The enclosed volume in cubic meters.
  ///
  /// Σ a·(b × c)/6 over the triangles, about the middle of the first one for precision. Moved by δ along its
  /// normal, a vertex changes it by δ times a third of the area of its triangles as seen along that normal.
  /// Independent errors of vertices leave its mean as it is, since it is linear in each.
  ///
  /// - Parameter surface: The surface; its orientation does not matter.
  /// - Returns: `nil` for a surface that is not closed, see ``MeasurableMesh/openEdgeCount``. Cost:
  ///   O(*n* log *n*).
  /// - Source: the divergence theorem.
  package static func volume(of surface: MeasurableMesh) -> MeasuredValue? {
    guard !surface.triangles.isEmpty, surface.openEdgeCount == 0 else { return nil }
    let origin = surface.corners(0).0
    var volume = 0.0
    var sum = SurfaceSum(surface)
    for (index, corners) in surface.triangles.enumerated() {
      let (a, b, c) = surface.corners(index)
      volume += (a - origin).dot((b - origin).cross(c - origin)) / 6
      let area = surface.doubledArea(index)
      for corner in 0..<3 {
        let vertex = corners[corner]
        sum.add(area.dot(surface.normals[Int(vertex)]) / 6, at: vertex)
      }
    }
    return sum.value(abs(volume), .cubicMeters, power: 3)
  }

  /// The area in square meters.
  ///
  /// Moved by δ along its normal m, a corner changes the area of a triangle by ½ (n × e)·m·δ, e being the
  /// side that it faces. Errors of single vertices make a surface rough and its area larger, on average by
  /// Σ σ²e²/(8A), but by no more than the surface shows: ``roughness`` times how much smaller the triangles are as
  /// seen along the normals around them. The lesser of the two sums is taken off where the errors of single
  /// vertices are known, and half of it is added to the ±; else all of it counts as ±.
  ///
  /// - Parameter surface: The surface, open or closed.
  /// - Returns: The area. Cost: O(*n* log *n*).
  /// - Source: the first and second derivatives of ½|(b − a) × (c − a)|.
  package static func area(of surface: MeasurableMesh) -> MeasuredValue {
    var (area, excess, shown) = (0.0, 0.0, 0.0)
    var sum = SurfaceSum(surface)
    for (index, corners) in surface.triangles.enumerated() {
      let doubled = surface.doubledArea(index)
      let size = doubled.norm
      guard size > 0 else { continue }
      area += size / 2
      let normal = doubled / size
      let (a, b, c) = surface.corners(index)
      let sides = [c - b, a - c, b - a]
      let around = (0..<3).reduce(SIMD3.zero) { $0 + surface.normals[Int(corners[$1])] }.unit
      shown += (size - max(0, doubled.dot(around))) / 2
      for corner in 0..<3 {
        let vertex = corners[corner]
        let change = normal.cross(sides[corner]).dot(surface.normals[Int(vertex)]) / 2
        sum.add(change, at: vertex)
        let variance = surface.noiseVariance(vertex)
        // A triangle at most doubles: the series ends where noise is as large as its height.
        excess += min(variance * sides[corner].dot(sides[corner]) / (4 * size), size / 6)
      }
    }
    // Fused vertices share pixels: such a surface is smoother than its ± would make it.
    excess = min(excess, roughness * shown)
    let isKnown = surface.errors != nil
    sum.add(variance: excess * excess * (isKnown ? 0.25 : 1))
    return sum.value(isKnown ? area - excess : area, .squareMeters, power: 2)
  }

  /// How much more a lattice's area grows by independent errors of its vertices than its triangles show against the
  /// normals around them, which hold a part of the same errors: 1.31 to 1.39 for errors up to a fifth of the spacing,
  /// 1.4 to 1.6 for larger ones, by simulation.
  private static let roughness = 1.4
}

extension MeasurableMesh {
  /// The variance that a vertex has for itself, in m²; all of it where nothing is known to be shared, and 0
  /// where nothing is known at all.
  func noiseVariance(_ vertex: Int32) -> Double {
    guard let sigma = sigmas?[Int(vertex)], sigma.isFinite else { return 0 }
    return max(0, sigma * sigma - (errors?.nearVariance ?? 0))
  }
}
