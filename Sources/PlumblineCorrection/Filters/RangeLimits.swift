internal import CKernels
internal import PlumblineModel

/// Removes depths outside of what a sensor can measure, or a scene can hold.
public struct RangeLimits: DepthFilter, Hashable {
  /// The least depth that stays, in meters.
  public var nearest: Float
  /// The largest depth that stays, in meters.
  public var farthest: Float
  /// `range-limited`.
  public let name = "range-limited"

  /// Creates limits, both included.
  public init(nearest: Float = 0, farthest: Float) {
    self.nearest = nearest
    self.farthest = farthest
  }

  /// Removes what lies outside; O(*n*).
  public func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let count = frame.size.pixelCount
    plb_filter_range(&frame.depth.meters.samples, count, nearest, farthest)
    return frame.settle(name, "\(nearest) to \(farthest) m")
  }
}
