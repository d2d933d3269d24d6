public import PlumblineGeometry
public import PlumblineModel

/// The geometry of a Wavefront OBJ file: vertices, polygons as fans of triangles, texture coordinates.
///
/// Groups, materials, normals and smoothing are passed over.
///
/// - Source: Wavefront Technologies, *Advanced Visualizer Manual*, appendix B1, *Object Files*.
public struct OBJGeometry: Sendable {
  /// The vertices, in the file's own unit and frame.
  public private(set) var positions: [PackedPoint] = []
  /// The triangles.
  public private(set) var triangles: [TriangleIndices] = []
  /// Texture coordinates and a triangle of them for each triangle; `nil` where a corner has none.
  public private(set) var texture: TextureLayout?

  /// The most vertices, texture coordinates or triangles that are read.
  static let maximumCount = 4_000_000

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What it is called, for errors.
  /// - Throws: ``MorphableModelError`` with the line. Cost: O(*n*).
  public init(_ bytes: [UInt8], named name: String) throws(MorphableModelError) {
    var coordinates: [SIMD2<Float>] = []
    var textureTriangles: [TriangleIndices] = []
    var hasTexture = true
    var scanner = OBJScanner(bytes, name: name)
    while let keyword = scanner.nextKeyword() {
      switch keyword {
      case .vertex:
        positions.append(try scanner.position())
      case .textureCoordinate:
        let pair = try scanner.textureCoordinate()
        // OBJ counts v upward from the image's lower edge; a layout counts downward.
        coordinates.append(SIMD2(pair.x, 1 - pair.y))
      case .face:
        let corners = try scanner.corners(
          vertexCount: positions.count, coordinateCount: coordinates.count)
        for last in 2..<corners.count {
          let (a, b, c) = (corners[0], corners[last - 1], corners[last])
          triangles.append(TriangleIndices(a.vertex, b.vertex, c.vertex))
          if let i = a.coordinate, let j = b.coordinate, let k = c.coordinate {
            textureTriangles.append(TriangleIndices(i, j, k))
          } else {
            hasTexture = false
          }
        }
      case .other: break
      }
      guard max(positions.count, coordinates.count, triangles.count) <= Self.maximumCount else {
        throw MorphableModelError(
          name, expected: "at most \(Self.maximumCount) vertices and triangles", found: "more")
      }
      scanner.skipLine()
    }
    if hasTexture, !triangles.isEmpty {
      texture = Self.layout(coordinates, textureTriangles)
    }
  }

  /// The vertices of a file alone, at most so many: the rest is not read.
  ///
  /// - Throws: ``MorphableModelError`` with the line.
  public static func positions(
    of bytes: [UInt8], named name: String, atMost limit: Int
  ) throws(MorphableModelError) -> [PackedPoint] {
    var positions: [PackedPoint] = []
    var scanner = OBJScanner(bytes, name: name)
    while positions.count < limit, let keyword = scanner.nextKeyword() {
      if keyword == .vertex { positions.append(try scanner.position()) }
      scanner.skipLine()
    }
    return positions
  }

  /// The triangles that stand on the first vertices alone, and those vertices.
  func part(ofFirst count: Int) -> OBJGeometry {
    var part = self
    part.positions = Array(positions.prefix(count))
    let kept = triangles.indices.filter { Int(triangles[$0].maximum) < count }
    part.triangles = kept.map { triangles[$0] }
    part.texture = texture.flatMap { layout in
      Self.layout(layout.coordinates, kept.map { layout.triangles[$0] })
    }
    return part
  }

  /// A layout of the coordinates that are used, in the order of their first use.
  private static func layout(
    _ coordinates: [SIMD2<Float>], _ triangles: [TriangleIndices]
  ) -> TextureLayout? {
    var places: [UInt32: UInt32] = [:]
    var used: [SIMD2<Float>] = []
    func place(_ index: UInt32) -> UInt32 {
      if let known = places[index] { return known }
      let next = UInt32(used.count)
      places[index] = next
      used.append(coordinates[Int(index)])
      return next
    }
    let moved = triangles.map {
      TriangleIndices(place($0.first), place($0.second), place($0.third))
    }
    return try? TextureLayout(coordinates: used, triangles: moved)
  }
}
