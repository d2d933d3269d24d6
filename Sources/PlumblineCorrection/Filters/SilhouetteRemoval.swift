internal import CKernels
internal import PlumblineModel

/// Removes a band on both sides of every depth step, where a sensor's pixels see two surfaces.
///
/// Coarser than ``FlyingPixelRemoval``: it also takes good pixels, for uses where one wrong pixel
/// costs more than a few missing ones. Where a surface ends at missing pixels nothing is removed.
/// - Source: librealsense#3793, #12887 request it.
public struct SilhouetteRemoval: DepthFilter, Hashable {
  /// The width of the band on each side of a step, in pixels; 1 takes the two pixels of the step.
  public var bandPixels: Int
  /// What counts as a step, unless the slope on a pixel's other side leads there.
  public var step: DepthStep
  /// `silhouettes-removed`.
  public let name = "silhouettes-removed"

  /// Creates the filter; a band below 1 does nothing.
  public init(bandPixels: Int = 1, step: DepthStep = DepthStep()) {
    self.bandPixels = bandPixels
    self.step = step
  }

  /// Removes the bands; O(*n* · band).
  public func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let (width, height) = (frame.size.width, frame.size.height)
    // A band wider than the map takes the same as one as wide as it.
    let radius = min(bandPixels, max(width, height)) - 1
    guard radius >= 0, width > 0, height > 0 else { return frame.settle(name, "no band") }
    let inverse = InverseDepth(frame, step)
    let padded = PaddedSamples(
      inverse.values, width: width, height: height, border: 2, value: .nan)
    var edges = [UInt8](repeating: 0, count: width + 2 * radius)
    var wide = [UInt8](repeating: 0, count: width * height)
    frame.depth.meters.samples.withUnsafeMutableBufferPointer { depth in
      padded.samples.withUnsafeBufferPointer { rows in
        inverse.steps.withUnsafeBufferPointer { steps in
          edges.withUnsafeMutableBufferPointer { edges in
            wide.withUnsafeMutableBufferPointer { wide in
              guard let depth = depth.baseAddress, let rows = rows.baseAddress,
                let steps = steps.baseAddress, let edges = edges.baseAddress,
                let wide = wide.baseAddress
              else { return }
              for y in 0..<height {
                plb_filter_silhouette(
                  rows + padded.origin + y * padded.stride, steps + y * width, padded.stride,
                  width, edges + radius)
                plb_filter_widen(edges + radius, radius, width, wide + y * width)
              }
              for y in 0..<height {
                let first = max(y - radius, 0)
                let last = min(y + radius, height - 1)
                plb_filter_clear(
                  wide + first * width, width, last - first + 1, width, depth + y * width)
              }
            }
          }
        }
      }
    }
    return frame.settle(name, "\(bandPixels) px beside steps of more than \(step.words)")
  }
}
