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
  /// The orientation of the matte: the turn that makes it upright.
  public var orientation: ImageOrientation

  /// Creates a matte from its parts.
  package init(kind: Kind, coverage: Raster<UInt8>, orientation: ImageOrientation = .up) {
    self.kind = kind
    self.coverage = coverage
    self.orientation = orientation
  }
}

/// The brightness gain of a high-dynamic-range photo; carried along, never interpreted here.
public struct GainMap: Sendable {
  /// Codes as stored.
  public var samples: StoredSamples
  /// The producer's version number; `nil` when not given.
  public var version: Int?
  /// The ratio of peak to diffuse white; `nil` when not given.
  public var headroom: Double?
  /// The ICC profile that the map itself carries; `nil` for none.
  public var iccProfile: [UInt8]?
  /// The numbers of ISO 21496-1 by which the map and the image make a rendition of higher dynamic
  /// range, from their versions on, as the file holds them; `nil` for a map in the producer's form alone.
  public var toneMapping: [UInt8]?

  /// Creates a gain map from its parts.
  package init(samples: StoredSamples, version: Int? = nil, headroom: Double? = nil) {
    self.samples = samples
    self.version = version
    self.headroom = headroom
  }
}

/// The two images of a spatial photo: what is needed to compute depth from them.
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
