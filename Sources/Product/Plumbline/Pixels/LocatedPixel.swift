import PlumblineCorrection
public import PlumblineIO
public import PlumblineModel

/// A pixel in both of its places.
public struct LocatedPixel: Hashable, Sendable {
  /// The place in the photo as shown.
  public var photo: SIMD2<Double>
  /// The pixel of the depth map as stored.
  public var depth: SIMD2<Int>

  /// Creates it from both places.
  public init(photo: SIMD2<Double>, depth: SIMD2<Int>) {
    self.photo = photo
    self.depth = depth
  }

  /// The pixel as users write it, such as `1520,1680 (depth:380,420)`; a computed place in the photo is
  /// rounded to whole pixels.
  public var text: String {
    "\(Self.text(Self.whole(photo))) (depth:\(depth.x),\(depth.y))"
  }

  /// The keys `photo` and `depth` of a document: two numbers each.
  public var documentParts: [(String, JSONValue)] {
    let place = Self.whole(photo)
    return [
      ("photo", .array([.integer(Int(exactly: place.x)), .integer(Int(exactly: place.y))])),
      ("depth", .array([.integer(depth.x), .integer(depth.y)])),
    ]
  }

  private static func whole(_ place: SIMD2<Double>) -> SIMD2<Double> {
    place.rounded(.toNearestOrAwayFromZero)
  }

  /// A place as `X,Y`, without a fraction where it has none.
  static func text(_ place: SIMD2<Double>) -> String {
    func number(_ value: Double) -> String {
      value == value.rounded() && abs(value) < 1e15 ? value.fixed(0) : "\(value)"
    }
    return "\(number(place.x)),\(number(place.y))"
  }
}

/// A distance that a user measured at a pixel of a capture.
public struct MeasuredDistance: Hashable, Sendable {
  /// The pixel.
  public var pixel: NamedPixel
  /// The distance from the camera's plane along the optical axis, in meters.
  public var meters: Double

  /// Creates a distance.
  ///
  /// - Precondition: The distance is finite and above 0.
  public init(at pixel: NamedPixel, meters: Double) {
    precondition(meters > 0 && meters.isFinite, "\(meters) m is no distance")
    self.pixel = pixel
    self.meters = meters
  }
}

/// A measured distance with the place of its pixel in a capture, and the depth found there.
public struct LocatedDistance: Hashable, Sendable {
  /// The pixel in both of its places.
  public var pixel: LocatedPixel
  /// The distance that was measured, in meters.
  public var meters: Double
  /// The depth that the map stores at that pixel, before any distance was applied, in the map's own unit;
  /// `nil` where it is missing, and for a map of ranges, whose numbers are no depths.
  public var storedDepth: Double?

  /// The distance at the pixel of the stored map.
  var known: KnownDistance {
    KnownDistance(x: pixel.depth.x, y: pixel.depth.y, meters: meters)
  }

  /// An entry of `knownDistances` of a document.
  var document: JSONValue {
    .object(
      pixel.documentParts + [
        ("meters", .number(meters)), ("storedDepth", .number(storedDepth)),
      ])
  }
}

extension Capture {
  /// Measured distances with their pixels in the stored map; none without a map, whose lack is reported
  /// elsewhere.
  ///
  /// - Throws: ``PixelError``.
  func located(_ distances: [MeasuredDistance]) throws(PixelError) -> [LocatedDistance] {
    guard let mapping = PixelMapping(self), let record = depth else { return [] }
    var located: [LocatedDistance] = []
    for distance in distances {
      let pixel = try mapping.located(distance.pixel)
      located.append(
        LocatedDistance(
          pixel: pixel, meters: distance.meters, storedDepth: record.storedDepth(at: pixel.depth)))
    }
    return located
  }
}

extension DepthRecord {
  /// The depth that the map stores at a pixel, in its own unit.
  ///
  /// It is `nil` where it is missing, outside, and for a map of ranges. Cost: O(1).
  public func storedDepth(at pixel: SIMD2<Int>) -> Double? {
    guard pixel.x >= 0, pixel.y >= 0, pixel.x < size.width, pixel.y < size.height else {
      return nil
    }
    let depth: Float
    switch values {
    case .depth(let map): depth = map.meters[pixel.x, pixel.y]
    case .disparity(let map):
      let disparity = map.inverseMeters[pixel.x, pixel.y]
      depth = disparity > 0 ? 1 / disparity : .nan
    case .range: depth = .nan
    }
    return depth > 0 && depth.isFinite ? Double(depth) : nil
  }
}
