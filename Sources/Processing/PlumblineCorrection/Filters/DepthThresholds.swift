import CKernels
import PlumblineModel

/// Removes depths outside of what a sensor can measure, or a scene can hold.
package struct RangeLimits: DepthFilter, Hashable {
  /// The least depth that stays, in meters.
  package var nearest: Float
  /// The largest depth that stays, in meters.
  package var farthest: Float
  /// `range-limited`.
  package let name = ProvenanceStep.Kind.rangeLimited.rawValue
  /// `false`.
  package var needsColor: Bool { false }

  /// Creates limits, both included.
  package init(nearest: Float = 0, farthest: Float) {
    self.nearest = nearest
    self.farthest = farthest
  }

  /// Removes what lies outside; O(*n*).
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let count = frame.size.pixelCount
    plb_filter_range(&frame.depth.meters.samples, count, nearest, farthest)
    return frame.finish(name, "\(nearest) to \(farthest) m")
  }
}

/// Removes depths that the sensor itself does not trust enough; without confidence it does nothing.
package struct ConfidenceThreshold: DepthFilter, Hashable {
  /// The least level that stays: 0 keeps all; ARKit's levels are 0 (low), 1 (medium), 2 (high).
  ///
  /// - Source: Apple, *ARConfidenceLevel*.
  package var leastLevel: UInt8
  /// `confidence-limited`.
  package let name = ProvenanceStep.Kind.confidenceLimited.rawValue
  /// `false`.
  package var needsColor: Bool { false }

  /// Creates a threshold.
  package init(leastLevel: UInt8) { self.leastLevel = leastLevel }

  /// Removes what is trusted less; O(*n*).
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    guard let levels = frame.confidence?.levels else {
      return frame.finish(name, "no confidence in this capture")
    }
    let count = frame.size.pixelCount
    plb_filter_confidence(&frame.depth.meters.samples, levels.samples, count, leastLevel)
    return frame.finish(name, "level \(leastLevel) and above")
  }
}
