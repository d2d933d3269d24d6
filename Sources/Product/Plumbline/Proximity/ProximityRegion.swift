public import PlumblineModel

extension ProximityWatch {
  /// A part of the image as shown, in shares of its width and height.
  ///
  /// The image is shown with the turn and the mirroring that a capture states, without its margin beyond
  /// a clean aperture. What states none is shown as it is stored.
  public struct Region: Sendable, Hashable {
    /// All of it.
    public static let whole = Region(x: 0, y: 0, width: 1, height: 1)

    /// The left border, 0 to 1.
    public var x: Double
    /// The upper border, 0 to 1.
    public var y: Double
    /// The width, 0 to 1.
    public var width: Double
    /// The height, 0 to 1.
    public var height: Double

    /// Creates a region.
    ///
    /// - Precondition: It lies in the image and has an area.
    public init(x: Double, y: Double, width: Double, height: Double) {
      precondition(x >= 0 && y >= 0 && width > 0 && height > 0, "a region lies in the image")
      precondition(x + width <= 1 + 1e-9 && y + height <= 1 + 1e-9, "a region lies in the image")
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The pixels whose centers lie in the region of an image of that size as shown, at least one of an
    /// image that has any.
    public func pixels(of size: RasterSize) -> PixelRectangle {
      func span(_ start: Double, _ length: Double, _ count: Int) -> (first: Int, count: Int) {
        let first = min(Int((start * Double(count)).rounded()), max(count - 1, 0))
        let end = min(Int(((start + length) * Double(count)).rounded()), count)
        return (first, count == 0 ? 0 : max(end - first, 1))
      }
      let columns = span(x, width, size.width)
      let rows = span(y, height, size.height)
      return PixelRectangle(
        x: columns.first, y: rows.first, width: columns.count, height: rows.count)
    }
  }
}

extension PixelMapping {
  /// The pixels of a region in the photo as shown and in the depth map as stored; O(1).
  func located(_ region: ProximityWatch.Region) -> LocatedRectangle {
    LocatedRectangle(
      photo: region.pixels(of: photoSize),
      depth: mapRectangle(ofShown: region.pixels(of: shownMapSize)))
  }
}
