package import PlumblineGeometry
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

  /// The vertices of a file, at most a given number of them; nothing else is read.
  ///
  /// - Throws: ``MorphableModelError`` with the line.
  package static func positions(
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

/// Reads an OBJ file line by line.
struct OBJScanner {
  enum Keyword {
    case vertex, textureCoordinate, face, other
  }

  /// One corner of a polygon, counted from 0.
  struct Corner {
    var vertex: UInt32
    var coordinate: UInt32?
  }

  private let bytes: [UInt8]
  private let name: String
  private var place = 0
  private var line = 1

  /// The most corners of one polygon.
  static let maximumCornerCount = 64

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// The keyword of the next line that is not empty; `nil` at the end.
  mutating func nextKeyword() -> Keyword? {
    while place < bytes.count {
      skipBlanks()
      guard place < bytes.count else { return nil }
      if bytes[place] == 0x0A {
        skipLine()
        continue
      }
      let first = place
      while place < bytes.count, bytes[place] > 0x20 { place += 1 }
      let word = bytes[first..<place]
      if word.elementsEqual([0x76]) { return .vertex }
      if word.elementsEqual([0x76, 0x74]) { return .textureCoordinate }
      if word.elementsEqual([0x66]) { return .face }
      return .other
    }
    return nil
  }

  mutating func skipLine() {
    while place < bytes.count, bytes[place] != 0x0A { place += 1 }
    place += 1
    line += 1
  }

  mutating func position() throws(MorphableModelError) -> PackedPoint {
    PackedPoint(x: try number(), y: try number(), z: try number())
  }

  mutating func textureCoordinate() throws(MorphableModelError) -> SIMD2<Float> {
    SIMD2(try number(), try number())
  }

  mutating func corners(
    vertexCount: Int, coordinateCount: Int
  ) throws(MorphableModelError) -> [Corner] {
    var corners: [Corner] = []
    while true {
      skipBlanks()
      guard place < bytes.count, bytes[place] != 0x0A else { break }
      let vertex = try index(below: vertexCount)
      var coordinate: UInt32?
      if place < bytes.count, bytes[place] == 0x2F {
        place += 1
        if place < bytes.count, bytes[place] != 0x2F {
          coordinate = try index(below: coordinateCount)
        }
        // Normals are of no use here.
        while place < bytes.count, bytes[place] > 0x20 { place += 1 }
      }
      corners.append(Corner(vertex: vertex, coordinate: coordinate))
      guard corners.count <= Self.maximumCornerCount else { break }
    }
    guard (3...Self.maximumCornerCount).contains(corners.count) else {
      throw failure("3 to \(Self.maximumCornerCount) corners", "\(corners.count)")
    }
    return corners
  }

  private mutating func skipBlanks() {
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] <= 0x20 { place += 1 }
  }

  /// An index as OBJ counts: from 1, or backward from −1.
  private mutating func index(below count: Int) throws(MorphableModelError) -> UInt32 {
    let first = place
    var isNegative = false
    if place < bytes.count, bytes[place] == 0x2D {
      isNegative = true
      place += 1
    }
    var value = 0
    while place < bytes.count, (0x30...0x39).contains(bytes[place]), value <= count {
      value = 10 * value + Int(bytes[place] - 0x30)
      place += 1
    }
    let index = isNegative ? count - value : value - 1
    guard place > first, (0..<count).contains(index) else {
      throw failure("an index of \(count)", isNegative ? "-\(value)" : "\(value)")
    }
    return UInt32(index)
  }

  /// A decimal number; twenty digits are read, which is more than a `Float` holds.
  private mutating func number() throws(MorphableModelError) -> Float {
    skipBlanks()
    let first = place
    var text: [UInt8] = []
    while place < bytes.count, bytes[place] > 0x20 {
      text.append(bytes[place])
      place += 1
    }
    guard text.count <= 64, let value = Float(String(decoding: text, as: UTF8.self)),
      value.isFinite
    else { throw failure("a number", "“\(printable(first..<place))”") }
    return value
  }

  private func printable(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(20).filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
  }

  private func failure(_ expected: String, _ found: String) -> MorphableModelError {
    MorphableModelError("\(name), line \(line)", expected: expected, found: found)
  }
}
