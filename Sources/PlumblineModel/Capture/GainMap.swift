/// The brightness gain of a high-dynamic-range photo; carried along, never interpreted here.
public struct GainMap: Sendable {
  /// Codes as stored.
  public var samples: StoredSamples
  /// The producer's version number; `nil` when not given.
  public var version: Int?
  /// The ratio of peak to diffuse white; `nil` when not given.
  public var headroom: Double?

  /// Creates a gain map from its parts.
  public init(samples: StoredSamples, version: Int? = nil, headroom: Double? = nil) {
    self.samples = samples
    self.version = version
    self.headroom = headroom
  }
}
