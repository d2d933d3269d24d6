/// The rays of a pinhole camera: `x/z` of each column and `y/z` of each row.
///
/// A table in place of a division per pixel; single precision keeps a ray to 6e-8 of its slope,
/// far below a hundredth of a pixel.
public struct RayTable: Sendable {
  /// `x/z` of each column's center.
  public let columns: [Float]
  /// `y/z` of each row's center.
  public let rows: [Float]
}

extension PinholeIntrinsics {
  /// The rays of all columns and rows; O(width + height).
  public var rayTable: RayTable {
    RayTable(
      columns: (0..<size.width).map { Float((Double($0) - principalPoint.x) / focalLength.x) },
      rows: (0..<size.height).map { Float((Double($0) - principalPoint.y) / focalLength.y) })
  }
}
