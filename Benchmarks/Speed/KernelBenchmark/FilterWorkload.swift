import Foundation
import Plumbline

/// Filters of a depth map with a color image, whole: copies, reports and all.
struct FilterWorkload {
  private let frame: DepthFrame

  /// Takes raw Float32 meters and gray levels of one byte.
  init(depth: [Float], gray: [UInt8], width: Int, height: Int) throws {
    let size = RasterSize(width: width, height: height)
    guard depth.count == size.pixelCount, gray.count == size.pixelCount else {
      throw Refusal.wrongLength(expected: size.pixelCount, found: gray.count)
    }
    frame = DepthFrame(
      depth: DepthMap(meters: Raster(size: size, samples: depth)),
      sigma: SigmaCurve(constantMeters: 0.005),
      confidence: ConfidenceMap(levels: Raster(size: size, repeating: 2), maximumLevel: 2),
      color: Raster(size: size, samples: gray.map { RGB8(red: $0, green: $0, blue: $0) }))
  }

  /// Calls one filter, or the whole chain of the preset metrology, and keeps its last result.
  ///
  /// - Precondition: The kernel is one of those.
  func run(
    _ kernel: Kernel, count: Int, time: (Int, () -> Void) -> [Int]
  ) -> (times: [Int], result: Data) {
    // The numbers of `peers/filters.py`: 2 σ of 5 mm are 10 mm.
    let filter: (any DepthFilter)? =
      switch kernel {
      case .jointBilateral:
        JointBilateralFilter(radiusPixels: 1, sigmaPixels: 1, sigmaCodes: 12, sigmas: nil)
      case .flying: FlyingPixelRemoval()
      case .speckles: SpeckleRemoval()
      case .holes: HoleFilling()
      case .bilateral: BilateralFilter(radiusPixels: 2, sigmaPixels: 1.5, sigmas: 2)
      default: nil
      }
    precondition(filter != nil || kernel == .metrology, "\(kernel) is no filter")
    let chain = DepthFilterPreset.metrology.chain
    var last = frame
    let times = time(count) {
      last = filter?.applied(to: frame).frame ?? chain.applied(to: frame).frame
    }
    return (times, last.depth.meters.samples.withUnsafeBytes { Data($0) })
  }
}
