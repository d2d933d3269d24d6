public import PlumblineModel

/// The image that an effect made.
public struct EffectImage: Sendable {
  /// The colors, not multiplied with ``opacity``.
  public var color: Raster<RGB8>
  /// The opacity of each pixel, 255 for full; `nil` where all are opaque.
  public var opacity: Raster<UInt8>?
  /// Notes that a user should know.
  public var notes: [EffectNote]

  /// What decided what is in front, for a new background; `nil` for other effects.
  package var foreground: ForegroundDecision?
  /// How the image was blurred; `nil` for other effects.
  package var blur: BlurReport?
  /// How much of the image a light reaches, 0 to 1; `nil` for an effect without one.
  package var litShare: Double?
  /// The codes of the gain map that goes with the image; `nil` where there is none.
  package var gainMap: Raster<UInt8>?
  /// Whether the photo's own gain map is right for the image too.
  package var keepsGainMap = false

  /// Creates a result.
  public init(color: Raster<RGB8>, opacity: Raster<UInt8>? = nil, notes: [EffectNote] = []) {
    self.color = color
    self.opacity = opacity
    self.notes = notes
  }
}

/// What decided what is in front.
package struct ForegroundDecision: Sendable, Hashable {
  /// What decided; never ``ForegroundMask/Source/automatic``.
  package var source: ForegroundMask.Source
  /// The share of pixels that only one of network and depth puts in front, 0 to 1; `nil` unless both decided.
  package var disagreementShare: Double?
}

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
    /// Blur circles are so small that they are hardly seen.
    case slightBlur
    /// Slopes are too unsure to be lit on a part of the image, which stays as it is.
    case unreliableSlopes
    /// A network said what is in front.
    case networkMask
    /// The blur starts from the image before the phone's own blur, which the file holds beside it.
    case unrenderedOriginal
    /// A setting that was given changed nothing, since something else decides what it is about.
    case unusedSetting
  }

  /// The kind of note.
  public var code: Code
  /// One sentence that is safe to print.
  public var sentence: String

  /// Creates a note.
  package init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}

extension EffectNote: CustomStringConvertible {
  /// The sentence.
  public var description: String { sentence }
}

/// An error when an effect cannot be applied to a photo: what was expected and found.
public struct EffectError: Error, Sendable, Hashable {
  /// The kind of failure, which decides who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The photo lacks something, such as depth or a matte.
    case missing
    /// Parts do not fit each other, such as a background of another shape.
    case mismatch
    /// A number beyond sense, such as an aperture of f/0.
    case outOfRange
  }

  /// The kind of failure.
  public var reason: Reason
  /// The effect, such as `blur`.
  public var effect: String
  /// What was expected: the data that the effect needs.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  package init(_ reason: Reason, effect: String, expected: String, found: String) {
    self.reason = reason
    self.effect = effect
    self.expected = expected
    self.found = found
  }
}

extension EffectError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String { "\(effect): expected \(expected), found \(found)" }
}
