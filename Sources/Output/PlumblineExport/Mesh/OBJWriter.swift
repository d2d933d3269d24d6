import PlumblineGeometry
import PlumblineModel

/// Writes a mesh as Wavefront OBJ, with a material file and the image where there is one.
///
/// Axes are those of ``MeshDocument/viewerStatement`` (`y` up where up is known) and the unit is the meter, as comments
/// in the file state. Texture coordinates have their own indices, with `v` from the bottom. Vertex
/// colors follow the positions, from 0 to 1 and non-linear, as many programs read them; they are
/// written only without an image. The format has no place for uncertainty, residual and morph
/// targets, which are omitted. See `Documentation/formats/obj.md`.
///
/// - Source: Wavefront Technologies, *Object Files (.obj)* and *MTL material format*, 1995.
package struct OBJWriter: Sendable {
  private let document: MeshDocument

  /// Creates a writer for a document; O(1).
  package init(_ document: MeshDocument) { self.document = document }

  /// The files: the mesh first, then its material and image if there is an image; O(*n*).
  ///
  /// - Parameter baseName: The start of the file names; characters other than ASCII letters,
  ///   digits, `-` and `_` become `_`, since the files refer to each other by name.
  /// - Returns: Files for one folder.
  package func files(baseName: String) -> [MeshFile] {
    let name = MeshDocument.fileName(baseName)
    guard let texture = document.texture else {
      return [MeshFile(name: "\(name).obj", bytes: object(material: nil))]
    }
    let image = "\(name).\(texture.mediaType.fileExtension)"
    return [
      MeshFile(name: "\(name).obj", bytes: object(material: "\(name).mtl")),
      MeshFile(name: "\(name).mtl", bytes: material(image: image)),
      MeshFile(name: image, bytes: texture.bytes),
    ]
  }

  private func object(material: String?) -> [UInt8] {
    let mesh = document.mesh
    var text: [UInt8] = []
    text.reserveCapacity(mesh.vertexCount * 80 + mesh.triangles.count * 60)
    for line in document.headLines(frame: document.viewerStatement) { text.appendLine("# \(line)") }
    if let material { text.appendLine("mtllib \(material)") }
    text.appendLine("o \(MeshDocument.fileName(document.name))")
    let colors = document.texture == nil ? mesh.colors : nil
    for (index, position) in mesh.positions.enumerated() {
      text.append("v", document.viewer(position))
      if let color = colors?[index] {
        text.append(
          "",
          PackedPoint(
            x: Float(color.red) / 255, y: Float(color.green) / 255, z: Float(color.blue) / 255))
      }
      text.appendLine("")
    }
    for coordinate in mesh.texture?.coordinates ?? [] {
      text.appendLine("vt \(coordinate.x) \(1 - coordinate.y)")
    }
    for normal in document.unitNormals {
      text.append("vn", document.viewer(normal))
      text.appendLine("")
    }
    if material != nil { text.appendLine("usemtl surface") }
    for (index, triangle) in mesh.triangles.enumerated() {
      text.append(UInt8(ascii: "f"))
      for corner in 0..<3 {
        let vertex = triangle[corner] + 1
        let place = mesh.texture.map { "\($0.triangles[index][corner] + 1)" } ?? ""
        text += " \(vertex)/\(place)/\(vertex)".utf8
      }
      text.appendLine("")
    }
    return text
  }

  private func material(image: String) -> [UInt8] {
    var text: [UInt8] = []
    for line in document.origin.lines { text.appendLine("# \(line)") }
    // Without specular highlights, since a photo already contains its lighting.
    for line in ["newmtl surface", "Ka 0 0 0", "Kd 1 1 1", "Ks 0 0 0", "illum 1"] {
      text.appendLine(line)
    }
    text.appendLine("map_Kd \(image)")
    return text
  }
}

extension [UInt8] {
  /// Appends a line with its line ending.
  fileprivate mutating func appendLine(_ line: String) {
    self += line.utf8
    append(UInt8(ascii: "\n"))
  }

  /// Appends a word and three numbers with the fewest digits that are read back exactly.
  fileprivate mutating func append(_ word: String, _ point: PackedPoint) {
    self += "\(word) \(point.x) \(point.y) \(point.z)".utf8
  }
}
