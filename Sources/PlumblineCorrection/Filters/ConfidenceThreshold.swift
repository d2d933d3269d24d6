internal import CKernels
internal import PlumblineModel

/// Removes depths that the sensor itself does not trust enough; without confidence it does nothing.
public struct ConfidenceThreshold: DepthFilter, Hashable {
  /// The least level that stays: 0 keeps all; ARKit's levels are 0 (low), 1 (medium), 2 (high).
  ///
  /// - Source: Apple, *ARConfidenceLevel*.
  public var leastLevel: UInt8
  /// `confidence-limited`.
  public let name = "confidence-limited"

  /// Creates a threshold.
  public init(leastLevel: UInt8) { self.leastLevel = leastLevel }

  /// Removes what is trusted less; O(*n*).
  public func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    guard let levels = frame.confidence?.levels else {
      return frame.settle(name, "no confidence in this capture")
    }
    let count = frame.size.pixelCount
    plb_filter_confidence(&frame.depth.meters.samples, levels.samples, count, leastLevel)
    return frame.settle(name, "level \(leastLevel) and above")
  }
}
