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
    let shares = (0...255).map { Array(" \(Float($0) / 255)".utf8) }
    for (index, position) in mesh.positions.enumerated() {
      text.append("v", document.viewer(position))
      if let color = colors?[index] {
        text += shares[Int(color.red)]
        text += shares[Int(color.green)]
        text += shares[Int(color.blue)]
      }
      text.appendLine("")
    }
    for coordinate in mesh.texture?.coordinates ?? [] {
      text += "vt".utf8
      text.append(number: coordinate.x)
      text.append(number: 1 - coordinate.y)
      text.appendLine("")
    }
    for normal in document.unitNormals {
      text.append("vn", document.viewer(normal))
      text.appendLine("")
    }
    if material != nil { text.appendLine("usemtl surface") }
    appendFaces(to: &text)
    return text
  }

  /// A line for each triangle; indices count from 1.
  private func appendFaces(to text: inout [UInt8]) {
    let slash = UInt8(ascii: "/")
    for (index, triangle) in document.mesh.triangles.enumerated() {
      text.append(UInt8(ascii: "f"))
      for corner in 0..<3 {
        text.append(UInt8(ascii: " "))
        text.append(index: triangle[corner] + 1)
        text.append(slash)
        if let texture = document.mesh.texture {
          text.append(index: texture.triangles[index][corner] + 1)
        }
        text.append(slash)
        text.append(index: triangle[corner] + 1)
      }
      text.appendLine("")
    }
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

  /// Appends a word and three numbers.
  fileprivate mutating func append(_ word: String, _ point: PackedPoint) {
    self += word.utf8
    append(number: point.x)
    append(number: point.y)
    append(number: point.z)
  }

  /// Appends a space and a number with the fewest digits that are read back exactly.
  fileprivate mutating func append(number: Float) {
    append(UInt8(ascii: " "))
    self += number.description.utf8
  }

  /// Appends the digits of a number above 0; a text of its own for each would take most of the time.
  fileprivate mutating func append(index: Int) {
    let first = count
    var rest = index
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[first...].reverse()
  }
}
