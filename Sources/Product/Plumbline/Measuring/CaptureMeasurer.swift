import PlumblineCorrection
import PlumblineModel
import PlumblineVerification

/// Measures in a capture: points, lengths, angles, planes, boxes, heights and volumes, each with its ±.
///
/// The mathematics is in `Documentation/measure.md`. The same pixels of the same capture give the same
/// numbers here and in the viewer.
public struct CaptureMeasurer: Sendable {
  private let analysis: CaptureAnalysis
  private let pixels: MeasurablePixels?
  /// Why nothing can be measured in meters; `nil` where it can be.
  private let refusal: String?
  /// What speaks against every number.
  private let reasons: [String]

  /// Prepares to measure in a capture; O(1).
  public init(_ analysis: CaptureAnalysis) {
    self.analysis = analysis
    pixels = MeasurablePixels(analysis)
    refusal = pixels == nil ? Self.refusal(of: analysis) : nil
    reasons = Self.reasons(of: analysis)
  }

  private static func refusal(of analysis: CaptureAnalysis) -> String {
    guard let corrected = analysis.corrected else { return analysis.assessment.reason }
    if !corrected.isMetric {
      return analysis.assessment.reason
        + " Two distances that you measured, one near and one far, would make it metric."
    }
    return "There is no camera calibration that fits the map, so that pixels have no directions."
  }

  /// What speaks against every number of a capture.
  static func reasons(of analysis: CaptureAnalysis) -> [String] {
    let assessment = analysis.assessment
    var reasons: [String] = []
    if !assessment.verdict.isMeasurable { reasons.append(assessment.reason) }
    if assessment.isGeometryAssumed { reasons.append(assumedGeometry) }
    return reasons
  }

  /// What speaks against a map of two cameras whose geometry has no ±.
  static let assumedGeometry = "The geometry of the two cameras was told without its ±."

  /// Measures what is asked for.
  ///
  /// A number that cannot be measured, such as one of a relative map or at a pixel without depth, is in
  /// the result without a value, and with the reason.
  ///
  /// - Parameter requests: What to measure.
  /// - Returns: One number for each, or several, as of a plane.
  /// - Throws: ``MeasuringError`` for pixels outside of the capture. Cost: that of the rectangles' pixels.
  public func measure(_ requests: [MeasurementRequest]) throws(MeasuringError) -> MeasurementResult
  {
    var measurements: [CaptureMeasurement] = []
    for request in requests { measurements += try measure(request) }
    return MeasurementResult(measurements: measurements)
  }

  private func measure(_ request: MeasurementRequest) throws(MeasuringError) -> [CaptureMeasurement]
  {
    var sites: [MeasurementSite?] = []
    for pixel in request.pixels { sites.append(try site(of: pixel)) }
    let places = zip(request.pixels, sites).map { place(of: $0, at: $1) }
    var region: PixelRectangle?
    if let rectangle = request.rectangle { region = try mapRectangle(of: rectangle) }
    func refused(_ reason: String) -> [CaptureMeasurement] {
      [
        CaptureMeasurement(
          request: request, name: nil, value: nil, places: places, reasons: [reason])
      ]
    }
    guard let pixels else { return refused(refusal ?? analysis.assessment.reason) }
    if let index = places.firstIndex(where: { $0.meters == nil }) {
      let depth = places[index].depth
      return refused(
        "Nothing was measured at \(request.pixels[index]), pixel \(depth.x),\(depth.y) of the "
          + "depth map.")
    }
    var found: MeasurementFinder.Found
    do throws(MeasurementFinder.Refusal) {
      found = try MeasurementFinder(pixels).find(
        request, at: sites.compactMap(\.self), in: region.map { pixels.region($0) })
    } catch {
      return refused(error.reason)
    }
    found.reasons = reasons + found.reasons
    return found.values.map { name, value in
      CaptureMeasurement(
        request: request, name: name, value: value, places: places,
        reasons: found.reasons + MeasurementFinder.reasons(of: value, request, name))
    }
  }

  /// What a measurement took at a place, for the result.
  private func place(of pixel: NamedPixel, at site: MeasurementSite?) -> CaptureMeasurement.Place {
    guard let site else {
      return CaptureMeasurement.Place(photo: pixel.place, depth: .zero)
    }
    let shown = pixel.space == .photo ? pixel.place : analysis.shownPlace(ofMap: site.place)
    let point = pixels?.point(site)
    return CaptureMeasurement.Place(
      photo: shown ?? pixel.place, depth: analysis.storedPixel(ofMap: site.pixel) ?? site.pixel,
      meters: point?.position, sigmaMeters: point.flatMap { pixels?.depthSigma($0) })
  }

  /// The place in the map that is named, and the nearest pixel; `nil` where the capture has no map.
  private func site(of pixel: NamedPixel) throws(MeasuringError) -> MeasurementSite? {
    guard let place = analysis.mapPlace(of: pixel), let corrected = analysis.corrected else {
      return nil
    }
    let size = corrected.depth.size
    let nearest = SIMD2(place.x.rounded(), place.y.rounded())
    guard isInside(pixel), nearest.x >= 0, nearest.y >= 0, nearest.x < Double(size.width),
      nearest.y < Double(size.height)
    else { throw outside(pixel.description, pixel.space) }
    return MeasurementSite(place: place, pixel: SIMD2(Int(nearest.x), Int(nearest.y)))
  }

  private func isInside(_ pixel: NamedPixel) -> Bool {
    analysis.size(of: pixel.space).map { PixelMapping.contains(pixel.place, in: $0) } ?? false
  }

  private func outside(_ what: String, _ space: NamedPixel.Space) -> MeasuringError {
    .outside(what, space: space, size: analysis.size(of: space) ?? RasterSize(width: 0, height: 0))
  }

  /// The pixels of the map whose centers a rectangle covers.
  private func mapRectangle(
    of rectangle: MeasuredRectangle
  ) throws(MeasuringError) -> PixelRectangle? {
    guard let corrected = analysis.corrected else { return nil }
    let last = NamedPixel(rectangle.origin.space, rectangle.origin.place + rectangle.size - 1)
    // The outer edges of the first and of the last pixel.
    let corners = [rectangle.origin.place - 0.5, last.place + 0.5].compactMap {
      analysis.mapPlace(of: NamedPixel(rectangle.origin.space, $0))
    }
    guard corners.count == 2, isInside(rectangle.origin), isInside(last) else {
      throw outside(rectangle.description, rectangle.origin.space)
    }
    let size = corrected.depth.size
    // In double precision first: a corner may be anything.
    func pixels(_ a: Double, _ b: Double, _ count: Int) -> Range<Int> {
      let low = min(a, b).rounded(.up).clamped(to: 0...Double(count))
      let high = max(a, b).rounded(.up).clamped(to: 0...Double(count))
      return Int(low)..<Int(high)
    }
    let columns = pixels(corners[0].x, corners[1].x, size.width)
    let rows = pixels(corners[0].y, corners[1].y, size.height)
    guard min(columns.count, rows.count) >= MeasuredRegion.minimumSide else {
      throw .tooSmall(
        rectangle.description, found: RasterSize(width: columns.count, height: rows.count),
        minimumSide: MeasuredRegion.minimumSide)
    }
    return PixelRectangle(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
