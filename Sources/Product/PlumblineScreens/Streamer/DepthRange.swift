import PlumblineModel

/// The depths at the two ends of the color map, as the sliders of a screen set them, in meters.
///
/// The two ends never meet: one that is pushed against the other moves it.
public struct DepthRange: Hashable, Sendable {
  /// The smallest distance between the two ends, in meters.
  public static let minimumSpanMeters: Float = 0.05

  /// What the sliders can reach, in meters.
  public let limits: ClosedRange<Float>
  private var near: Float
  private var far: Float

  /// Creates a range.
  ///
  /// - Parameters:
  ///   - limits: What the sliders can reach, in meters.
  ///   - near: The depth of the first color, moved into the limits.
  ///   - far: The depth of the last color, moved into the limits and away from `near`.
  /// - Precondition: The limits are at least 0, finite, and farther apart than the smallest distance.
  public init(limits: ClosedRange<Float>, nearMeters near: Float, farMeters far: Float) {
    precondition(
      limits.lowerBound >= 0 && limits.upperBound.isFinite
        && limits.upperBound - limits.lowerBound >= 2 * Self.minimumSpanMeters,
      "\(limits) m leaves no range")
    self.limits = limits
    (self.near, self.far) = (limits.lowerBound, limits.upperBound)
    farMeters = far
    nearMeters = near
  }

  /// The depth of the first color, in meters; a value that is not finite changes nothing.
  public var nearMeters: Float {
    get { near }
    set {
      guard newValue.isFinite else { return }
      let last = limits.upperBound - Self.minimumSpanMeters
      near = min(max(newValue, limits.lowerBound), last)
      far = max(far, near + Self.minimumSpanMeters)
    }
  }

  /// The depth of the last color, in meters; a value that is not finite changes nothing.
  public var farMeters: Float {
    get { far }
    set {
      guard newValue.isFinite else { return }
      let first = limits.lowerBound + Self.minimumSpanMeters
      far = min(max(newValue, first), limits.upperBound)
      near = min(near, far - Self.minimumSpanMeters)
    }
  }

  /// Both ends, such as `0.20 m to 1.20 m`.
  public var text: String { "\(Double(near).fixed(2)) m to \(Double(far).fixed(2)) m" }
}
