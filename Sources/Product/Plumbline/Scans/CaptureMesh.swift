public import PlumblineExport
public import PlumblineGeometry
public import PlumblineIO
import PlumblineModel
import PlumblineNumerics

/// The surface of one capture: what ``CaptureMesher`` makes.
public struct CaptureMesh: Sendable {
  /// The surface, in meters in the frame of the camera.
  let mesh: TriangleMesh
  /// The image of its texture; `nil` without color, or with a color for each vertex.
  let texture: MeshTexture?
  /// The program and the source file.
  let origin: ExportOrigin
  /// The number of measured pixels, without flying ones.
  public let pixelCount: Int
  /// The number of pixels that were left out since they hang between two surfaces.
  public let flyingCount: Int

  /// The number of vertices.
  public var vertexCount: Int { mesh.vertexCount }
  /// The number of triangles.
  public var triangleCount: Int { mesh.triangles.count }

  /// The area in square meters, with one standard deviation as far as the ± of the vertices is one error of
  /// all of them together; `nil` where no vertex has a ±.
  public var area: (squareMeters: Double, sigma: Double?) {
    // A scale wrong by s changes an area by 2 s.
    let shares = mesh.sigmaMeters.map { sigmas in
      zip(sigmas, mesh.positions).map { Double($0) / $1.vector.z }.filter(\.isFinite).sorted()
    }
    let area = mesh.surfaceArea
    return (area, shares?.middleOfSorted.map { 2 * $0 * area })
  }

  /// The files of the surface, their names without a folder.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - name: The name of the files without their ending.
  /// - Returns: The mesh, and what it names.
  /// - Throws: ``MeshError`` for a mesh that the format cannot hold. Cost: O(*n*).
  public func files(as format: MeshFormat, name: String) throws(MeshError) -> [Extraction.File] {
    let document = try MeshDocument(
      name: name, mesh: mesh, texture: texture, origin: origin, statement: statement)
    return try format.files(of: document, baseName: name).map {
      Extraction.File(name: $0.name, bytes: $0.bytes)
    }
  }

  private var statement: String? {
    mesh.medianSigmaMeters.map {
      "± \((1000 * $0).fixed(1)) mm (1 sigma) along the normal in the middle, sigma of each vertex"
    }
  }

  /// The document of `mesh --json`.
  ///
  /// - Parameters:
  ///   - fileName: The capture's name.
  ///   - outputs: The files that were written.
  /// - Returns: The document.
  public func document(fileName: String, outputs: [String]) -> JSONValue {
    let area = area
    return .object([
      ("schema", .string("plumbline.mesh/1")), ("file", .string(fileName)),
      ("sha256", origin.sourceSHA256.map { .string($0) } ?? .null),
      ("frame", .string("camera: x right, y down, z forward")), ("unit", .string("m")),
      ("vertices", .integer(vertexCount)), ("triangles", .integer(triangleCount)),
      ("measuredPixels", .integer(pixelCount)), ("flyingPixels", .integer(flyingCount)),
      ("areaSquareMeters", .number(area.squareMeters)),
      ("areaSigma", area.sigma.map { .number($0) } ?? .null),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }
}
