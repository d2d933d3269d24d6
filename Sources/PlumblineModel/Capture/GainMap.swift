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
  public init(samples: StoredSamples, version: Int? = nil, headroom: Double? = nil) {
    self.samples = samples
    self.version = version
    self.headroom = headroom
  }
}
