internal import CKernels
internal import PlumblineModel

/// Smooth surfaces without their edges, for normals.
///
/// - Source: Dammertz, Sewtz, Hanika and Lensch, *Edge-avoiding à-trous wavelet transform for fast
///   global illumination filtering*, HPG 2010; weights by disparity alone, so that texture leaves no
///   trace.
enum SurfaceSmoothing {
  private static let spacings = [1, 2, 4, 8]

  /// Disparities smoothed where neighbors differ by less than a step; O(*n*).
  static func smoothed(
    _ disparity: Raster<Float>, step: Float, threads: Int
  ) -> [Float] {
    let (width, height) = (disparity.width, disparity.height)
    var values = disparity.packed.samples
    for spacing in spacings {
      values = values.withUnsafeBufferPointer { values in
        nonisolated(unsafe) let values = values
        return filled(values.count, rows: height, threads: threads) { rows, target in
          guard let start = values.baseAddress else { return }
          plb_light_smooth(
            start, Int32(width), Int32(height), Int32(spacing), step, Int32(rows.lowerBound),
            Int32(rows.upperBound), target)
        }
      }
    }
    return values
  }
}
