public import PlumblineModel
import PlumblineVision

/// Two images of equal size in which a point of the scene lies on the same row of both.
///
/// Frame: each image's own pixels. A point at column `u` of the left image lies at column
/// `u − disparity` of the right one.
public struct RectifiedPair: Sendable {
  /// The left image's gray levels.
  public var left: Raster<UInt8>
  /// The right image's gray levels.
  public var right: Raster<UInt8>
  /// Where the left image shows the scene: 1 there, 0 where rectification left nothing; `nil` for
  /// everywhere.
  public var leftCoverage: Raster<UInt8>?
  /// The part of the right image that shows the scene, as ``leftCoverage``.
  public var rightCoverage: Raster<UInt8>?

  /// Joins two images.
  ///
  /// - Precondition: All four sizes are equal.
  package init(
    left: Raster<UInt8>, right: Raster<UInt8>, leftCoverage: Raster<UInt8>? = nil,
    rightCoverage: Raster<UInt8>? = nil
  ) {
    let sizes = [right.size, leftCoverage?.size, rightCoverage?.size].compactMap { $0 }
    precondition(sizes.allSatisfy { $0 == left.size }, "a rectified pair has one size")
    self.left = left
    self.right = right
    self.leftCoverage = leftCoverage
    self.rightCoverage = rightCoverage
  }

  /// The number of columns and rows of each image.
  public var size: RasterSize { left.size }
}

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
  /// Interpolation is bilinear; where an image is reduced, each pixel is the mean of as many points as the
  /// reduction needs. For 12 megapixels each thread needs 16 MB of memory. The result has the same bytes
  /// for any number of threads.
  /// - Parameters:
  ///   - left: The left image, of the size of its calibration.
  ///   - right: The right image, likewise.
  ///   - threads: The maximum number of threads.
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

extension StereoRectification {
  /// The geometry of images whose rows agree already: nothing is resampled.
  ///
  /// - Parameter calibration: Two pinholes of one size, not turned against each other, the right camera
  ///   to the right; only the columns of their principal points may differ.
  /// - Throws: `.mismatch` for other cameras, `.degenerate` for a baseline of 0.
  package init(asTaken calibration: StereoCalibration) throws(StereoError) {
    let (left, right) = (calibration.left, calibration.right)
    let place = calibration.rightCenterInLeft
    guard left.intrinsics.size == right.intrinsics.size,
      left.intrinsics.focalLength == right.intrinsics.focalLength,
      left.intrinsics.principalPoint.y == right.intrinsics.principalPoint.y,
      calibration.rightFromLeft.rotation == .identity, place.y == 0, place.z == 0
    else {
      throw StereoError(
        .mismatch, expected: "cameras of one kind, side by side and in one direction",
        found: "others, which must be rectified")
    }
    try calibration.requireBaseline()
    guard place.x > 0 else { throw PairMotion.swapped("a baseline below 0") }
    self.calibration = calibration
    self.left = left.intrinsics
    self.right = right.intrinsics
    baselineMeters = calibration.baselineMeters
    rectifiedFromLeft = .identity
    rectifiedFromRight = .identity
    turn = .up
    leftCamera = try RectifiedCamera(left, .identity, aperture: calibration.leftCleanAperture)
    rightCamera = try RectifiedCamera(right, .identity, aperture: calibration.rightCleanAperture)
  }
}

extension RectifiedImages {
  /// Two images whose rows agree as they were taken.
  ///
  /// - Throws: `.mismatch` for images of two sizes.
  package init(asTaken left: Raster<RGB8>, right: Raster<RGB8>) throws(StereoError) {
    guard left.size == right.size else {
      throw StereoError(
        .mismatch, expected: "two images of one size", found: "\(left.size) and \(right.size)")
    }
    self.init(
      pair: RectifiedPair(left: left.luma, right: right.luma), leftColor: left.packed)
  }
}
