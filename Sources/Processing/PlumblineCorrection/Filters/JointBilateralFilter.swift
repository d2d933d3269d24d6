import CKernels
import PlumblineModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Smooths along what the color image shows as one surface, and never across a step of depth.
///
/// As ``BilateralFilter`` with a third weight, of the difference in gray level; without a color
/// image it does nothing. Texture is taken for an edge, which smooths less and does no harm.
/// - Source: Petschnigg et al., *Digital photography with flash and no-flash image pairs*, SIGGRAPH
///   2004, section 4.1: the joint bilateral filter.
package struct JointBilateralFilter: DepthFilter, Hashable {
  /// The radius of the square, in pixels; below 1 nothing is smoothed.
  package var radiusPixels: Int
  /// The σ of the distance in the image, in pixels.
  package var sigmaPixels: Float
  /// The σ of differences in gray level, in codes of 0…255.
  package var sigmaCodes: Float
  /// The σ of differences in depth, in standard deviations of the pixel's own depth; `nil` lets the
  /// gray levels alone decide, as OpenCV's `jointBilateralFilter` does.
  package var sigmas: Float?
  /// `smoothed-by-color`.
  package let name = ProvenanceStep.Kind.smoothedByColor.rawValue
  /// `true`: it smooths among pixels of like color.
  package var needsColor: Bool { true }

  /// Creates the filter.
  package init(
    radiusPixels: Int = 1, sigmaPixels: Float = 1, sigmaCodes: Float = 12, sigmas: Float? = 3
  ) {
    self.radiusPixels = radiusPixels
    self.sigmaPixels = sigmaPixels
    self.sigmaCodes = sigmaCodes
    self.sigmas = sigmas
  }

  /// Smooths; O(*n* · radius²).
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let before = frame.depth
    let radius = min(radiusPixels, max(frame.size.width, frame.size.height))
    guard let gray = frame.guide?.luma, radius >= 1, sigmaPixels > 0, sigmaCodes > 0 else {
      return frame.finish(name, "no color image")
    }
    frame.depth.meters = smoothed(
      before.meters, sigma: frame.sigmaMeters.samples, gray: gray, radius)
    return frame.finish(
      from: before, name, "\(radiusPixels) px, \(sigmaPixels) px and \(sigmaCodes) gray levels")
  }

  private func smoothed(
    _ meters: Raster<Float>, sigma: [Float], gray: Raster<UInt8>, _ radius: Int
  ) -> Raster<Float> {
    BilateralFilter.smoothed(
      meters, falloff: sigmas.map { BilateralFilter.falloff(sigma, sigmas: $0) },
      guide: (gray, 1 / (16 * sigmaCodes * sigmaCodes)),
      SpatialWeights(squareOf: radius, sigma: sigmaPixels), border: radius)
  }
}

/// The neighbors of a pixel within a disk and their Gaussian weights.
///
/// - Source: the disk is that of `cv2.bilateralFilter`; Tomasi and Manduchi, *Bilateral filtering
///   for gray and color images*, ICCV 1998.
struct SpatialWeights {
  var offsets: [SIMD2<Int>] = []
  var weights: [Float] = []

  init(radius: Int, sigma: Float) {
    for y in -radius...radius {
      for x in -radius...radius where (x, y) != (0, 0) && x * x + y * y <= radius * radius {
        offsets.append(SIMD2(x, y))
        let squared = Double(x * x + y * y)
        weights.append(Float(exp(-squared / (2 * Double(sigma) * Double(sigma)))))
      }
    }
  }

  /// The square of 3 × 3 or more, without rounding its corners.
  init(squareOf radius: Int, sigma: Float) {
    for y in -radius...radius {
      for x in -radius...radius where (x, y) != (0, 0) {
        offsets.append(SIMD2(x, y))
        let squared = Double(x * x + y * y)
        weights.append(Float(exp(-squared / (2 * Double(sigma) * Double(sigma)))))
      }
    }
  }

  /// The neighbors as distances in memory.
  func taps(stride: Int) -> [Int] { offsets.map { $0.y * stride + $0.x } }
}
