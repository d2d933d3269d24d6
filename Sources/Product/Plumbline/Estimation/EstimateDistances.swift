import PlumblineCorrection
import PlumblineIO
import PlumblineModel

/// A measured distance with its pixel in the image that an estimate is of.
public struct EstimateDistance: Hashable, Sendable {
  /// The pixel of the photo as shown.
  public var photo: SIMD2<Double>
  /// The pixel of the depth map as stored; `nil` for a capture without one.
  public var depth: SIMD2<Int>?
  /// The distance at the pixel of the image in the depth map's frame.
  var inImage: KnownDistance
  /// The fitted estimate there, in meters; `nil` without a fit that is believed.
  public var estimatedMeters: Double?

  /// The distance that was measured, in meters.
  public var meters: Double { inImage.meters }

  /// The pixel as users write it; see ``LocatedPixel/text``.
  public var text: String {
    let place = LocatedPixel(photo: photo, depth: depth ?? .zero)
    return depth == nil
      ? LocatedPixel.text(photo.rounded(.toNearestOrAwayFromZero)) : place.text
  }

  /// An entry of `knownDistances` of a document.
  var document: JSONValue {
    let parts = LocatedPixel(photo: photo, depth: depth ?? .zero).documentParts
    return .object(
      parts.map { key, value in (key, key == "depth" && depth == nil ? .null : value) } + [
        ("meters", .number(meters)), ("estimatedMeters", .number(estimatedMeters)),
      ])
  }
}

extension EstimateResult {
  /// The measured distances of the request with the places of their pixels, and the estimate found there.
  public var distances: [EstimateDistance] {
    let size = estimated.estimate.grid.placement.imageSize
    let located = (try? request.located(in: before, imageSize: size)) ?? []
    return located.map { distance in
      var distance = distance
      let (x, y) = (distance.inImage.x, distance.inImage.y)
      if estimated.isFitted, let depth = estimated.depth, depth.meters.contains(x: x, y: y) {
        let meters = Double(depth.meters[x, y])
        distance.estimatedMeters = meters.isFinite ? meters : nil
      }
      return distance
    }
  }
}

extension EstimateRequest {
  /// The measured distances with their pixels in the image in the depth map's frame, the nearest whole ones.
  ///
  /// - Throws: ``PixelError``.
  func located(
    in analysis: CaptureAnalysis, imageSize: RasterSize
  ) throws(PixelError) -> [EstimateDistance] {
    let capture = analysis.capture
    let orientation = capture.depth?.orientation ?? capture.colorOrientation
    let shown = orientation.uprightSize(of: imageSize)
    let mapping = PixelMapping(capture)
    var located: [EstimateDistance] = []
    for distance in measuredDistances {
      var photo: SIMD2<Double>
      var depth: SIMD2<Int>?
      switch distance.pixel.space {
      case .photo:
        let place = distance.pixel.place
        photo = place
        guard PixelMapping.contains(place, in: shown) else {
          throw .outsidePhoto(place, size: shown)
        }
        depth = try mapping?.located(distance.pixel).depth
      case .depth:
        guard let mapping else { throw .noMap }
        let pixel = try mapping.located(distance.pixel)
        (photo, depth) = (pixel.photo, pixel.depth)
      }
      let stored = orientation.inverse.upright(photo, in: shown)
      let (x, y) = (
        Int((stored.x + 0.5).rounded(.down)), Int((stored.y + 0.5).rounded(.down))
      )
      located.append(
        EstimateDistance(
          photo: photo, depth: depth,
          inImage: KnownDistance(
            x: min(max(x, 0), imageSize.width - 1), y: min(max(y, 0), imageSize.height - 1),
            meters: distance.meters)))
    }
    return located
  }
}
