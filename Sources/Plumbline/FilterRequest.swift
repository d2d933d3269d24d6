public import PlumblineCorrection

/// Which filters are wanted: a preset, and what is to be different.
public struct FilterRequest: Sendable {
  /// The way to fill holes, whatever the preset does.
  public enum Filling: String, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// Where one surface lies around them.
    case surface
    /// From the left.
    case left
    /// With the farthest around.
    case farthest
    /// With the nearest around.
    case nearest
  }

  /// The purpose.
  public var preset: DepthFilterPreset
  /// The least confidence that stays, in place of the preset's; `nil` for that.
  public var leastConfidence: UInt8?
  /// The depths that stay, in meters; `nil` for all.
  public var rangeMeters: ClosedRange<Double>?
  /// How holes are filled, in place of what the preset does; `nil` for that.
  public var filling: Filling?
  /// The side of squares of which one pixel is left, 2 to 8; `nil` for the map's own size.
  public var decimation: Int?
  /// Whether the map is brought to the size of the color image.
  public var isUpsampled = false

  /// Creates a request for a preset as it is.
  public init(_ preset: DepthFilterPreset = .metrology) { self.preset = preset }

  /// The filters in the order in which they are applied.
  public var chain: DepthFilterChain {
    var chain = preset.chain
    if let leastConfidence {
      chain.filters.removeAll { $0 is ConfidenceThreshold }
      chain.filters.insert(ConfidenceThreshold(leastLevel: leastConfidence), at: 0)
    }
    if let rangeMeters {
      chain.filters.insert(
        RangeLimits(
          nearest: Float(rangeMeters.lowerBound), farthest: Float(rangeMeters.upperBound)),
        at: 0)
    }
    if let decimation {
      // Before anything smooths, after everything that removes.
      let place =
        chain.filters.firstIndex { $0 is BilateralFilter } ?? chain.filters.endIndex
      chain.filters.insert(MedianDecimation(side: decimation), at: place)
    }
    if let filling {
      chain.fillers.removeAll { $0 is HoleFilling }
      switch filling {
      case .none: break
      case .surface: chain.fillers.append(HoleFilling())
      case .left: chain.fillers.append(HoleFilling(rule: .left))
      case .farthest: chain.fillers.append(HoleFilling(rule: .farthest))
      case .nearest: chain.fillers.append(HoleFilling(rule: .nearest))
      }
    }
    if isUpsampled { chain.fillers.append(GuidedUpsampling()) }
    return chain
  }
}
