public import PlumblineEffects

/// What an effect of a panel gives: one picture, or those of a loop, all of one size.
public struct EffectPictures: Sendable {
  /// The pictures; the last of a loop leads on to the first.
  ///
  /// What is to be known stands with the first.
  public var pictures: [EffectPicture]
  /// How fast the pictures of a loop follow each other; `nil` for one picture.
  public var picturesPerSecond: Int?

  /// Creates the result of an effect.
  ///
  /// - Precondition: There is a picture.
  public init(_ pictures: [EffectPicture], picturesPerSecond: Int? = nil) {
    precondition(!pictures.isEmpty, "an effect without a picture")
    self.pictures = pictures
    self.picturesPerSecond = picturesPerSecond
  }
}
