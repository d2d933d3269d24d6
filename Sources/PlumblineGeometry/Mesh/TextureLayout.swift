/// The position of each triangle of a mesh on its texture.
///
/// Unit: shares of the image's width and height. Frame: `u` runs right and `v` runs **down** from
/// the outer corner of the first texel, so that texel *i* of *n* has its center at `(i + ½) / n`; as
/// in glTF, and as ``PlumblineModel/Raster`` counts rows. OBJ and USD count `v` from the bottom: their
/// writers turn it over.
///
/// Coordinates have their own triangles since a seam gives one vertex several of them.
public struct TextureLayout: Sendable {
  /// The coordinates; all finite, usually from 0 to 1.
  public let coordinates: [SIMD2<Float>]
  /// Three positions in ``coordinates`` for each triangle of the mesh, corner by corner.
  public let triangles: [TriangleIndices]

  /// Creates a layout from its parts; O(*n*).
  ///
  /// - Throws: `.outOfRange` for a position beyond the coordinates and for one that is not finite.
  public init(
    coordinates: [SIMD2<Float>], triangles: [TriangleIndices]
  ) throws(MeshError) {
    try MeshError.requireIndices(triangles, below: coordinates.count, "texture.triangles")
    for (index, coordinate) in coordinates.enumerated() {
      guard coordinate.x.isFinite && coordinate.y.isFinite else {
        throw MeshError(
          .outOfRange, at: "texture.coordinates[\(index)]", expected: "finite numbers",
          found: "(\(coordinate.x), \(coordinate.y))")
      }
    }
    self.coordinates = coordinates
    self.triangles = triangles
  }
}
