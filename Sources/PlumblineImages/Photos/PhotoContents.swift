public import PlumblineModel

/// A whole photo before it is written: its pixels, what belongs to them, and what it says of itself.
///
/// Everything lies as the stored pixels lie; ``PhotoMetadata/orientation`` turns all of it alike.
public struct PhotoContents: Sendable {
  /// The image as stored.
  public var color: Raster<RGB8>
  /// Exif, XMP, ICC and orientation.
  public var metadata: PhotoMetadata
  /// The depth map; `nil` for none.
  public var depth: PhotoDepth?
  /// The mattes, stored as the image is; their own orientation is the image's.
  public var mattes: [Matte]
  /// The gain map; `nil` for none.
  public var gainMap: GainMap?
  /// What the file that was read holds besides: writing these contents leaves it out.
  public var leftOut: [Finding] = []
  /// What describes the image and is not read here; HEIC alone has a place for it.
  package var items: [CarriedItem] = []
  /// What the XMP of mattes and of the gain map says beside what is read of it.
  package var companions: [AuxiliaryMeaning: CompanionProperties] = [:]
  /// What the gain map's codes are said to be where it has no profile.
  var gainMapCodes: ColorCodes?
  /// What a HEIC says of the rendition beside the gain map's numbers.
  package var rendition: HEIFRendition?

  /// Creates a photo without depth.
  public init(color: Raster<RGB8>, metadata: PhotoMetadata = PhotoMetadata()) {
    self.color = color
    self.metadata = metadata
    mattes = []
  }
}
