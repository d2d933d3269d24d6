public import PlumblineModel

/// What a photo file says about itself beside its pixels, each block as its bytes.
///
/// The blocks are carried over byte for byte; only what a change makes untrue is edited in them.
public struct PhotoMetadata: Sendable, Hashable {
  /// The Exif block from its TIFF byte-order mark on; `nil` when there is none.
  public var exif: [UInt8]?
  /// The XMP packet of the photo itself; `nil` when there is none.
  public var xmp: [UInt8]?
  /// The packet that a JPEG splits over several segments, which the other one names; `nil` when there is
  /// none, and for HEIC, which needs no second packet.
  public var extendedXMP: ExtendedXMP?
  /// The ICC profile; `nil` when there is none.
  public var iccProfile: [UInt8]?
  /// What the image's numbers mean where no profile says it; `nil` for sRGB, and when nothing is said.
  public var colorSpace: PhotoColorSpace?
  /// How the stored pixels must be turned to be upright: Exif's in JPEG, `irot` and `imir` in HEIC.
  public var orientation: ImageOrientation

  /// Creates metadata from its blocks.
  public init(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iccProfile: [UInt8]? = nil,
    orientation: ImageOrientation = .up
  ) {
    self.exif = exif
    self.xmp = xmp
    self.iccProfile = iccProfile
    self.orientation = orientation
  }
}
