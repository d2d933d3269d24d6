package import PlumblineGeometry
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams

/// Writes a mesh as a USDZ package: a text layer and the image, neither compressed nor encrypted.
///
/// The layer states `metersPerUnit = 1` and `upAxis = "Y"`; axes are those of viewers. Texture
/// coordinates have their own indices. Morph targets are blend shapes of UsdSkel, with an animation
/// that fixes the document's weights; points are those at weights of 0. Uncertainty and residual
/// are the primvars `sigma` and `residual`, with `nan` for unknown. Files start at multiples of 64
/// bytes. See `Documentation/formats/usdz.md`.
///
/// - Source: Pixar, *OpenUSD: Usdz File Format Specification*, *UsdGeom*, *UsdSkel*,
///   *UsdPreviewSurface Specification*.
package struct USDZWriter: Sendable {
  private let document: MeshDocument

  /// Creates a writer for a document; O(1).
  package init(_ document: MeshDocument) { self.document = document }

  /// The whole package; O(*n*).
  ///
  /// - Parameter baseName: The name of the layer in the package; characters other than ASCII
  ///   letters, digits, `-` and `_` become `_`.
  /// - Returns: The bytes of the package.
  /// - Throws: `.limitExceeded` for a layer or image of 4 GiB or more, which USDZ does not support.
  package func bytes(baseName: String) throws(MeshError) -> [UInt8] {
    let image = document.texture.map { "textures/texture.\($0.mediaType.fileExtension)" }
    let layer = USDLayer(document, image: image).bytes
    let sum = layer.count + (document.texture?.bytes.count ?? 0)
    // Headers and padding take less than 1 kB.
    guard sum <= Int(UInt32.max) - 1024 else {
      throw MeshError(
        .limitExceeded, at: "USDZ", expected: "at most 4294966271 bytes", found: "\(sum)")
    }
    let package = PackageFile()
    var archive = ZIPWriter(file: package)
    do throws(RecordingWritingError) {
      // Programs open the first file of the package.
      try archive.add("\(MeshDocument.fileName(baseName)).usda", layer, alignment: 64)
      if let image, let texture = document.texture {
        try archive.add(image, texture.bytes, alignment: 64)
      }
      try archive.finish()
    } catch {
      preconditionFailure("safe names in memory were refused: \(error)")
    }
    return package.bytes
  }
}

/// A file in memory.
private final class PackageFile: RecordingFile {
  private(set) var bytes: [UInt8] = []

  var byteCount: Int { bytes.count }

  func append(_ bytes: ArraySlice<UInt8>) throws(RecordingWritingError) { self.bytes += bytes }

  func synchronize() throws(RecordingWritingError) {}

  func close() throws(RecordingWritingError) {}
}

/// The text of a USD layer under construction.
struct USDText {
  /// The text so far.
  private(set) var bytes: [UInt8] = []
  private var depth = 0

  /// Appends an indented line.
  mutating func line(_ text: String) {
    bytes += Array(repeating: UInt8(ascii: " "), count: 4 * depth)
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends lines between an opening and a closing line, with one more level of indentation.
  mutating func block(_ opening: String, _ closing: String, _ body: (inout USDText) -> Void) {
    line(opening)
    depth += 1
    body(&self)
    depth -= 1
    line(closing)
  }

  /// Appends an attribute with a value for each element.
  mutating func array<Element>(
    _ declaration: String, _ elements: [Element], _ text: (Element) -> String,
    interpolation: String? = nil
  ) {
    bytes += Array(repeating: UInt8(ascii: " "), count: 4 * depth)
    bytes += "\(declaration) = [".utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes += ", ".utf8 }
      bytes += text(element).utf8
    }
    bytes.append(UInt8(ascii: "]"))
    guard let interpolation else {
      bytes.append(UInt8(ascii: "\n"))
      return
    }
    bytes += " (\n".utf8
    depth += 1
    line("interpolation = \"\(interpolation)\"")
    depth -= 1
    line(")")
  }

  /// A point or direction.
  static func triple(_ point: PackedPoint) -> String { "(\(point.x), \(point.y), \(point.z))" }

  /// Three indices.
  static func triangle(_ corners: TriangleIndices) -> String {
    "\(corners.first), \(corners.second), \(corners.third)"
  }

  /// A number; `nan` or `inf` if it is not finite.
  static func number(_ number: Float) -> String {
    number.isNaN ? "nan" : number.isInfinite ? (number > 0 ? "inf" : "-inf") : "\(number)"
  }

  /// Quoted text in printable ASCII; other characters become `?`.
  static func quoted(_ text: String) -> String {
    let escaped = ExportOrigin.oneLine(text).map { character in
      character == "\"" || character == "\\" ? "\\\(character)" : String(character)
    }
    return "\"\(escaped.joined())\""
  }

  /// A valid, unique prim name for each text: letters, digits and `_`, with no leading digit.
  static func identifiers(_ texts: [String]) -> [String] {
    var taken: Set<String> = []
    return texts.map { text in
      var name = String(
        text.unicodeScalars.map { scalar in
          switch scalar {
          case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
          default: Character("_")
          }
        })
      if name.first?.isNumber != false { name = "_\(name)" }
      var candidate = name
      var number = 1
      while !taken.insert(candidate).inserted {
        number += 1
        candidate = "\(name)_\(number)"
      }
      return candidate
    }
  }
}
