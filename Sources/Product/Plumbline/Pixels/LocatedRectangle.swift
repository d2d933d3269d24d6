public import PlumblineIO
public import PlumblineModel

/// A rectangle of pixels in both of its places.
public struct LocatedRectangle: Hashable, Sendable {
  /// The rectangle in the photo as shown.
  public var photo: PixelRectangle
  /// The rectangle in the depth map as stored.
  public var depth: PixelRectangle

  /// The rectangle as users write it, such as `12,16,24x32 (depth:16,12,32x24)`.
  public var text: String { "\(Self.text(photo)) (depth:\(Self.text(depth)))" }

  /// The keys `photo` and `depth` of a document: column, row, width and height each.
  public var documentParts: [(String, JSONValue)] {
    [("photo", Self.document(photo)), ("depth", Self.document(depth))]
  }

  private static func text(_ rectangle: PixelRectangle) -> String {
    "\(rectangle.x),\(rectangle.y),\(rectangle.size.width)x\(rectangle.size.height)"
  }

  private static func document(_ rectangle: PixelRectangle) -> JSONValue {
    .array(
      [rectangle.x, rectangle.y, rectangle.size.width, rectangle.size.height].map {
        .integer($0)
      })
  }
}
