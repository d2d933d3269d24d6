import PlumblineGeometry
import PlumblineModel

/// How normals change with the morph targets of a mesh.
///
/// Programs that light a face need them: with the normals at rest, a raised brow is lit as a flat one.
struct MorphNormals {
  private let mesh: TriangleMesh
  private let atRest: [PackedPoint]

  /// Changes of less than this are left out, as a part of a unit vector: 0.03°, which 8 bits of light cannot show.
  static let least: Float = 0.0005
  /// Changes are rounded to whole multiples of this, a part of a unit vector, so that files are short.
  static let step: Float = 1 / 8192

  /// Computes the normals at rest; O(*n*).
  init(_ mesh: TriangleMesh) {
    self.mesh = mesh
    atRest = mesh.areaWeightedNormals
  }

  /// How far the unit normal of each vertex moves at weight 1; 0 for vertices of no triangle.
  ///
  /// Normals are weighted by area at both ends, so that a vertex whose surroundings stay has 0. O(*n*).
  ///
  /// - Precondition: The target fits the mesh.
  func deltas(of target: MorphTarget) -> [PackedPoint] {
    let moved = mesh.morphed(by: [(target, 1)]).areaWeightedNormals
    return zip(moved, atRest).map { normal, old in
      let delta = SIMD3<Float>(normal.x - old.x, normal.y - old.y, normal.z - old.z)
      guard (delta * delta).sum() >= Self.least * Self.least else {
        return PackedPoint(x: 0, y: 0, z: 0)
      }
      func rounded(_ part: Float) -> Float { (part / Self.step).rounded() * Self.step }
      return PackedPoint(x: rounded(delta.x), y: rounded(delta.y), z: rounded(delta.z))
    }
  }
}
