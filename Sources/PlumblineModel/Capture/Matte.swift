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
  public init(kind: Kind, coverage: Raster<UInt8>, orientation: ImageOrientation = .up) {
    self.kind = kind
    self.coverage = coverage
    self.orientation = orientation
  }
}
