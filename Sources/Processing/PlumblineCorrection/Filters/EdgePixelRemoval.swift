import CKernels
import PlumblineModel

/// Removes pixels that hang in the air between a near and a far surface and belong to neither.
///
/// A pixel that sees both sides of an edge, or a producer's smoothing, mixes two depths. Such a
/// pixel has a step to either side, one nearer and one farther, while what lies behind both
/// neighbors goes on without steps of that size: which distinguishes it from a steep surface,
/// whose steps go on. Two scales find mixtures of up to two pixels.
/// - Source: the wish is librealsense#3793 and #12887; the test is this project's own. Comparing
///   steps in inverse depth makes it exact for planes: 1/z is linear in the pixel.
package struct FlyingPixelRemoval: DepthFilter, Hashable {
  /// The smallest difference that counts as a step.
  package var step: DepthStep
  /// `flying-removed`.
  package let name = ProvenanceStep.Kind.flyingRemoved.rawValue
  /// `false`.
  package var needsColor: Bool { false }

  /// Creates the filter.
  package init(step: DepthStep = DepthStep()) { self.step = step }

  /// Removes what hangs; O(*n*).
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
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
    return frame.finish(name, "between surfaces more than \(step.words) apart")
  }
}

extension DepthStep {
  /// The limit for a report.
  var words: String { "\(sigmas) σ and \((Double(share) * 100).fixed(1)) %" }
}

/// Removes a band on both sides of every depth step, where a sensor's pixels see two surfaces.
///
/// Coarser than ``FlyingPixelRemoval``: it also takes good pixels, for uses where one wrong pixel
/// costs more than a few missing ones. Where a surface ends at missing pixels nothing is removed.
/// - Source: librealsense#3793, #12887 request it.
package struct SilhouetteRemoval: DepthFilter, Hashable {
  /// The width of the band on each side of a step, in pixels; 1 takes the two pixels of the step.
  package var bandPixels: Int
  /// What counts as a step, unless the slope on a pixel's other side leads there.
  package var step: DepthStep
  /// `silhouettes-removed`.
  package let name = ProvenanceStep.Kind.silhouettesRemoved.rawValue
  /// `false`.
  package var needsColor: Bool { false }

  /// Creates the filter; a band below 1 does nothing.
  package init(bandPixels: Int = 1, step: DepthStep = DepthStep()) {
    self.bandPixels = bandPixels
    self.step = step
  }

  /// Removes the bands; O(*n* · band).
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let (width, height) = (frame.size.width, frame.size.height)
    // A band wider than the map takes the same as one as wide as it.
    let radius = min(bandPixels, max(width, height)) - 1
    guard radius >= 0, width > 0, height > 0 else { return frame.finish(name, "no band") }
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
    return frame.finish(name, "\(bandPixels) px beside steps of more than \(step.words)")
  }
}

/// The least difference of two neighbors that lie on different surfaces.
package struct DepthStep: Hashable, Sendable {
  /// In standard deviations of the pixel's own depth.
  package var sigmas: Float
  /// As a share of the depth, whatever the σ: no unit.
  package var share: Float

  /// Creates a limit; the larger of the two counts.
  package init(sigmas: Float = 5, share: Float = 0.01) {
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

/// Samples with a border on all sides, so that kernels never ask whether a neighbor exists.
struct PaddedSamples<Sample: BitwiseCopyable & Sendable>: Sendable {
  /// The distance between two rows, in samples.
  let stride: Int
  /// The index of the first pixel.
  let origin: Int
  let samples: [Sample]

  /// Copies packed rows into a border; O(*n*).
  init(_ packed: [Sample], width: Int, height: Int, border: Int, value: Sample) {
    // Kernels take 16 pixels at a time and may read so many past the end of a row.
    let stride = width + 2 * border
    self.stride = stride
    let origin = border * stride + border
    self.origin = origin
    let count = stride * (height + 2 * border) + 16
    samples = [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      guard let start = buffer.baseAddress else { return }
      packed.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress, width > 0 else {
          start.initialize(repeating: value, count: count)
          return
        }
        var next = start
        func fill(_ length: Int) {
          next.initialize(repeating: value, count: length)
          next += length
        }
        fill(origin)
        for y in 0..<height {
          next.initialize(from: source + y * width, count: width)
          next += width
          fill(2 * border)
        }
        fill(start + count - next)
      }
    }
  }
}
