public import PlumblineEffects

/// What an effect of a panel gives: one image, or those of a loop, all of one size.
public struct EffectImages: Sendable {
  /// The images; the last of a loop leads on to the first.
  ///
  /// What is to be known stands with the first.
  public var images: [EffectImage]
  /// How fast the images of a loop follow each other; `nil` for one image.
  public var imagesPerSecond: Int?

  /// Creates the result of an effect.
  ///
  /// - Precondition: There is an image.
  public init(_ images: [EffectImage], imagesPerSecond: Int? = nil) {
    precondition(!images.isEmpty, "an effect without an image")
    self.images = images
    self.imagesPerSecond = imagesPerSecond
  }
}
