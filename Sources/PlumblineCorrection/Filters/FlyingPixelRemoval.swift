internal import CKernels
internal import PlumblineModel

/// Removes pixels that hang in the air between a near and a far surface and belong to neither.
///
/// A pixel that sees both sides of an edge, or a producer's smoothing, mixes two depths. Such a
/// pixel has a step to either side, one nearer and one farther, while what lies behind both
/// neighbors goes on without steps of that size: which distinguishes it from a steep surface,
/// whose steps go on. Two scales find mixtures of up to two pixels.
/// - Source: the wish is librealsense#3793 and #12887; the test is this project's own. Comparing
///   steps in inverse depth makes it exact for planes: 1/z is linear in the pixel.
public struct FlyingPixelRemoval: DepthFilter, Hashable {
  /// The smallest difference that counts as a step.
  public var step: DepthStep
  /// `flying-removed`.
  public let name = "flying-removed"

  /// Creates the filter.
  public init(step: DepthStep = DepthStep()) { self.step = step }

  /// Removes what hangs; O(*n*).
  public func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let (width, height) = (frame.size.width, frame.size.height)
    let inverse = InverseDepth(frame, step)
    let padded = PaddedSamples(
      inverse.values, width: width, height: height, border: 4, value: .nan)
    frame.depth.meters.samples.withUnsafeMutableBufferPointer { depth in
      padded.samples.withUnsafeBufferPointer { rows in
        inverse.steps.withUnsafeBufferPointer { steps in
          guard let depth = depth.baseAddress, let rows = rows.baseAddress,
            let steps = steps.baseAddress
          else { return }
          for y in 0..<height {
            plb_filter_flying(
              rows + padded.origin + y * padded.stride, steps + y * width, padded.stride, width,
              depth + y * width)
          }
        }
      }
    }
    return frame.settle(name, "between surfaces more than \(step.words) apart")
  }
}

extension DepthStep {
  /// The limit for a report.
  var words: String { "\(sigmas) σ and \((Double(share) * 100).fixed(1)) %" }
}
