/// One change to a depth map for its own sake: a small value that is applied to a frame.
///
///     let clean = SpeckleRemoval(minimumPixels: 50).applied(to: frame)
///     clean.frame                     // the map, its ± and what was invented
///     clean.report.removedPixels
///
/// A filter computes every pixel from the frame as it came, never from pixels that it has already
/// changed. So its result depends neither on the order of the pixels nor on the processor.
package protocol DepthFilter: Sendable {
  /// A short stable name, such as `speckles-removed`; reports and provenance carry it.
  var name: String { get }

  /// Whether a color image changes the result.
  ///
  /// Callers read colors only for such filters. There is no default, since a filter that forgot to
  /// say so would find no color image.
  var needsColor: Bool { get }

  /// Changes a frame and says what it did.
  func apply(to frame: inout DepthFrame) -> DepthFilterReport
}

extension DepthFilter {
  /// The filtered frame with what was done to it.
  package func applied(to frame: DepthFrame) -> FilteredDepth {
    var copy = frame
    let report = apply(to: &copy)
    return FilteredDepth(frame: copy, reports: [report])
  }
}

/// A frame after filters, and what each of them did.
public struct FilteredDepth: Sendable {
  /// The frame.
  public var frame: DepthFrame
  /// The report of each filter, in the order in which they were applied.
  public var reports: [DepthFilterReport]

  /// The report of the last filter.
  public var report: DepthFilterReport? { reports.last }
}

/// A filter's report on one map.
public struct DepthFilterReport: Hashable, Sendable {
  /// The filter's name, such as `speckles-removed`.
  public var name: String
  /// Its settings, with their numbers.
  public var detail: String
  /// Pixels that had a depth before.
  public var measuredPixels: Int
  /// Pixels that lost theirs.
  public var removedPixels = 0
  /// Pixels that got one without having been measured.
  public var inventedPixels = 0
  /// Pixels whose depth changed.
  public var movedPixels = 0
  /// The largest change of a depth, in millimeters.
  public var worstMoveMillimeters = 0.0
  /// The mean size of the changes, over the pixels that moved, in millimeters.
  public var meanMoveMillimeters = 0.0
}

/// Filters one after another, and one over time between them.
///
/// The order is that of librealsense's documentation: filters of one frame, then over time, then
/// filling, since what is filled must not be taken for measured by anything before.
public struct DepthFilterChain: Sendable {
  /// The filters that run first on every frame, in order.
  package var filters: [any DepthFilter]
  /// The filter over time that runs next; `nil` for none.
  public var temporal: TemporalFilter?
  /// The hole fillers that run last, in order.
  package var fillers: [any DepthFilter]

  /// Creates a chain.
  package init(
    _ filters: [any DepthFilter], temporal: TemporalFilter? = nil,
    fillers: [any DepthFilter] = []
  ) {
    self.filters = filters
    self.temporal = temporal
    self.fillers = fillers
  }

  /// Whether any of the filters needs the color image; the one over time never does.
  package var needsColor: Bool { (filters + fillers).contains { $0.needsColor } }

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
