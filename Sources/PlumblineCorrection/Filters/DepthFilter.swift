/// One thing that is done to a depth map for its own sake: a small value with one verb.
///
///     let clean = SpeckleRemoval(minimumPixels: 50).applied(to: frame)
///     clean.frame                     // the map, its ± and what was invented
///     clean.report.removedPixels
///
/// Filters never read pixels that another pixel's result changed: what they give does not depend on
/// an order, nor on the processor.
public protocol DepthFilter: Sendable {
  /// A short stable name, such as `speckles-removed`; reports and provenance carry it.
  var name: String { get }

  /// Changes a frame and says what it did.
  func apply(to frame: inout DepthFrame) -> DepthFilterReport
}

extension DepthFilter {
  /// The filtered frame with what was done to it.
  public func applied(to frame: DepthFrame) -> FilteredDepth {
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
