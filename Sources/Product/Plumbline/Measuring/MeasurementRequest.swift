import PlumblineModel

/// A rectangle by its first pixel and its size, in pixels of one image.
public struct MeasuredRectangle: Hashable, Sendable {
  /// Its first pixel.
  public var origin: NamedPixel
  /// Its width and height in pixels of the same image, above 0.
  public var size: SIMD2<Double>

  /// Creates a rectangle.
  public init(_ origin: NamedPixel, size: SIMD2<Double>) {
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
  case point(NamedPixel)
  /// The length of the straight line between two points.
  case distance(NamedPixel, NamedPixel)
  /// The angle at the second of three points.
  case angle(NamedPixel, NamedPixel, NamedPixel)
  /// The plane of a rectangle.
  case plane(MeasuredRectangle)
  /// The box that stands on the plane of a rectangle's border.
  case box(MeasuredRectangle)
  /// The distance of a point from the plane of a rectangle.
  case height(NamedPixel, MeasuredRectangle)
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
  public var pixels: [NamedPixel] {
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
