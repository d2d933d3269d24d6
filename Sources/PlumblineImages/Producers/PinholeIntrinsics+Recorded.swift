package import PlumblineModel

extension PinholeIntrinsics {
  /// Reads focal lengths and principal point as they stand in a recording's text.
  ///
  /// It is `nil` for what ``init(columnMajor:size:grid:)`` refuses.
  package init?(
    fx: Double, fy: Double, cx: Double, cy: Double, size: RasterSize,
    grid: PixelGrid = .indexCentered
  ) {
    self.init(columnMajor: [fx, 0, 0, 0, fy, 0, cx, cy, 1], size: size, grid: grid)
  }
}
