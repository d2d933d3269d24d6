import CKernels
import PlumblineModel

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
package struct BilateralFilter: DepthFilter, Hashable {
  /// The radius of the disk, in pixels; below 1 nothing is smoothed.
  package var radiusPixels: Int
  /// The σ of the distance in the image, in pixels.
  package var sigmaPixels: Float
  /// The σ of differences in depth, in standard deviations of the pixel's own depth.
  package var sigmas: Float
  /// `smoothed`.
  package let name = ProvenanceStep.Kind.smoothed.rawValue
  /// `false`.
  package var needsColor: Bool { false }

  /// Creates the filter.
  package init(radiusPixels: Int = 2, sigmaPixels: Float = 1.5, sigmas: Float = 2) {
    self.radiusPixels = radiusPixels
    self.sigmaPixels = sigmaPixels
    self.sigmas = sigmas
  }

  /// Smooths; O(*n* · radius²).
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let before = frame.depth
    let radius = min(radiusPixels, max(frame.size.width, frame.size.height))
    guard radius >= 1, sigmaPixels > 0, sigmas > 0 else {
      return frame.finish(name, "radius 0")
    }
    frame.depth.meters = Self.smoothed(
      before.meters, falloff: Self.falloff(frame.sigmaMeters.samples, sigmas: sigmas), guide: nil,
      SpatialWeights(radius: radius, sigma: sigmaPixels), border: radius)
    return frame.finish(
      from: before, name, "\(radiusPixels) px, \(sigmaPixels) px and \(sigmas) σ of depth")
  }

  /// 1 / 16σ² of each pixel.
  static func falloff(_ sigma: [Float], sigmas: Float) -> [Float] {
    [Float](unsafeUninitializedCapacity: sigma.count) { falloff, count in
      count = sigma.count
      guard let target = falloff.baseAddress else { return }
      plb_filter_falloff(sigma, count, 16 * sigmas * sigmas, target)
    }
  }

  /// The kernel over a whole map; with a guide its σ is 1 / √(16·falloff) too, and without falloff
  /// depth has no weight.
  static func smoothed(
    _ meters: Raster<Float>, falloff: [Float]?, guide: (levels: Raster<UInt8>, falloff: Float)?,
    _ spatial: SpatialWeights, border: Int
  ) -> Raster<Float> {
    precondition(falloff != nil || guide != nil, "depth or a guide decides what is alike")
    let (width, height) = (meters.width, meters.height)
    var band = PaddedBand(width: width, border: border, value: .nan)
    var guideBand = PaddedBand(width: guide == nil ? 0 : width, border: border, value: 0)
    let taps = spatial.taps(stride: band.stride)
    let count = meters.size.pixelCount
    let result = [Float](unsafeUninitializedCapacity: count) { result, initialized in
      initialized = count
      guard let result = result.baseAddress else { return }
      for top in stride(from: 0, to: height, by: band.rows) {
        meters.samples.withUnsafeBufferPointer { source in
          guard let source = source.baseAddress else { return }
          band.load(top: top, height: height) { y, target in
            target.update(from: source + y * meters.rowStride, count: width)
          }
        }
        guide?.levels.samples.withUnsafeBufferPointer { source in
          guard let source = source.baseAddress, let levels = guide?.levels else { return }
          guideBand.load(top: top, height: height) { y, target in
            plb_filter_levels(source + y * levels.rowStride, width, target)
          }
        }
        for y in top..<min(top + band.rows, height) {
          let start = band.origin + (y - top) * band.stride
          smoothRow(
            band.samples, start, falloff: falloff, at: y * width,
            guide: guide.map { (guideBand.samples, $0.falloff) }, taps, spatial.weights, width,
            into: result + y * width)
        }
      }
    }
    return Raster(size: meters.size, samples: result)
  }

  private static func smoothRow(
    _ rows: [Float], _ start: Int, falloff: [Float]?, at index: Int,
    guide: (samples: [Float], falloff: Float)?, _ taps: [Int], _ weights: [Float], _ width: Int,
    into result: UnsafeMutablePointer<Float>
  ) {
    rows.withUnsafeBufferPointer { rows in
      guard let rows = rows.baseAddress else { return }
      func smooth(_ falloff: UnsafePointer<Float>?) {
        if let guide {
          guide.samples.withUnsafeBufferPointer { levels in
            guard let levels = levels.baseAddress else { return }
            plb_filter_joint(
              rows + start, falloff, levels + start, guide.falloff, taps, weights,
              Int32(taps.count), width, result)
          }
        } else if let falloff {
          plb_filter_bilateral(
            rows + start, falloff, taps, weights, Int32(taps.count), width, result)
        }
      }
      if let falloff {
        falloff.withUnsafeBufferPointer { smooth($0.baseAddress.map { $0 + index }) }
      } else {
        smooth(nil)
      }
    }
  }
}

/// Some rows of a raster inside a border, one band after the other.
///
/// A band and what is made of it stay in the second-level cache, where a padded copy of the whole
/// raster goes through memory twice.
struct PaddedBand {
  /// How many rows it holds, besides those of the border.
  let rows: Int
  /// The distance between two rows, in samples.
  let stride: Int
  /// The index of its first pixel.
  let origin: Int
  private(set) var samples: [Float]
  private let width, border: Int
  private let value: Float

  /// Makes room; `value` is what stands in the border.
  init(width: Int, border: Int, value: Float) {
    // 32 rows of 640 pixels are 82 kB. Wide borders want more rows, since each band loads them anew.
    rows = max(32, 4 * border)
    stride = width + 2 * border
    origin = border * stride + border
    // Kernels take 16 pixels at a time and may read so many past the end of a row.
    samples = [Float](repeating: value, count: stride * (rows + 2 * border) + 16)
    self.width = width
    self.border = border
    self.value = value
  }

  /// Loads the band that starts at row `top`.
  ///
  /// `copy` writes row `y` of the raster, for all rows that it has. Cost: the samples.
  mutating func load(
    top: Int, height: Int, copy: (_ y: Int, _ target: UnsafeMutablePointer<Float>) -> Void
  ) {
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      for line in 0..<min(rows, height - top) + 2 * border {
        let y = top - border + line
        let target = start + line * stride + border
        if (0..<height).contains(y) {
          copy(y, target)
        } else {
          target.update(repeating: value, count: width)
        }
      }
    }
  }
}
