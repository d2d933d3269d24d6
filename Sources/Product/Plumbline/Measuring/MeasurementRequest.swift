import PlumblineModel

/// A pixel by the image that its numbers count in.
public struct MeasuredPixel: Hashable, Sendable {
  /// The images whose pixels can be named.
  public enum Space: String, Hashable, Sendable {
    /// The photo as it is shown, upright; for a capture without color, the depth map as it is shown.
    case photo
    /// The depth map as stored.
    case depth
  }

  /// The image.
  public var space: Space
  /// Column and row, not necessarily whole; the first pixel center is (0, 0).
  public var place: SIMD2<Double>

  /// Creates a pixel.
  public init(_ space: Space, _ place: SIMD2<Double>) {
    self.space = space
    self.place = place
  }
}

extension MeasuredPixel: CustomStringConvertible {
  /// The pixel as the command line writes it, such as `120,80` or `depth:60,40`.
  public var description: String {
    let numbers = [place.x, place.y].map { $0 == $0.rounded() ? $0.fixed(0) : $0.fixed(2) }
    return (space == .depth ? "depth:" : "") + numbers.joined(separator: ",")
  }
}

/// A rectangle by its first pixel and its size, in pixels of one image.
public struct MeasuredRectangle: Hashable, Sendable {
  /// Its first pixel.
  public var origin: MeasuredPixel
  /// Its width and height in pixels of the same image, above 0.
  public var size: SIMD2<Double>

  /// Creates a rectangle.
  public init(_ origin: MeasuredPixel, size: SIMD2<Double>) {
    self.origin = origin
    self.size = size
  }
}

extension MeasuredRectangle: CustomStringConvertible {
  /// The rectangle as the command line writes it, such as `120,80,300x200`.
  public var description: String { "\(origin),\(size.x.fixed(0))x\(size.y.fixed(0))" }
}

/// What is to be measured.
public enum MeasurementRequest: Hashable, Sendable {
  /// The position of a point.
  case point(MeasuredPixel)
  /// The length of the straight line between two points.
  case distance(MeasuredPixel, MeasuredPixel)
  /// The angle at the second of three points.
  case angle(MeasuredPixel, MeasuredPixel, MeasuredPixel)
  /// The plane of a rectangle.
  case plane(MeasuredRectangle)
  /// The box that stands on the plane of a rectangle's border.
  case box(MeasuredRectangle)
  /// The distance of a point from the plane of a rectangle.
  case height(MeasuredPixel, MeasuredRectangle)
  /// The volume above the plane of a rectangle's border.
  case volume(MeasuredRectangle)

  /// The word of its kind in documents.
  public var kind: String {
    switch self {
    case .point: "point"
    case .distance: "distance"
    case .angle: "angle"
    case .plane: "plane"
    case .box: "box"
    case .height: "height"
    case .volume: "volume"
    }
  }

  /// Its pixels as they were given, in order.
  public var pixels: [MeasuredPixel] {
    switch self {
    case .point(let a): [a]
    case .distance(let a, let b): [a, b]
    case .angle(let a, let b, let c): [a, b, c]
    case .height(let a, _): [a]
    case .plane, .box, .volume: []
    }
  }

  /// Its rectangle; `nil` for what has only points.
  public var rectangle: MeasuredRectangle? {
    switch self {
    case .point, .distance, .angle: nil
    case .plane(let area), .box(let area), .height(_, let area), .volume(let area): area
    }
  }
}

extension MeasurementRequest: CustomStringConvertible {
  /// The pixels as the command line writes them.
  public var description: String {
    (pixels.map(\.description) + [rectangle?.description].compactMap(\.self))
      .joined(separator: ":")
  }
}
