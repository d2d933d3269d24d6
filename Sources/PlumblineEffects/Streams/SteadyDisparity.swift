internal import CKernels
internal import PlumblineModel

/// Disparities of a stream, smoothed over time: mixed with the last ones unless they jumped.
///
/// - Source: librealsense, *Post-processing filters*, Temporal filter (an exponential mean with a
///   step limit); a hole keeps the last disparity as long as there is one.
struct SteadyDisparity: Sendable {
  private(set) var values: [Float] = []
  private(set) var size = RasterSize(width: 0, height: 0)

  /// Takes in the next frame; another size starts anew; O(*n*).
  ///
  /// - Parameters:
  ///   - frame: Its disparities; those that are not finite are holes.
  ///   - newShare: The share of the new ones, 0 to 1.
  ///   - step: A difference that is a jump.
  mutating func take(_ frame: Raster<Float>, newShare: Float, step: Float) {
    if frame.size != size {
      size = frame.size
      values = [Float](repeating: .nan, count: size.pixelCount)
    }
    plb_mask_steady(frame.packed.samples, values.count, newShare, step, &values)
  }
}
