/// How depth is shown to the eye: a color map, what its ends stand for, and a color for holes.
///
/// Near is the color map's near end whatever the map stores: depth and range in meters, disparity
/// by its reciprocal. Range is colored by the length of the ray. Nothing to measure with.
public struct DepthColors: Hashable, Sendable {
  /// The ways to choose the depths at the two ends of the color map.
  public enum Span: Hashable, Sendable {
    /// These meters, so that a preview does not flicker when something enters it; linear in between.
    case fixed(nearMeters: Float, farMeters: Float)
    /// The depths that these shares of the measured pixels do not exceed, each map's own, and 2 %
    /// more on either side; linear in between.
    case quantiles(ClosedRange<Double>)
    /// No depths but ranks: each color is used for as many pixels as any other.
    ///
    /// - Source: histogram equalization as in Apple's sample *Streaming Depth Data from the
    ///   TrueDepth Camera*, whose `DepthToJETConverter` counts depths in bins of 1/8 mm and takes
    ///   the color at the share of pixels that are nearer. Here the bins are 1/2048 of a power of
    ///   two (1/8 mm at 0.25…0.5 m), and the middle of a bin's ranks counts.
    case equalized

    /// All but the nearest and farthest 0.2 %, as the report's viewer starts.
    ///
    /// A few flying pixels must not squeeze all others into two colors.
    public static let automatic = Span.quantiles(0.002...0.998)
  }

  /// The colors from near to far.
  public var colorMap: ColorMap
  /// The depths at the ends of the color map.
  public var span: Span
  /// The color of pixels that were not measured.
  public var missing: RGB8

  /// Chooses colors.
  ///
  /// - Precondition: Fixed meters are finite with `0 ≤ near < far`; quantiles lie within 0 to 1.
  public init(
    _ colorMap: ColorMap = .turbo, span: Span,
    missing: RGB8 = RGB8(red: 0, green: 0, blue: 0)
  ) {
    self.colorMap = colorMap
    self.span = span
    self.missing = missing
    span.check()
  }
}

extension DepthColors.Span {
  func check() {
    switch self {
    case .fixed(let near, let far):
      precondition(near >= 0 && near < far && far.isFinite, "\(near) to \(far) m is no range")
    case .quantiles(let quantiles):
      precondition(
        quantiles.lowerBound >= 0 && quantiles.upperBound <= 1,
        "shares from \(quantiles.lowerBound) to \(quantiles.upperBound)")
    case .equalized: break
    }
  }
}
