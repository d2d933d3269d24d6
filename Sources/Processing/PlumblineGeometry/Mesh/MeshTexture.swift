/// The image of a mesh as a file holds it, not decoded.
///
/// Its axes are those of ``TextureLayout``; its values are non-linear (sRGB), as in photos.
package struct MeshTexture: Sendable, Hashable {
  /// The encoding of the image.
  package enum MediaType: String, Sendable, CaseIterable {
    /// JPEG.
    case jpeg = "image/jpeg"
    /// PNG.
    case png = "image/png"

    /// The extension of file names, without the dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : "png" }
  }

  /// The encoded image.
  package var bytes: [UInt8]
  /// The encoding of the image.
  package var mediaType: MediaType

  /// Wraps an encoded image; its bytes are not examined.
  package init(bytes: [UInt8], mediaType: MediaType) {
    self.bytes = bytes
    self.mediaType = mediaType
  }
}

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
  package let coordinates: [SIMD2<Float>]
  /// Three positions in ``coordinates`` for each triangle of the mesh, corner by corner.
  package let triangles: [TriangleIndices]

  /// Creates a layout from its parts; O(*n*).
  ///
  /// - Throws: `.outOfRange` for a position beyond the coordinates and for one that is not finite.
  package init(
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

/// Which part of a texture is the mirror image of which triangle.
///
/// A triangle whose mirrored corners are those of a triangle has that one. A quadrilateral that is
/// cut along the other diagonal on the other side has none: then two of the three edges are edges of
/// the mesh there, and the corners lie where these have them, if they agree about the corner between.
struct MirroredTriangles {
  /// For each triangle the positions of its corners' images among the texture coordinates.
  private let images: [TriangleIndices?]

  /// Finds the image of each triangle, in the first triangle or edges that fit; O(*n*).
  init(_ mesh: TriangleMesh, layout: TextureLayout, mirroredVertices: [UInt32]) {
    var triangles: [SIMD3<UInt32>: Int] = [:]
    triangles.reserveCapacity(mesh.triangles.count)
    for (index, corners) in mesh.triangles.enumerated() {
      let key = Self.sorted(corners)
      if triangles[key] == nil { triangles[key] = index }
    }
    var edges: EdgePlaces?
    images = mesh.triangles.map { corners in
      let wanted = TriangleIndices(
        mirroredVertices[corners[0]], mirroredVertices[corners[1]], mirroredVertices[corners[2]])
      guard !wanted.repeatsCorner else { return nil }
      guard let index = triangles[Self.sorted(wanted)] else {
        let places = edges ?? EdgePlaces(mesh, layout: layout)
        edges = places
        return places.corners(wanted, layout: layout)
      }
      let found = mesh.triangles[index]
      let places = layout.triangles[index]
      func place(_ vertex: UInt32) -> UInt32 {
        vertex == found.first ? places.first : vertex == found.second ? places.second : places.third
      }
      return TriangleIndices(place(wanted.first), place(wanted.second), place(wanted.third))
    }
  }

  /// Where the corners of a triangle have their images, as positions of texture coordinates.
  func corners(of triangle: Int) -> TriangleIndices? { images[triangle] }

  private static func sorted(_ triangle: TriangleIndices) -> SIMD3<UInt32> {
    let low = min(triangle.first, min(triangle.second, triangle.third))
    let high = triangle.maximum
    // The middle one is what the other two leave of the sum, which wraps around and back.
    return SIMD3(low, triangle.first &+ triangle.second &+ triangle.third &- low &- high, high)
  }
}

/// Where the ends of each edge lie on a texture.
private struct EdgePlaces {
  /// By the two vertices, the lesser first; of an edge on a seam those of the first triangle.
  private var places: [SIMD2<UInt32>: SIMD2<UInt32>] = [:]

  init(_ mesh: TriangleMesh, layout: TextureLayout) {
    places.reserveCapacity(2 * mesh.triangles.count)
    for (corners, texture) in zip(mesh.triangles, layout.triangles) {
      for corner in 0..<3 {
        let next = (corner + 1) % 3
        let isRising = corners[corner] < corners[next]
        let (low, high) = isRising ? (corner, next) : (next, corner)
        let key = SIMD2(UInt32(corners[low]), UInt32(corners[high]))
        if places[key] == nil {
          places[key] = SIMD2(UInt32(texture[low]), UInt32(texture[high]))
        }
      }
    }
  }

  /// The positions of three vertices, when edges between them say all three and do not differ.
  func corners(_ vertices: TriangleIndices, layout: TextureLayout) -> TriangleIndices? {
    let list = [vertices.first, vertices.second, vertices.third]
    var found: [UInt32?] = [nil, nil, nil]
    for corner in 0..<3 {
      let next = (corner + 1) % 3
      let (a, b) = (list[corner], list[next])
      guard let ends = places[SIMD2(min(a, b), max(a, b))] else { continue }
      for (place, end) in [(corner, a < b ? ends.x : ends.y), (next, a < b ? ends.y : ends.x)] {
        if let other = found[place],
          layout.coordinates[Int(other)] != layout.coordinates[Int(end)]
        {
          return nil
        }
        found[place] = end
      }
    }
    guard let first = found[0], let second = found[1], let third = found[2] else { return nil }
    return TriangleIndices(first, second, third)
  }
}
