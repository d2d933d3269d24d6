/// Something about an effect's result that a user should know.
public struct EffectNote: Sendable, Hashable {
  /// The kinds of notes.
  public enum Code: String, Sendable, CaseIterable {
    /// The depth map has far fewer pixels than the image: edges follow the colors or the matte.
    case coarseDepth
    /// A threshold between foreground and background was chosen by the effect.
    case automaticThreshold
    /// The photo knows no camera: one was assumed.
    case assumedCamera
    /// The camera is that which the photo's Exif states, in a rounded number.
    case statedCamera
    /// Distances are relative: nothing is in meters.
    case relativeDepth
    /// A matte of another size was brought to the image's.
    case resampledMatte
    /// Nothing, or everything, is in the foreground.
    case noForeground
    /// The result is smaller than the photo.
    case reduced
    /// Neighboring codes of the stored map are blurred visibly differently: smooth slopes show bands.
    case quantizedDepth
    /// The depth's own ± leaves the blur unsure by more than a pixel.
    case uncertainBlur
    /// The blur that was requested is larger than the effect makes.
    case cappedBlur
  }

  /// The kind of note.
  public var code: Code
  /// One sentence that is safe to print.
  public var sentence: String

  /// Creates a note.
  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}

extension EffectNote: CustomStringConvertible {
  /// The sentence.
  public var description: String { sentence }
}
