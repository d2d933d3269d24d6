public import PlumblineGeometry
public import PlumblineModel

/// A face that can take any shape its statistics know: a mean, modes of identity, modes of expression.
///
/// Frame: the head's, `x` to the head's left, `y` up, `z` out of the face; a head that looks into a
/// camera has its `x` along the camera's, the other two against it. Unit: meters. Identity is measured in
/// standard deviations of the people that the model was made of, expression in shares from 0 to 1 of each
/// shape.
///
/// - Source: V. Blanz, T. Vetter, *A Morphable Model for the Synthesis of 3D Faces*, SIGGRAPH 1999.
public struct MorphableModel: Sendable {
  /// The name of the model, such as `ict-facekit`.
  public let name: String
  /// The license it came with, in words.
  public let license: String
  /// The vertices of the mean face.
  public let mean: [PackedPoint]
  /// The number of modes of identity.
  public let identityCount: Int
  /// The names of the expressions, in their order.
  public let expressionNames: [String]
  /// The mean face as a mesh, in the head's frame: its triangles, counter-clockwise seen from outside, and
  /// where they lie in a texture.
  public let surface: TriangleMesh
  /// Where the landmarks 0…467 of ``FaceLandmarks`` lie on the surface; `nil` where one has no place.
  package let anchors: [LandmarkAnchor?]

  /// The parts of the head beside the face; `nil` where the model is a face alone.
  package var parts: ModelParts?

  /// The neighbors of each vertex.
  let neighbors: VertexNeighbors
  /// The modes, vertex by vertex: `basis[(3·vertex + axis)·stride + mode]`, identity first, padded by 0.
  let basis: [Float]
  /// The modes with their padding: a multiple of 8.
  let stride: Int
  /// The expressions, one after the other: `expressionModes[3·(k·vertexCount + vertex) + axis]`.
  let expressionModes: [Float]

  /// Puts a model together.
  ///
  /// - Parameters:
  ///   - name: What the model is called.
  ///   - license: Its license, in words.
  ///   - mean: The vertices of the mean face, meters.
  ///   - identity: The modes of identity, each with a displacement in meters of each vertex.
  ///   - expressions: The names and displacements of the expressions.
  ///   - triangles: Three vertices each, counter-clockwise seen from outside.
  ///   - texture: Where they lie in a texture.
  ///   - anchors: Where the landmarks 0…467 lie.
  /// - Throws: ``MorphableModelError`` where a mode has another number of vertices, an index leads nowhere,
  ///   or a number is not finite. Cost: O(modes · vertices).
  package init(
    name: String, license: String, mean: [PackedPoint], identity: [[PackedPoint]],
    expressions: [(name: String, deltas: [PackedPoint])], triangles: [TriangleIndices],
    texture: TextureLayout?, anchors: [LandmarkAnchor?]
  ) throws(MorphableModelError) {
    let modes = identity + expressions.map(\.deltas)
    try Self.require(mean, count: mean.count, "the mean")
    for (index, mode) in modes.enumerated() {
      try Self.require(mode, count: mean.count, "mode \(index)")
    }
    guard !mean.isEmpty else {
      throw MorphableModelError("the mean", expected: "vertices", found: "none")
    }
    guard anchors.count == FaceLandmarks.meshCount,
      anchors.allSatisfy({ $0.map { $0.vertices.max() < mean.count } ?? true })
    else {
      throw MorphableModelError(
        "anchors", expected: "\(FaceLandmarks.meshCount) on vertices below \(mean.count)",
        found: "\(anchors.count), or others")
    }
    self.name = name
    self.license = license
    self.mean = mean
    identityCount = identity.count
    expressionNames = expressions.map(\.name)
    do throws(MeshError) {
      surface = try TriangleMesh(positions: mean, triangles: triangles, texture: texture)
    } catch {
      throw MorphableModelError("the mesh", expected: error.expected, found: error.found)
    }
    neighbors = VertexNeighbors(surface)
    self.anchors = anchors
    let stride = (modes.count + 7) / 8 * 8
    var basis = [Float](repeating: 0, count: 3 * mean.count * stride)
    for (k, mode) in modes.enumerated() {
      for (vertex, delta) in mode.enumerated() {
        basis[3 * vertex * stride + k] = delta.x
        basis[(3 * vertex + 1) * stride + k] = delta.y
        basis[(3 * vertex + 2) * stride + k] = delta.z
      }
    }
    self.basis = basis
    expressionModes = expressions.flatMap { $0.deltas.flatMap { [$0.x, $0.y, $0.z] } }
    self.stride = stride
  }

  private static func require(
    _ points: [PackedPoint], count: Int, _ place: String
  ) throws(MorphableModelError) {
    guard points.count == count else {
      throw MorphableModelError(place, expected: "\(count) vertices", found: "\(points.count)")
    }
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }) else {
      throw MorphableModelError(place, expected: "finite coordinates", found: "others")
    }
  }

  /// The number of vertices.
  public var vertexCount: Int { mean.count }
  /// The triangles of ``surface``.
  public var triangles: [TriangleIndices] { surface.triangles }
  /// The layout of ``surface``.
  package var texture: TextureLayout? { surface.texture }
  /// The number of modes, identity and expression.
  package var modeCount: Int { identityCount + expressionNames.count }
}

/// A position on a surface: three vertices and how much of each.
package struct LandmarkAnchor: Sendable, Hashable {
  /// The vertices; the same one thrice is allowed.
  package var vertices: SIMD3<Int>
  /// The share of each; they add to 1.
  package var shares: SIMD3<Float>

  /// Creates a position from its parts.
  package init(vertices: SIMD3<Int>, shares: SIMD3<Float>) {
    self.vertices = vertices
    self.shares = shares
  }
}

/// An error when a morphable model cannot be used.
package struct MorphableModelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The part that is wrong, such as a file or a mode.
  package var place: String
  /// What was expected.
  package var expected: String
  /// What was found.
  package var found: String

  /// Creates an error from its parts.
  package init(_ place: String, expected: String, found: String) {
    self.place = place
    self.expected = expected
    self.found = found
  }

  /// One sentence, such as `identity000.obj: expected …, found …`.
  package var description: String { "\(place): expected \(expected), found \(found)" }
}
