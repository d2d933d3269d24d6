public import PlumblineModel

/// How likely each pixel of a photo is foreground, as a network says.
public struct NetworkMask: Sendable, Hashable {
  /// The likelihood of each pixel of the scene's image, 255 for certainly foreground.
  public var likelihood: Raster<UInt8>
  /// How many pixels of the image lie across one of the network; at least 1.
  public var enlargement: Double
  /// The network, for notes.
  public var name: String

  /// Creates it from its parts.
  ///
  /// - Precondition: The enlargement is finite.
  public init(likelihood: Raster<UInt8>, enlargement: Double, name: String) {
    precondition(enlargement.isFinite, "\(enlargement) pixels")
    self.likelihood = likelihood
    self.enlargement = max(enlargement, 1)
    self.name = name
  }

  /// Hashes all but the pixels; their number is enough to tell most masks apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(likelihood.size)
    hasher.combine(enlargement)
    hasher.combine(name)
  }
}

/// What of a scene is in front, and what decided it.
package struct SceneForeground: Sendable {
  /// How much of each pixel is in front: 0 is background, 255 foreground.
  package var coverage: Raster<UInt8>
  /// What a user should know.
  package var notes: [EffectNote]
  /// What decided.
  package var decision: ForegroundDecision
}
