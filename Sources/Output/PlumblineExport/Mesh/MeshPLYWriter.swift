import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// Writes a mesh as binary little-endian PLY.
///
/// Like ``PLYWriter``, it keeps the frame of the mesh, which a comment states, and meters. Vertices have
/// `float x, y, z, nx, ny, nz`; with color `uchar red, green, blue`; and `float sigma` and
/// `float residual` if known, with NaN for vertices without a value; where vertices were invented to close
/// holes `uchar invented`, 1 for these. Faces have
/// `list uchar int vertex_indices`; with a texture layout also `list uchar float texcoord`, six
/// numbers per face with `v` from the bottom; and with an image there is a comment `TextureFile`.
/// The format has no place for morph targets, which are omitted. See
/// `Documentation/formats/ply.md`.
///
/// - Source: G. Turk, *The PLY Polygon File Format*, Stanford 1994; the texture is stored as
///   MeshLab does.
package struct MeshPLYWriter: Sendable {
  private let document: MeshDocument

  /// Creates a writer for a document; O(1).
  package init(_ document: MeshDocument) { self.document = document }

  /// The files: the mesh, then its image if there is one; O(*n*).
  ///
  /// - Parameter baseName: The start of the file names; characters other than ASCII letters,
  ///   digits, `-` and `_` become `_`, since the files refer to each other by name.
  /// - Returns: Files for one folder.
  package func files(baseName: String) -> [MeshFile] {
    let name = MeshDocument.fileName(baseName)
    let image = document.texture.map { texture in
      MeshFile(name: "\(name).\(texture.mediaType.fileExtension)", bytes: texture.bytes)
    }
    var bytes = header(image: image?.name)
    appendVertices(to: &bytes)
    appendFaces(to: &bytes)
    return [MeshFile(name: "\(name).ply", bytes: bytes)] + (image.map { [$0] } ?? [])
  }

  private func header(image: String?) -> [UInt8] {
    let mesh = document.mesh
    var lines = ["ply", "format binary_little_endian 1.0"]
    lines += document.headLines(frame: document.frame.statement).map { "comment \($0)" }
    lines += document.sigmaLines.map { "comment \($0)" }
    if mesh.residualMeters != nil {
      lines.append("comment residual is mesh minus measurement along the normal in meters")
    }
    if let image { lines.append("comment TextureFile \(image)") }
    lines.append("element vertex \(mesh.vertexCount)")
    lines += ["x", "y", "z", "nx", "ny", "nz"].map { "property float \($0)" }
    if mesh.colors != nil { lines += ["red", "green", "blue"].map { "property uchar \($0)" } }
    if mesh.sigmaMeters != nil { lines.append("property float sigma") }
    if mesh.residualMeters != nil { lines.append("property float residual") }
    if mesh.isInvented != nil { lines.append("property uchar invented") }
    lines.append("element face \(mesh.triangles.count)")
    lines.append("property list uchar int vertex_indices")
    if mesh.texture != nil { lines.append("property list uchar float texcoord") }
    lines.append("end_header")
    return lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  }

  private func appendVertices(to bytes: inout [UInt8]) {
    let mesh = document.mesh
    bytes.reserveCapacity(bytes.count + mesh.vertexCount * 35 + mesh.triangles.count * 38)
    for (index, normal) in document.unitNormals.enumerated() {
      for point in [mesh.positions[index], normal] {
        bytes.appendLittleEndian(point.x.bitPattern)
        bytes.appendLittleEndian(point.y.bitPattern)
        bytes.appendLittleEndian(point.z.bitPattern)
      }
      if let color = mesh.colors?[index] { bytes += [color.red, color.green, color.blue] }
      if let sigma = mesh.sigmaMeters?[index] { bytes.appendLittleEndian(sigma.bitPattern) }
      if let residual = mesh.residualMeters?[index] {
        bytes.appendLittleEndian(residual.bitPattern)
      }
      if let isInvented = mesh.isInvented?[index] { bytes.append(isInvented ? 1 : 0) }
    }
  }

  private func appendFaces(to bytes: inout [UInt8]) {
    let mesh = document.mesh
    for (index, triangle) in mesh.triangles.enumerated() {
      bytes.append(3)
      // A mesh has at most 2³¹ − 1 vertices, so the signed type, which most readers support,
      // suffices.
      for corner in [triangle.first, triangle.second, triangle.third] {
        bytes.appendLittleEndian(corner)
      }
      guard let texture = mesh.texture else { continue }
      bytes.append(6)
      for corner in 0..<3 {
        let coordinate = texture.coordinates[texture.triangles[index][corner]]
        bytes.appendLittleEndian(coordinate.x.bitPattern)
        bytes.appendLittleEndian((1 - coordinate.y).bitPattern)
      }
    }
  }
}
