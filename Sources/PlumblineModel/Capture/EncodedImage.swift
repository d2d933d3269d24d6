/// An image as the bytes of a file, for callers that pass it on without decoding it.
public struct EncodedImage: Sendable, Hashable {
  /// The kind of a file.
  public enum Kind: String, Sendable, CaseIterable {
    /// JPEG of any kind, with all metadata that the file has.
    case jpeg
    /// PNG.
    case png
    /// One image of HEVC that decodes on its own, as phones stream it: parameter sets and slices
    /// between start codes (Annex B), without a container.
    case hevc
  }

  /// The kind of the file.
  public var kind: Kind
  /// The whole file.
  public var bytes: [UInt8]

  /// Wraps the bytes of a file.
  public init(_ kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }
}
