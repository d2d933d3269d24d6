/// Filters one after another, and one over time between them.
///
/// The order is that of librealsense's documentation: filters of one frame, then over time, then
/// filling, since what is filled must not be taken for measured by anything before.
public struct DepthFilterChain: Sendable {
  /// The filters that run first on every frame, in order.
  public var filters: [any DepthFilter]
  /// The filter over time that runs next; `nil` for none.
  public var temporal: TemporalFilter?
  /// The hole fillers that run last, in order.
  public var fillers: [any DepthFilter]

  /// Creates a chain.
  public init(
    _ filters: [any DepthFilter], temporal: TemporalFilter? = nil,
    fillers: [any DepthFilter] = []
  ) {
    self.filters = filters
    self.temporal = temporal
    self.fillers = fillers
  }

  /// Filters one frame that has none before it; the temporal filter only starts.
  public func applied(to frame: DepthFrame) -> FilteredDepth {
    var memory = TemporalFilter.Memory()
    return applied(to: frame, after: &memory)
  }

  /// Filters the next frame of a recording.
  ///
  /// - Parameters:
  ///   - frame: The frame, in the order of time.
  ///   - memory: What frames before left; a new one for each recording.
  /// - Returns: The frame and what each filter did.
  public func applied(
    to frame: DepthFrame, after memory: inout TemporalFilter.Memory
  ) -> FilteredDepth {
    var result = FilteredDepth(frame: frame, reports: [])
    for filter in filters { result.reports.append(filter.apply(to: &result.frame)) }
    if let temporal {
      result.reports.append(temporal.apply(to: &result.frame, after: &memory))
    }
    for filter in fillers { result.reports.append(filter.apply(to: &result.frame)) }
    return result
  }
}

/// Chains for a purpose.
public enum DepthFilterPreset: String, Sendable, CaseIterable {
  /// To measure: only removes. Every depth that is left is one that the sensor gave.
  case metrology
  /// For viewing: smooth, steady and with holes filled where a surface is known.
  case preview
  /// To fuse many frames: removes more, smooths a little, never fills, since other frames see what
  /// this one does not.
  case fusion

  /// The filters, with the limits that are documented with each.
  public var chain: DepthFilterChain {
    switch self {
    case .metrology:
      DepthFilterChain([
        ConfidenceThreshold(leastLevel: 2), FlyingPixelRemoval(), SpeckleRemoval(),
      ])
    case .preview:
      DepthFilterChain(
        [FlyingPixelRemoval(), SpeckleRemoval(minimumPixels: 20), BilateralFilter()],
        temporal: TemporalFilter(persistence: .twoOfFour), fillers: [HoleFilling()])
    case .fusion:
      DepthFilterChain([
        ConfidenceThreshold(leastLevel: 1), FlyingPixelRemoval(), SilhouetteRemoval(),
        SpeckleRemoval(), BilateralFilter(radiusPixels: 1, sigmaPixels: 1),
      ])
    }
  }
}
