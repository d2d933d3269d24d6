package import PlumblineGeometry
package import PlumblineModel

/// The parts of a head that a morphable model has behind the vertices of its face: head and neck, mouth, teeth, eyes.
///
/// They take no part in a fit; a ``CompletedHead`` has them where the model does. Vertices have numbers that go on from
/// those of the face, so that triangles can join both.
package struct ModelParts: Sendable {
  /// Parts in the order of their vertices, one behind the other.
  package let parts: [Part]
  /// The vertices at the mean, meters in the head's frame.
  package let mean: [PackedPoint]
  /// The displacements of each mode of identity, then of each expression, meters.
  package let modes: [[PackedPoint]]
  /// The triangles, counter-clockwise seen from outside; each has a vertex behind those of the face.
  package let triangles: [TriangleIndices]

  /// One part.
  package struct Part: Sendable, Hashable {
    /// What it is.
    package var kind: CompletedHead.Part.Kind
    /// How many vertices it has of its own.
    package var vertexCount: Int

    /// Creates a part.
    package init(kind: CompletedHead.Part.Kind, vertexCount: Int) {
      self.kind = kind
      self.vertexCount = vertexCount
    }
  }

  /// Puts parts together; O(modes · *n*).
  ///
  /// - Parameters:
  ///   - parts: The parts, whose counts add up to the vertices.
  ///   - mean: The vertices at the mean, meters.
  ///   - modes: Displacements for each mode of the model, identity first.
  ///   - triangles: The triangles.
  ///   - faceVertexCount: How many vertices the face has.
  ///   - modeCount: How many modes the model has.
  /// - Throws: ``MorphableModelError`` where numbers do not fit or are not finite.
  package init(
    parts: [Part], mean: [PackedPoint], modes: [[PackedPoint]], triangles: [TriangleIndices],
    faceVertexCount: Int, modeCount: Int
  ) throws(MorphableModelError) {
    let count = parts.reduce(0) { $0 + $1.vertexCount }
    guard !mean.isEmpty, count == mean.count, parts.allSatisfy({ $0.vertexCount > 0 }) else {
      throw MorphableModelError(
        "parts of the head", expected: "\(count) vertices", found: "\(mean.count)")
    }
    guard modes.count == modeCount, modes.allSatisfy({ $0.count == count }) else {
      throw MorphableModelError(
        "parts of the head", expected: "\(modeCount) modes of \(count) vertices", found: "others")
    }
    guard (modes + [mean]).joined().allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
    else {
      throw MorphableModelError(
        "parts of the head", expected: "finite coordinates", found: "others")
    }
    let range = faceVertexCount..<faceVertexCount + count
    guard triangles.allSatisfy({ range.contains(Int($0.maximum)) && !$0.repeatsCorner }) else {
      throw MorphableModelError(
        "parts of the head", expected: "triangles with vertices in \(range)", found: "others")
    }
    self.parts = parts
    self.mean = mean
    self.modes = modes
    self.triangles = triangles
  }

  /// The vertices of a shape in the head's frame, meters; O(modes · *n*).
  func positions(of shape: FaceShape) -> [SIMD3<Double>] {
    var positions = mean.map(\.vector)
    for (mode, coefficient) in zip(modes, shape.identity + shape.expression)
    where coefficient != 0 {
      for index in positions.indices {
        positions[index] += mode[index].vector * Double(coefficient)
      }
    }
    return positions
  }
}
