public import PlumblineModel
import PlumblineVision

/// A rectified pair, with the left picture in color.
public struct RectifiedPictures: Sendable {
  /// Both gray pictures and where they show the scene.
  public var pair: RectifiedPair
  /// The left picture in color; black where the camera saw nothing.
  public var leftColor: Raster<RGB8>
}

extension StereoRectification {
  /// Resamples two color pictures; the right one as gray.
  ///
  /// Bilinear; where a picture is reduced, the mean of as many places a pixel as the reduction asks
  /// for. Pictures of 12 megapixels need 16 MB at work for each thread. Same bytes for any number of
  /// threads.
  /// - Parameters:
  ///   - left: The left picture, of the size of its calibration.
  ///   - right: The right picture, likewise.
  ///   - threads: The most threads at work.
  /// - Returns: Both pictures and where they show the scene.
  /// - Throws: `.mismatch` for pictures of other sizes.
  public func rectified(
    left: Raster<RGB8>, right: Raster<RGB8>, threads: Int = 1
  ) throws(StereoError) -> RectifiedPictures {
    try require(left.size, .left)
    try require(right.size, .right)
    let color = resampled(left, .left, threads: threads)
    let gray = resampled(right.luma, .right, threads: threads)
    return RectifiedPictures(
      pair: RectifiedPair(
        left: color.picture.luma, right: gray.picture, leftCoverage: color.coverage,
        rightCoverage: gray.coverage), leftColor: color.picture)
  }

  /// Resamples two gray pictures; otherwise as for color.
  public func rectified(
    left: Raster<UInt8>, right: Raster<UInt8>, threads: Int = 1
  ) throws(StereoError) -> RectifiedPair {
    try require(left.size, .left)
    try require(right.size, .right)
    let a = resampled(left, .left, threads: threads)
    let b = resampled(right, .right, threads: threads)
    return RectifiedPair(
      left: a.picture, right: b.picture, leftCoverage: a.coverage, rightCoverage: b.coverage)
  }

  private func require(_ size: RasterSize, _ side: Side) throws(StereoError) {
    let expected = camera(side).model.intrinsics.size
    guard size == expected else {
      throw StereoError(
        .mismatch,
        expected: "a \(side.rawValue) picture of \(expected), the size of its calibration",
        found: "\(size)")
    }
  }
}
