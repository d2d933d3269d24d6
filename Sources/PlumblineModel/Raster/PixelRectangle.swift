/// A rectangle of whole pixels inside a raster; `x`, `y` name its first pixel.
public struct PixelRectangle: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns and rows.
  public var size: RasterSize

  /// Creates a rectangle from its first pixel and its size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.size = RasterSize(width: width, height: height)
  }

  /// Whether the rectangle lies in a raster of the given size.
  public func isInside(_ outer: RasterSize) -> Bool {
    x >= 0 && y >= 0 && x <= outer.width - size.width && y <= outer.height - size.height
  }

  /// The rectangle's position in the raster turned or mirrored to be upright.
  package func oriented(by orientation: ImageOrientation, in raster: RasterSize) -> PixelRectangle {
    let first = orientation.upright([Double(x), Double(y)], in: raster)
    let last = orientation.upright(
      [Double(x + size.width - 1), Double(y + size.height - 1)], in: raster)
    let turned = orientation.uprightSize(of: size)
    return PixelRectangle(
      x: Int(min(first.x, last.x)), y: Int(min(first.y, last.y)), width: turned.width,
      height: turned.height)
  }
}
