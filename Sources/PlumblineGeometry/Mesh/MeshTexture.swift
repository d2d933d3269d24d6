/// The image of a mesh as a file holds it, not decoded.
///
/// Its axes are those of ``TextureLayout``; its values are non-linear (sRGB), as in photos.
public struct MeshTexture: Sendable, Hashable {
  /// The encoding of the image.
  public enum MediaType: String, Sendable, CaseIterable {
    /// JPEG.
    case jpeg = "image/jpeg"
    /// PNG.
    case png = "image/png"

    /// The extension of file names, without the dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : "png" }
  }

  /// The encoded image.
  public var bytes: [UInt8]
  /// The encoding of the image.
  public var mediaType: MediaType

  /// Wraps an encoded image; its bytes are not examined.
  public init(bytes: [UInt8], mediaType: MediaType) {
    self.bytes = bytes
    self.mediaType = mediaType
  }
}
