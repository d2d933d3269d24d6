/// What a correction changes, in numbers: how far the capture was off before it, and how far off it
/// may still be.
///
/// "Off" is counted from what the step takes for right; `nil` is not known.
public struct CorrectionEffect: Hashable, Sendable {
  /// The deviation of depths and lengths.
  public struct Deviation: Hashable, Sendable {
    /// Millimeters at the median depth: the sensor's depth minus the distance that follows from
    /// the camera's numbers for a thing of known size, such as a board.
    ///
    /// The sensor's own depths do
    /// not depend on the camera's numbers; a focal length that is 6 % too long puts the board 6 %
    /// too far away.
    public var zMillimeters: Double?
    /// Percent of lengths across the image, positive for lengths that are too long.
    public var lengthPercent: Double?
    /// Pixels of the map: the largest distance of an image point from where it should be.
    public var pixels: Double?

    /// Creates a deviation from its parts.
    public init(
      zMillimeters: Double? = nil, lengthPercent: Double? = nil, pixels: Double? = nil
    ) {
      self.zMillimeters = zMillimeters
      self.lengthPercent = lengthPercent
      self.pixels = pixels
    }

    /// Not off at all.
    public static let none = Deviation(zMillimeters: 0, lengthPercent: 0, pixels: 0)
  }

  /// The bias before the correction, with its sign.
  public var before: Deviation
  /// The deviation that remains after it, one standard deviation.
  public var after: Deviation

  /// Creates an effect from its parts.
  public init(before: Deviation, after: Deviation = Deviation()) {
    self.before = before
    self.after = after
  }
}
