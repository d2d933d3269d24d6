public import PlumblineModel
import PlumblineVision

/// A rectified pair, with the left image in color.
public struct RectifiedImages: Sendable {
  /// Both gray images and where they show the scene.
  public var pair: RectifiedPair
  /// The left image in color; black where the camera saw nothing.
  public var leftColor: Raster<RGB8>
}

extension StereoRectification {
  /// Resamples two color images; the right one as gray.
  ///
  /// Bilinear; where an image is reduced, the mean of as many points a pixel as the reduction
  /// needs. 12 megapixels take 16 MB at work for each thread. Same bytes for any number of
  /// threads.
  /// - Parameters:
  ///   - left: The left image, of the size of its calibration.
  ///   - right: The right image, likewise.
  ///   - threads: The most threads at work.
  /// - Returns: Both images and where they show the scene.
  /// - Throws: `.mismatch` for images of other sizes.
  public func rectified(
    left: Raster<RGB8>, right: Raster<RGB8>, threads: Int = 1
  ) throws(StereoError) -> RectifiedImages {
    try require(left.size, .left)
    try require(right.size, .right)
    let color = resampled(left, .left, threads: threads)
    let gray = resampled(right.luma, .right, threads: threads)
    return RectifiedImages(
      pair: RectifiedPair(
        left: color.image.luma, right: gray.image, leftCoverage: color.coverage,
        rightCoverage: gray.coverage), leftColor: color.image)
  }

  /// Resamples two gray images; otherwise as for color.
  public func rectified(
    left: Raster<UInt8>, right: Raster<UInt8>, threads: Int = 1
  ) throws(StereoError) -> RectifiedPair {
    try require(left.size, .left)
    try require(right.size, .right)
    let a = resampled(left, .left, threads: threads)
    let b = resampled(right, .right, threads: threads)
    return RectifiedPair(
      left: a.image, right: b.image, leftCoverage: a.coverage, rightCoverage: b.coverage)
  }

  private func require(_ size: RasterSize, _ side: Side) throws(StereoError) {
    let expected = camera(side).model.intrinsics.size
    guard size == expected else {
      throw StereoError(
        .mismatch,
        expected: "a \(side.rawValue) image of \(expected), the size of its calibration",
        found: "\(size)")
    }
  }
}
