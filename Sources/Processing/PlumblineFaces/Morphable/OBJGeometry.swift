package import PlumblineGeometry
import PlumblineIO
package import PlumblineModel

/// The geometry of a Wavefront OBJ file: vertices, polygons as fans of triangles, texture coordinates.
///
/// Groups, materials, normals and smoothing are passed over.
///
/// - Source: Wavefront Technologies, *Advanced Visualizer Manual*, appendix B1, *Object Files*.
package struct OBJGeometry: Sendable {
  /// The vertices, in the file's own unit and frame.
  package private(set) var positions: [PackedPoint] = []
  /// The triangles.
  package private(set) var triangles: [TriangleIndices] = []
  /// Texture coordinates and a triangle of them for each triangle; `nil` where a corner has none.
  package private(set) var texture: TextureLayout?

  /// The most vertices, texture coordinates or triangles that are read.
  static let maximumCount = 4_000_000

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What it is called, for errors.
  /// - Throws: ``MorphableModelError`` with the line. Cost: O(*n*).
  package init(_ bytes: [UInt8], named name: String) throws(MorphableModelError) {
    var coordinates: [SIMD2<Float>] = []
    var textureTriangles: [TriangleIndices] = []
    var hasTexture = true
    var statements = OBJStatements(bytes, readsCoordinates: true)
    while let statement = try Self.next(&statements, name) {
      switch statement {
      case .vertex(let point, _): positions.append(PackedPoint(point))
      case .textureCoordinate(let pair):
        // OBJ counts v upward from the image's lower edge; a layout counts downward.
        coordinates.append(SIMD2(pair.x, 1 - pair.y))
      case .polygon(let corners):
        for last in 2..<corners.count {
          let (a, b, c) = (corners[0], corners[last - 1], corners[last])
          triangles.append(TriangleIndices(a.vertex, b.vertex, c.vertex))
          if let i = a.coordinate, let j = b.coordinate, let k = c.coordinate {
            textureTriangles.append(TriangleIndices(i, j, k))
          } else {
            hasTexture = false
          }
        }
      case .comment: break
      }
      guard max(positions.count, coordinates.count, triangles.count) <= Self.maximumCount else {
        throw MorphableModelError(
          name, expected: "at most \(Self.maximumCount) vertices and triangles", found: "more")
      }
    }
    if hasTexture, !triangles.isEmpty {
      texture = Self.layout(coordinates, textureTriangles)
    }
  }

  /// The next statement, its failure with the name of the file.
  private static func next(
    _ statements: inout OBJStatements, _ name: String
  ) throws(MorphableModelError) -> OBJStatements.Statement? {
    do throws(CaptureReadingError) {
      return try statements.next()
    } catch {
      throw MorphableModelError(
        "\(name), line \(statements.line)", expected: error.expected, found: error.found)
    }
  }

  /// The vertices of a file, at most a given number of them; nothing behind them is read.
  ///
  /// - Throws: ``MorphableModelError`` with the line.
  package static func positions(
    of bytes: [UInt8], named name: String, atMost limit: Int
  ) throws(MorphableModelError) -> [PackedPoint] {
    var positions: [PackedPoint] = []
    var statements = OBJStatements(bytes, readsCoordinates: true)
    while positions.count < limit, let statement = try next(&statements, name) {
      if case .vertex(let point, _) = statement { positions.append(PackedPoint(point)) }
    }
    return positions
  }

  /// The first vertices and the triangles that use no others.
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

  /// The texture coordinates that are used, in the order of their first use.
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

extension PackedPoint {
  fileprivate init(_ point: SIMD3<Float>) { self.init(x: point.x, y: point.y, z: point.z) }
}
