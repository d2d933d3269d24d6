public import PlumblineModel

/// Where a pixel of the photo as shown lies in the depth map as stored, and the other way round.
///
/// Photo and map have one field of view once both are upright, as everywhere else in Plumbline: the map
/// by its clean aperture where it states one.
public struct PixelMapping: Hashable, Sendable {
  /// The size of the photo as shown, in pixels; without an image that of the map turned upright.
  public let photoSize: RasterSize
  /// The size of the depth map as stored, in pixels.
  public let mapSize: RasterSize
  /// The part of the map that the photo shows, in its stored pixels.
  private let part: PixelRectangle
  /// What turns the stored map upright.
  private let orientation: ImageOrientation

  /// Takes sizes and orientations from a capture; `nil` without a depth map.
  public init?(_ capture: Capture) {
    guard let record = capture.depth else { return nil }
    let whole = PixelRectangle(x: 0, y: 0, width: record.size.width, height: record.size.height)
    let aperture = record.cleanAperture.flatMap {
      $0.isInside(record.size) && $0.size.pixelCount > 0 ? $0 : nil
    }
    part = aperture ?? whole
    mapSize = record.size
    orientation = record.orientation
    photoSize =
      capture.colorSize.map { capture.colorOrientation.uprightSize(of: $0) }
      ?? record.orientation.uprightSize(of: part.size)
  }

  /// A map that is its own photo, such as an estimate on the grid of its image.
  init(mapSize: RasterSize, orientation: ImageOrientation) {
    part = PixelRectangle(x: 0, y: 0, width: mapSize.width, height: mapSize.height)
    self.mapSize = mapSize
    self.orientation = orientation
    photoSize = orientation.uprightSize(of: mapSize)
  }

  /// The size of the part of the map that the photo shows, as it is shown.
  var shownMapSize: RasterSize { orientation.uprightSize(of: part.size) }

  /// The rectangle in the stored map of one in the map as shown; O(1).
  ///
  /// - Precondition: It lies inside of ``shownMapSize``.
  func mapRectangle(ofShown rectangle: PixelRectangle) -> PixelRectangle {
    precondition(rectangle.isInside(shownMapSize), "\(rectangle) is not inside \(shownMapSize)")
    guard rectangle.size.pixelCount > 0 else {
      return PixelRectangle(x: part.x, y: part.y, width: 0, height: 0)
    }
    var stored = rectangle.oriented(by: orientation.inverse, in: shownMapSize)
    stored.x += part.x
    stored.y += part.y
    return stored
  }

  /// The place in the stored map of a place in the photo as shown; O(1).
  ///
  /// - Source: pixel centers of scaled images, see `Documentation/conventions.md`, "The pixel grid".
  public func mapPixel(ofPhoto pixel: SIMD2<Double>) -> SIMD2<Double> {
    let upright = orientation.uprightSize(of: part.size)
    let place = (pixel + 0.5) * Self.scale(from: photoSize, to: upright) - 0.5
    return orientation.inverse.upright(place, in: upright)
      + SIMD2(Double(part.x), Double(part.y))
  }

  /// The place in the photo as shown of a place in the stored map; O(1).
  public func photoPixel(ofMap pixel: SIMD2<Double>) -> SIMD2<Double> {
    let upright = orientation.uprightSize(of: part.size)
    let place = orientation.upright(pixel - SIMD2(Double(part.x), Double(part.y)), in: part.size)
    return (place + 0.5) * Self.scale(from: upright, to: photoSize) - 0.5
  }

  /// Both places of a pixel that a user named; of the map the nearest whole pixel.
  ///
  /// - Throws: ``PixelError`` for a pixel outside of what it was named in, and for one of the map outside
  ///   of its clean aperture.
  public func located(_ pixel: NamedPixel) throws(PixelError) -> LocatedPixel {
    let place = pixel.place
    switch pixel.space {
    case .photo:
      guard Self.contains(place, in: photoSize) else {
        throw .outsidePhoto(place, size: photoSize)
      }
      let found = mapPixel(ofPhoto: place)
      // A place on the border rounds to the last pixel, not past it.
      let last = SIMD2(part.x + part.size.width - 1, part.y + part.size.height - 1)
      let whole = SIMD2(
        min(max(Int((found.x + 0.5).rounded(.down)), part.x), last.x),
        min(max(Int((found.y + 0.5).rounded(.down)), part.y), last.y))
      return LocatedPixel(photo: place, depth: whole)
    case .depth:
      let inPart = place - SIMD2(Double(part.x), Double(part.y))
      guard Self.contains(place, in: mapSize), Self.contains(inPart, in: part.size) else {
        throw .outsideMap(place, size: mapSize)
      }
      let whole = SIMD2(Int((place.x + 0.5).rounded(.down)), Int((place.y + 0.5).rounded(.down)))
      return LocatedPixel(photo: photoPixel(ofMap: place), depth: whole)
    }
  }

  private static func scale(from size: RasterSize, to other: RasterSize) -> SIMD2<Double> {
    SIMD2(
      Double(other.width) / Double(max(size.width, 1)),
      Double(other.height) / Double(max(size.height, 1)))
  }

  /// Whether a place lies on a pixel: the first one reaches from −½ to ½.
  static func contains(_ place: SIMD2<Double>, in size: RasterSize) -> Bool {
    place.x >= -0.5 && place.y >= -0.5 && place.x < Double(size.width) - 0.5
      && place.y < Double(size.height) - 0.5
  }
}

/// An error when a pixel that a user named is not there; a matter of usage.
public enum PixelError: Error, Hashable, Sendable {
  /// The pixel lies outside of the photo as shown.
  case outsidePhoto(SIMD2<Double>, size: RasterSize)
  /// The pixel lies outside of the depth map as stored, or of its clean aperture.
  case outsideMap(SIMD2<Double>, size: RasterSize)
  /// A pixel of the depth map was named, and there is none.
  case noMap
}

extension PixelError: CategorizedError, CustomStringConvertible {
  /// Who can act on it.
  public var category: FailureCategory { .usage }

  /// One sentence with the pixel and the size.
  public var description: String {
    switch self {
    case .outsidePhoto(let pixel, let size):
      "pixel \(LocatedPixel.text(pixel)) lies outside the photo, which is \(size) as shown"
    case .outsideMap(let pixel, let size):
      "pixel \(LocatedPixel.text(pixel)) lies outside the depth map of \(size) as stored"
    case .noMap: "the capture has no depth map in which the pixel lies"
    }
  }
}
