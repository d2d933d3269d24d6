import PlumblineModel

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension StereoRectification {
  /// Which of the two images a point belongs to.
  public enum Side: String, Sendable, CaseIterable {
    /// The image that depth is computed for.
    case left
    /// The other one.
    case right
  }

  func camera(_ side: Side) -> RectifiedCamera { side == .left ? leftCamera : rightCamera }

  func pinhole(_ side: Side) -> PinholeIntrinsics { side == .left ? left : right }

  /// Where a pixel of an image as taken lies in the rectified one; `nil` where its lens has no ray.
  ///
  /// Exact inverse of ``original(_:_:)`` within 1e-9 px; the result may lie outside of ``size``.
  public func rectified(_ pixel: SIMD2<Double>, _ side: Side) -> SIMD2<Double>? {
    let camera = pinhole(side)
    return self.camera(side).ray(pixel).map { $0 * camera.focalLength + camera.principalPoint }
  }

  /// Where a pixel of a rectified image lies in the image as taken; `nil` outside of its lens.
  ///
  /// The result may lie outside of the image.
  package func original(_ pixel: SIMD2<Double>, _ side: Side) -> SIMD2<Double>? {
    let camera = pinhole(side)
    return self.camera(side).pixel((pixel - camera.principalPoint) / camera.focalLength)
  }

  /// The depth of a pixel disparity, in the unit of the baseline; NaN where it is not in front.
  ///
  /// - Source: similar triangles: `d = uₗ − uᵣ = f·B/z − offset`.
  public func depth(ofDisparity disparity: Double) -> Double {
    let parallax = disparity + principalOffsetPixels
    return parallax > 0 ? focalLengthPixels * baselineMeters / parallax : .nan
  }

  /// The pixel disparity of a depth in the unit of the baseline.
  public func disparity(ofDepth depth: Double) -> Double {
    focalLengthPixels * baselineMeters / depth - principalOffsetPixels
  }

  /// The whole pixel disparities that depths of a range can have, one more at each end.
  ///
  /// - Parameters:
  ///   - nearest: The nearest depth, in the unit of the baseline.
  ///   - farthest: The farthest one; may be infinite.
  /// - Returns: A range for a matcher, within the width of the images to either side; `nil` when
  ///   the depths are no range above 0.
  public func disparities(nearest: Double, farthest: Double) -> Range<Int>? {
    guard nearest > 0, farthest > nearest else { return nil }
    let width = Double(size.width)
    let low = min(max(floor(disparity(ofDepth: farthest)) - 1, -width), width)
    let high = min(max(ceil(disparity(ofDepth: nearest)) + 1, -width), width)
    guard low < high else { return nil }
    return Int(low)..<Int(high) + 1
  }

  /// One standard deviation of a depth that a pixel disparity's has, in the unit of the baseline:
  /// `z²/(f·B)·σ`.
  public func sigma(ofDepth depth: Double, sigmaPixels: Double) -> Double {
    depth * depth / (focalLengthPixels * baselineMeters) * sigmaPixels
  }

  /// The angle between the left image's columns and the rows of rectified images, in degrees
  /// from −180 to 180: 0 for cameras side by side, 90 for the right one below the left one.
  package var rowAngleDegrees: Double {
    let x = rectifiedFromLeft.inverse.x
    return atan2(x.y, x.x) * 180 / .pi
  }
}
