public import PlumblineModel

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
  public init(
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
