package import PlumblineGeometry
package import PlumblineIO
import PlumblineImages
import PlumblineModel

/// A surface as a file holds it, with what the file says of its numbers.
package struct ReadMesh: Sendable {
  /// The surface, in the unit and the frame of the file; sigma, where there is any, in the same unit.
  package let mesh: TriangleMesh
  /// The format that the bytes have.
  package let format: MeshReader.Format
  /// Meters per unit of the file, by its format or a comment; `nil` when nothing says it.
  package let metersPerUnit: Double?
  /// The comments of the file, which may say the frame and the program; at most 64 lines.
  package let statements: [String]
  /// The number of triangles that were left out since two of their corners are the same vertex.
  package let degenerateTriangleCount: Int
}

/// Reads surfaces of triangles from PLY, OBJ, STL and GLB files.
///
/// Read are positions, triangles and, where the format has them, normals, colors and sigma of
/// vertices; of GLB also which vertices were invented. Textures, materials, morph targets and animations are passed over. Triangles keep their
/// order; those with a corner twice are left out and counted.
package struct MeshReader: Sendable {
  /// The formats that are read.
  package enum Format: String, Sendable, CaseIterable {
    case ply, obj, stl, glb
  }

  /// The maximum number of vertices, and of triangles.
  ///
  /// The default of 20 million is ten times a large scan and needs a gigabyte of memory.
  package var maximumCount = 20_000_000

  /// Creates a reader with the default limits.
  package init() {}

  /// The format of a file by its first bytes, or by its name where a format has no signature.
  ///
  /// - Returns: `nil` for bytes of another kind. Cost: O(1).
  package func format(of bytes: [UInt8], named name: String) -> Format? {
    if PLYHeader.recognizes(bytes) { return .ply }
    if bytes.starts(with: "glTF".utf8) { return .glb }
    if STLTriangles.isBinary(bytes) || bytes.starts(with: "solid".utf8) { return .stl }
    let ending = name.split(separator: ".").last?.lowercased()
    return ending == "obj" ? .obj : ending == "stl" ? .stl : nil
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name, for files without a signature, and for errors.
  /// - Returns: The surface.
  /// - Throws: `.unsupported` for another format and for compressed or other unknown content,
  ///   `.missing` without triangles, `.malformed` with the place, `.limitExceeded` before memory is
  ///   allocated. Cost: O(*n*).
  package func read(
    _ bytes: [UInt8], named name: String
  ) throws(CaptureReadingError) -> ReadMesh {
    let parts: MeshParts
    guard let format = format(of: bytes, named: name) else {
      throw CaptureReadingError(
        .unsupported, path: [printable(text: name)], expected: "a mesh as PLY, OBJ, STL or GLB",
        found: "“\(printable(bytes.prefix(16)))”")
    }
    switch format {
    case .ply: parts = try MeshParts(ply: bytes, maximumCount: maximumCount)
    case .stl: parts = try STLTriangles(bytes, maximumCount: maximumCount).parts
    case .obj: parts = try MeshParts(obj: bytes, maximumCount: maximumCount)
    case .glb: parts = try GLBPrimitives(bytes, maximumCount: maximumCount).parts
    }
    return try parts.mesh(format)
  }
}

/// The lists of a file before they are checked as a mesh.
struct MeshParts {
  var positions: [PackedPoint] = []
  var triangles: [TriangleIndices] = []
  var normals: [PackedPoint]?
  var colors: [RGB8]?
  var sigmas: [Float]?
  var invented: [Bool]?
  var statements: [String] = []
  var metersPerUnit: Double?

  /// The units that a comment `unit NAME` may state, in meters.
  private static let units = [
    "meter": 1.0, "meters": 1, "m": 1, "millimeter": 0.001, "millimeters": 0.001, "mm": 0.001,
    "centimeter": 0.01, "cm": 0.01, "inch": 0.0254,
  ]

  /// Takes what comments say of the unit, and keeps the first 64 of them.
  mutating func addStatement(_ text: String) {
    guard statements.count < 64 else { return }
    statements.append(text)
    let words = text.lowercased().split { " ;:,".contains($0) }
    guard metersPerUnit == nil,
      let place = words.firstIndex(where: { $0 == "unit" || $0 == "units" }),
      place + 1 < words.count
    else { return }
    metersPerUnit = Self.units[String(words[place + 1])]
  }

  /// Checks the lists and makes a mesh of them.
  func mesh(_ format: MeshReader.Format) throws(CaptureReadingError) -> ReadMesh {
    let kept = triangles.filter { !$0.repeatsCorner }
    guard !kept.isEmpty else {
      throw CaptureReadingError(
        .missing, path: [format.rawValue.uppercased()], expected: "triangles",
        found: "\(triangles.count) of them, none with an area")
    }
    do {
      let mesh = try TriangleMesh(
        positions: positions, triangles: kept, normals: normals, colors: colors,
        sigmaMeters: sigmas, isInvented: invented)
      return ReadMesh(
        mesh: mesh, format: format, metersPerUnit: metersPerUnit, statements: statements,
        degenerateTriangleCount: triangles.count - kept.count)
    } catch {
      throw CaptureReadingError(
        error.reason == .limitExceeded ? .limitExceeded : .malformed,
        path: [format.rawValue.uppercased(), error.place], expected: error.expected,
        found: error.found)
    }
  }
}

extension MeshParts {
  /// Reads a PLY file.
  init(ply bytes: [UInt8], maximumCount: Int) throws(CaptureReadingError) {
    let axes = [["x", "y", "z"], ["nx", "ny", "nz"], ["red", "green", "blue"]]
    let file = try PLYMesh(
      bytes[...], columns: axes.flatMap { $0 } + PLYPoints.sigmaNames, atMost: maximumCount)
    func vectors(_ names: [String]) -> [PackedPoint]? {
      guard let x = file.columns[names[0]], let y = file.columns[names[1]],
        let z = file.columns[names[2]]
      else { return nil }
      return x.indices.map { PackedPoint(x: Float(x[$0]), y: Float(y[$0]), z: Float(z[$0])) }
    }
    positions = vectors(axes[0]) ?? []
    normals = vectors(axes[1])
    // Colors as bytes, which is what programs write; others are not taken for them.
    colors = vectors(axes[2]).flatMap { colors in
      let isByte = colors.allSatisfy { color in
        [color.x, color.y, color.z].allSatisfy { (0...255).contains($0) && $0 == $0.rounded() }
      }
      guard isByte else { return nil }
      return colors.map { RGB8(red: UInt8($0.x), green: UInt8($0.y), blue: UInt8($0.z)) }
    }
    let sigma = PLYPoints.sigmaNames.lazy.compactMap { file.columns[$0] }.first
    sigmas = sigma.map { $0.map { Float($0) } }
    let corners = file.corners
    triangles = stride(from: 0, to: corners.count, by: 3).map {
      TriangleIndices(corners[$0], corners[$0 + 1], corners[$0 + 2])
    }
    for comment in file.comments { addStatement(comment) }
  }
}

extension MeshParts {
  /// Reads an OBJ file; polygons become fans of triangles, colors count if every vertex has one.
  init(obj bytes: [UInt8], maximumCount: Int) throws(CaptureReadingError) {
    var colors: [RGB8] = []
    var statements = OBJStatements(bytes, readsCoordinates: false)
    while let statement = try statements.next() {
      switch statement {
      case .vertex(let point, let color):
        positions.append(PackedPoint(x: point.x, y: point.y, z: point.z))
        guard let color else { break }
        let codes = SIMD3<UInt8>((color * 255).rounded(.toNearestOrAwayFromZero))
        colors.append(RGB8(red: codes.x, green: codes.y, blue: codes.z))
      case .polygon(let corners):
        for last in 2..<corners.count {
          triangles.append(
            TriangleIndices(corners[0].vertex, corners[last - 1].vertex, corners[last].vertex))
        }
      case .comment(let text): addStatement(text)
      case .textureCoordinate: break
      }
      guard max(positions.count, triangles.count) <= maximumCount else {
        throw CaptureReadingError(
          .limitExceeded, path: ["OBJ", "line \(statements.line)"],
          expected: "at most \(maximumCount) vertices and triangles", found: "more")
      }
    }
    if colors.count == positions.count, !colors.isEmpty { self.colors = colors }
  }
}
