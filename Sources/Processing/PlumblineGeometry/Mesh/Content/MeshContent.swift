import PlumblineModel

/// What the errors of a mesh's vertices have in common, so that the ± of sums over them can be known.
///
/// A vertex errs along its normal by the sum of three parts: noise of its own; one that all vertices share,
/// as a bias that moves the whole surface outward or inward; and one in proportion to the size, as a wrong
/// scale does.
package struct VertexErrorParts: Sendable {
  /// One standard deviation of each vertex's own noise, in meters; at least 0.
  package var noiseMeters: [Float]
  /// One standard deviation of the shared part at each vertex, in meters; at least 0, below 0 for those
  /// that the shared cause moves the other way.
  package var sharedMeters: [Float]
  /// One standard deviation of the scale, as a share: 0.01 for 1 %.
  package var scaleShare: Double

  /// Collects the parts.
  ///
  /// - Precondition: Both lists are equally long; the share is at least 0.
  package init(noiseMeters: [Float], sharedMeters: [Float], scaleShare: Double = 0) {
    precondition(
      noiseMeters.count == sharedMeters.count && scaleShare >= 0,
      "\(noiseMeters.count) and \(sharedMeters.count) errors, a scale of ± \(scaleShare)")
    self.noiseMeters = noiseMeters
    self.sharedMeters = sharedMeters
    self.scaleShare = scaleShare
  }
}

/// A number with one standard deviation, in its unit.
package struct ContentValue: Sendable, Hashable {
  /// The number.
  package var value: Double
  /// One standard deviation; NaN where an error is not known.
  package var sigma: Double
}

extension TriangleMesh {
  /// The volume that the mesh encloses, in cubic meters: the sum of the tetrahedra from one point to each
  /// triangle, with their signs.
  ///
  /// - Returns: Below 0 for triangles that face in. It means something for a watertight mesh alone; see
  ///   ``topology``. Cost: O(*n*).
  package var enclosedVolume: Double {
    let origin = positions.first?.vector ?? .zero
    return triangles.reduce(0) { sum, triangle in
      let a = positions[triangle[0]].vector - origin
      let b = positions[triangle[1]].vector - origin
      let c = positions[triangle[2]].vector - origin
      return sum + (a * cross(b, c)).sum() / 6
    }
  }

  /// The enclosed volume in cubic meters with its ±.
  ///
  /// A vertex that moves by δ along its unit normal n changes it by δ·(g·n), where g is a third of the area
  /// vectors around it: σ² = Σ (g·n)²·noise² + (Σ (g·n)·shared)² + (3·V·scale)².
  ///
  /// - Parameter errors: Those of the vertices.
  /// - Returns: First order: errors are small beside edges. Cost: O(*n*).
  /// - Precondition: There is an error for each vertex.
  package func enclosedVolume(errors: VertexErrorParts) -> ContentValue {
    var gradients = [SIMD3<Double>](repeating: .zero, count: vertexCount)
    for triangle in triangles {
      let a = positions[triangle[0]].vector
      let b = positions[triangle[1]].vector
      let c = positions[triangle[2]].vector
      gradients[triangle[0]] += cross(b, c) / 6
      gradients[triangle[1]] += cross(c, a) / 6
      gradients[triangle[2]] += cross(a, b) / 6
    }
    let volume = enclosedVolume
    return ContentValue(
      value: volume,
      sigma: sigma(of: gradients, errors: errors, scale: 3 * volume * errors.scaleShare))
  }

  /// The area of all triangles in square meters with its ±.
  ///
  /// The law is that of ``enclosedVolume(errors:)``, with the gradient ½·n̂ × (c − b) of a triangle's area
  /// and 2·A·scale. Noise also makes a surface rougher and so larger, by a part of second order that is not
  /// corrected: about (noise / edge length)² of the area.
  ///
  /// - Parameter errors: Those of the vertices.
  /// - Returns: First order. Cost: O(*n*).
  /// - Precondition: There is an error for each vertex.
  package func surfaceArea(errors: VertexErrorParts) -> ContentValue {
    var gradients = [SIMD3<Double>](repeating: .zero, count: vertexCount)
    for triangle in triangles {
      let vector = doubledAreaVector(of: triangle)
      let length = vector.length
      guard length > .leastNormalMagnitude else { continue }
      let half = vector / (2 * length)
      let a = positions[triangle[0]].vector
      let b = positions[triangle[1]].vector
      let c = positions[triangle[2]].vector
      gradients[triangle[0]] += cross(half, c - b)
      gradients[triangle[1]] += cross(half, a - c)
      gradients[triangle[2]] += cross(half, b - a)
    }
    let area = surfaceArea
    return ContentValue(
      value: area, sigma: sigma(of: gradients, errors: errors, scale: 2 * area * errors.scaleShare))
  }

  /// One standard deviation of a number with a gradient for each vertex.
  private func sigma(
    of gradients: [SIMD3<Double>], errors: VertexErrorParts, scale: Double
  ) -> Double {
    precondition(
      errors.noiseMeters.count == vertexCount,
      "\(errors.noiseMeters.count) errors of \(vertexCount) vertices")
    var (noise, shared) = (0.0, 0.0)
    for (vertex, normal) in areaWeightedNormals.enumerated() {
      let slope = (gradients[vertex] * normal.vector).sum()
      let own = slope * Double(errors.noiseMeters[vertex])
      noise += own * own
      shared += slope * Double(errors.sharedMeters[vertex])
    }
    return (noise + shared * shared + scale * scale).squareRoot()
  }
}
