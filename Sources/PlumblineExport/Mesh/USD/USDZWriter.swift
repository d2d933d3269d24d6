public import PlumblineGeometry
import PlumblineRecordings
import PlumblineStreams

/// Writes a mesh as a USDZ package: a layer of text and the image, neither packed nor encrypted.
///
/// The layer says `metersPerUnit = 1` and `upAxis = "Y"`; axes are those of viewers. Texture
/// coordinates keep their own indices. Morph targets are blend shapes of UsdSkel, with an animation
/// that holds them at the document's weights; points are those at weights of 0. Uncertainty and residual are the primvars `sigma` and `residual`,
/// `nan` for unknown. Files start at multiples of 64 bytes. See `Documentation/formats/usdz.md`.
///
/// - Source: Pixar, *OpenUSD: Usdz File Format Specification*, *UsdGeom*, *UsdSkel*, *UsdPreviewSurface
///   Specification*.
public struct USDZWriter: Sendable {
  private let document: MeshDocument

  /// Prepares a document for writing; O(1).
  public init(_ document: MeshDocument) { self.document = document }

  /// The whole package; O(*n*).
  ///
  /// - Parameter baseName: The name of the layer inside; characters other than letters and digits of
  ///   ASCII, `-` and `_` become `_`.
  /// - Returns: The bytes of the package.
  /// - Throws: `.limitExceeded` for a layer or image of 4 GiB or more, which USDZ has no place for.
  public func bytes(baseName: String) throws(MeshError) -> [UInt8] {
    let image = document.texture.map { "textures/texture.\($0.mediaType.fileExtension)" }
    let layer = USDLayer(document, image: image).bytes
    let sum = layer.count + (document.texture?.bytes.count ?? 0)
    // Headers and padding take less than a kilobyte.
    guard sum <= Int(UInt32.max) - 1024 else {
      throw MeshError(
        .limitExceeded, at: "USDZ", expected: "at most 4294966271 bytes", found: "\(sum)")
    }
    let package = PackageFile()
    var archive = ZIPWriter(file: package)
    do throws(RecordingWritingError) {
      // The first file is the one that programs open.
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
