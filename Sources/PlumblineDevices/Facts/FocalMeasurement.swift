/// A focal length that was measured with a board, beside the factory's.
public struct FocalMeasurement: SourcedFact, Hashable {
  /// The estimated model, and the treatment of corners before.
  public enum Model: String, Sendable, CaseIterable {
    /// The focal length alone; lens distortion is not modeled.
    case focalOnly
    /// Focal length and three radial terms.
    case polynomial
    /// The focal length from corners that Apple's inverse table moved: distorted to undistorted.
    case undistortingTable
    /// The focal length from corners that the other table moved: the wrong direction.
    case distortingTable
  }

  /// Which specimen, in the source's own words.
  public var specimen: String
  /// The version of the system; `nil` when not said.
  public var system: String?
  /// The camera model that was estimated.
  public var model: Model
  /// Whether the images had been rectified by geometric distortion correction; `nil` for no.
  public var isRectified: Bool?
  /// The factory's focal length, in pixels of a width of 640.
  public var factory: Double
  /// The measured focal length, in pixels of a width of 640; `nil` when not said.
  public var measured: Double?
  /// One standard deviation of `measured`, in pixels; `nil` when not said.
  public var sigma: Double?
  /// The root mean square of the residuals, in pixels of a width of 640; `nil` when not said.
  public var rmsPixels: Double?
  /// The percentage that the source prints; its base and sign vary, see ``differencePercent``.
  public var printedPercent: Double?
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?

  /// Measured over factory; `nil` when not measured.
  public var ratio: Double? { measured.map { $0 / factory } }

  /// How far the measured focal length is from the factory's, in percent of the *factory's*.
  ///
  /// Negative where the factory's is too long; `nil` when not measured.
  public var differencePercent: Double? { ratio.map { ($0 - 1) * 100 } }

  /// `sigma` in percent of the factory's focal length; `nil` when not said.
  public var sigmaPercent: Double? { sigma.map { $0 / factory * 100 } }
}
