/// An image as the bytes of a file, for callers that pass it on without decoding it.
public struct EncodedImage: Sendable, Hashable {
  /// The kind of a file.
  public enum Kind: String, Sendable, CaseIterable {
    /// JPEG of any kind, with all metadata that the file has.
    case jpeg
    /// PNG.
    case png
    /// One HEVC image that decodes on its own, as phones stream it: parameter sets and slices with
    /// start codes (Annex B), without a container.
    case hevc
  }

  /// The kind of the file.
  public var kind: Kind
  /// The whole file.
  public var bytes: [UInt8]

  /// Wraps the bytes of a file.
  package init(_ kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }
}

/// A soft mask that a phone computed for its photo: 0 is outside, 255 inside, linear.
public struct Matte: Sendable {
  /// The kinds of mattes, by what they mark.
  public enum Kind: String, Sendable, CaseIterable {
    /// People in the foreground.
    case portraitEffects
    /// Skin.
    case skin
    /// Hair.
    case hair
    /// Teeth.
    case teeth
    /// Glasses.
    case glasses
    /// Sky.
    case sky
  }

  /// What the matte marks.
  public var kind: Kind
  /// Coverage, 0 to 255, linear; covers the same field of view as the photo.
  public var coverage: Raster<UInt8>
  /// The orientation of the matte: the rotation or mirroring that makes it upright.
  public var orientation: ImageOrientation

  /// Creates a matte from its parts.
  public init(kind: Kind, coverage: Raster<UInt8>, orientation: ImageOrientation = .up) {
    self.kind = kind
    self.coverage = coverage
    self.orientation = orientation
  }
}

/// The brightness gain map of a high-dynamic-range photo; it is passed on without interpretation.
public struct GainMap: Sendable {
  /// The codes as stored.
  public var samples: StoredSamples
  /// The producer's version number; `nil` when not given.
  public var version: Int?
  /// The ratio of peak to diffuse white; `nil` when not given.
  public var headroom: Double?
  /// The ICC profile of the map itself; `nil` for none.
  public var iccProfile: [UInt8]?
  /// The ISO 21496-1 metadata as the file holds them, from their version field on, by which the map
  /// and the image give a rendition of higher dynamic range; `nil` for a map in the producer's form
  /// alone.
  public var toneMapping: [UInt8]?

  /// Creates a gain map from its parts.
  package init(samples: StoredSamples, version: Int? = nil, headroom: Double? = nil) {
    self.samples = samples
    self.version = version
    self.headroom = headroom
  }
}

/// What is known of the two images of a spatial photo, from which depth can be computed.
public struct StereoPair: Hashable, Sendable {
  /// The size of each image.
  public var size: RasterSize
  /// The focal length in pixels of each image; `nil` when not given.
  public var focalLengthPixels: Double?
  /// The distance between the two cameras in millimeters; `nil` when not given.
  public var baselineMillimeters: Double?

  /// Creates a pair from its parts.
  package init(size: RasterSize, focalLengthPixels: Double?, baselineMillimeters: Double?) {
    self.size = size
    self.focalLengthPixels = focalLengthPixels
    self.baselineMillimeters = baselineMillimeters
  }
}
