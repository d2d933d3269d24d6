/// The width and height of a raster, in pixels.
public struct RasterSize: Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a size; both numbers must be at least 0.
  public init(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0, "a size cannot be \(width) × \(height)")
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  public var pixelCount: Int { width * height }

  /// Columns per row; not a number for an empty size.
  public var aspectRatio: Double { Double(width) / Double(height) }

  /// The size after a quarter turn.
  public var transposed: RasterSize { RasterSize(width: height, height: width) }
}

extension RasterSize: CustomStringConvertible {
  /// The size as `width×height`.
  public var description: String { "\(width)×\(height)" }
}
