internal import CFilterKernels
internal import PlumblineModel

/// Smooths each surface within its own ± and never across a step.
///
/// Each measured pixel becomes the mean of its measured neighbors in a disk, weighted by a Gaussian
/// of their distance in the image and one of their difference in depth, whose σ is a multiple of
/// the pixel's own σ. The second one ends at 4 σ: `(1 − d²/16σ²)₊⁸` is at most 0.036 below the
/// Gaussian, so what lies on another surface has no weight at all. Missing pixels stay missing and
/// have no weight. No result leaves the range of its neighbors.
///
/// A pixel's ± stays as it was: neighbors on phones are correlated, so that the mean of *n* is not
/// better by √*n*; see decision 0010.
/// - Source: Tomasi and Manduchi, *Bilateral filtering for gray and color images*, ICCV 1998.
///   librealsense's edge-preserving filter (Gastal and Oliveira, *Domain transform for edge-aware
///   image and video processing*, SIGGRAPH 2011) has one step in meters for all depths instead.
public struct BilateralFilter: DepthFilter, Hashable {
  /// The radius of the disk, in pixels; below 1 nothing is smoothed.
  public var radiusPixels: Int
  /// The σ of the distance in the image, in pixels.
  public var sigmaPixels: Float
  /// The σ of differences in depth, in standard deviations of the pixel's own depth.
  public var sigmas: Float
  /// `smoothed`.
  public let name = "smoothed"

  /// Creates the filter.
  public init(radiusPixels: Int = 2, sigmaPixels: Float = 1.5, sigmas: Float = 2) {
    self.radiusPixels = radiusPixels
    self.sigmaPixels = sigmaPixels
    self.sigmas = sigmas
  }

  /// Smooths; O(*n* · radius²).
  public func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let before = frame.depth
    let radius = min(radiusPixels, max(frame.size.width, frame.size.height))
    guard radius >= 1, sigmaPixels > 0, sigmas > 0 else {
      return frame.settle(name, "radius 0")
    }
    frame.depth.meters = Self.smoothed(
      before.meters, falloff: Self.falloff(frame.sigmaMeters.samples, sigmas: sigmas), guide: nil,
      SpatialWeights(radius: radius, sigma: sigmaPixels), border: radius)
    return frame.settle(
      from: before, name, "\(radiusPixels) px, \(sigmaPixels) px and \(sigmas) σ of depth")
  }

  /// 1 / 16σ² of each pixel.
  static func falloff(_ sigma: [Float], sigmas: Float) -> [Float] {
    let scale = 16 * sigmas * sigmas
    return sigma.map { 1 / max(scale * $0 * $0, .leastNormalMagnitude) }
  }

  /// The kernel over a whole map; with a guide its σ is 1 / √(16·falloff) too.
  static func smoothed(
    _ meters: Raster<Float>, falloff: [Float], guide: (samples: [Float], falloff: Float)?,
    _ spatial: SpatialWeights, border: Int
  ) -> Raster<Float> {
    let (width, height) = (meters.width, meters.height)
    let padded = PaddedSamples(
      meters.samples, width: width, height: height, border: border, value: .nan)
    let paddedGuide = guide.map {
      PaddedSamples($0.samples, width: width, height: height, border: border, value: 0)
    }
    let taps = spatial.taps(stride: padded.stride)
    let count = meters.size.pixelCount
    let result = [Float](unsafeUninitializedCapacity: count) { result, initialized in
      initialized = count
      padded.samples.withUnsafeBufferPointer { rows in
        falloff.withUnsafeBufferPointer { falloff in
          guard let rows = rows.baseAddress, let falloff = falloff.baseAddress,
            let result = result.baseAddress
          else { return }
          for y in 0..<height {
            let start = padded.origin + y * padded.stride
            if let paddedGuide, let guide {
              paddedGuide.samples.withUnsafeBufferPointer { levels in
                guard let levels = levels.baseAddress else { return }
                plb_filter_joint(
                  rows + start, falloff + y * width, levels + start, guide.falloff, taps,
                  spatial.weights, Int32(taps.count), width, result + y * width)
              }
            } else {
              plb_filter_bilateral(
                rows + start, falloff + y * width, taps, spatial.weights, Int32(taps.count),
                width, result + y * width)
            }
          }
        }
      }
    }
    return Raster(size: meters.size, samples: result)
  }
}
