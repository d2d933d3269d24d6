import PlumblineModel
import PlumblineNumerics

/// How far matched points are off a common row after rectification: 0 for a calibration that fits.
///
/// A test of the calibration by the images' own content. It sees turns between the cameras, unequal
/// focal lengths and the direction in which extrinsics are meant; it does not see the baseline's
/// length nor a turn about the vertical axis, which move points along rows.
public struct VerticalResidual: Hashable, Sendable {
  /// The median of the right row minus the left row, in rectified pixels.
  public var medianPixels: Double
  /// The median distance from 0, in rectified pixels.
  public var medianAbsolutePixels: Double
  /// The root mean square over the matches within three robust deviations of the median.
  public var rmsPixels: Double
  /// The number of matches with a position in both rectified images.
  public var count: Int

  /// Measures matches between the two images as taken; `nil` when none has a place in both.
  ///
  /// - Parameters:
  ///   - matches: Pixels of the left image and of the right one; a third of them may be wrong.
  ///   - rectification: What is tested.
  public init?(
    _ matches: [(left: SIMD2<Double>, right: SIMD2<Double>)], _ rectification: StereoRectification
  ) {
    let rows = matches.compactMap { match -> Double? in
      guard let left = rectification.rectified(match.left, .left),
        let right = rectification.rectified(match.right, .right)
      else { return nil }
      let difference = right.y - left.y
      return difference.isFinite ? difference : nil
    }
    guard let median = rows.median, let distance = rows.map({ abs($0) }).median,
      let deviation = rows.map({ abs($0 - median) }).median
    else { return nil }
    // 1.4826 makes a median deviation a standard one (P. Rousseeuw, C. Croux, JASA 88, 1993).
    let limit = max(3 * 1.4826 * deviation, 1e-9)
    let kept = rows.filter { abs($0 - median) <= limit }
    medianPixels = median
    medianAbsolutePixels = distance
    rmsPixels = (kept.reduce(0) { $0 + $1 * $1 } / Double(max(kept.count, 1))).squareRoot()
    count = rows.count
  }
}
