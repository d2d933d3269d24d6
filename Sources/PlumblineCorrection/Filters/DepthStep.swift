internal import CKernels
internal import PlumblineModel

/// The least difference of two neighbors that lie on different surfaces.
public struct DepthStep: Hashable, Sendable {
  /// In standard deviations of the pixel's own depth.
  public var sigmas: Float
  /// As a share of the depth, whatever the σ: no unit.
  public var share: Float

  /// Creates a limit; the larger of the two counts.
  public init(sigmas: Float = 5, share: Float = 0.01) {
    self.sigmas = sigmas
    self.share = share
  }
}

/// Inverse depth, in which planes of the world are linear, and what counts as a step in it.
struct InverseDepth {
  var values: [Float]
  var steps: [Float]

  init(_ frame: DepthFrame, _ step: DepthStep) {
    let count = frame.size.pixelCount
    var steps: [Float] = []
    values = [Float](unsafeUninitializedCapacity: count) { inverse, initialized in
      steps = [Float](unsafeUninitializedCapacity: count) { limit, filled in
        if let inverse = inverse.baseAddress, let limit = limit.baseAddress {
          plb_filter_inverse(
            frame.depth.meters.samples, frame.sigmaMeters.samples, count, step.sigmas, step.share,
            inverse, limit)
        }
        filled = count
      }
      initialized = count
    }
    self.steps = steps
  }
}
