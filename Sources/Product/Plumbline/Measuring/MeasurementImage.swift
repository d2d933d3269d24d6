import PlumblineCorrection
public import PlumblineModel

/// The image that shows where was measured: marks, lines and rectangles over the photo, each request
/// with its number from 1 beside it.
///
/// The photo is shown upright, or the depth map in colors where there is no photo. Lines are white with
/// a black border, so that they stand out on both.
public enum MeasurementImage {
  /// The digits 0 to 9 as 3 × 5 pixels, row after row, the highest bit first.
  private static let digits: [UInt16] = [
    0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111,
    0b101_101_111_001_001, 0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_010_010_010,
    0b111_101_111_101_111, 0b111_101_111_001_111,
  ]

  /// Draws what was measured.
  ///
  /// - Parameters:
  ///   - analysis: The capture, with its color where it was decoded.
  ///   - requests: What was measured, in the order of their numbers.
  /// - Returns: An image of the size of the photo; `nil` for a capture without depth. Cost: O(*n*).
  public static func image(
    of analysis: CaptureAnalysis, _ requests: [MeasurementRequest]
  ) -> Raster<RGB8>? {
    guard let record = analysis.capture.depth, let corrected = analysis.corrected else {
      return nil
    }
    let photo = analysis.capture.color.map { $0.oriented(by: analysis.capture.colorOrientation) }
    let image =
      photo
      ?? DepthColors(span: .automatic).colors(of: .depth(corrected.depth))
      .oriented(by: record.orientation)
    guard let shown = analysis.size(of: .photo), image.size.pixelCount > 0 else { return nil }
    var canvas = Canvas(
      image: image,
      scale: SIMD2(
        Double(image.width) / Double(shown.width), Double(image.height) / Double(shown.height)))
    for (index, request) in requests.enumerated() {
      draw(request, number: index + 1, of: analysis, on: &canvas)
    }
    return canvas.image
  }

  private static func draw(
    _ request: MeasurementRequest, number: Int, of analysis: CaptureAnalysis,
    on canvas: inout Canvas
  ) {
    let places = request.pixels.compactMap { shown($0, analysis) }
    for (a, b) in zip(places, places.dropFirst()) { canvas.line(from: a, to: b) }
    for place in places { canvas.cross(at: place) }
    var label = places.first
    if let rectangle = request.rectangle {
      let (origin, size) = (rectangle.origin.place - 0.5, rectangle.size)
      let corners = [SIMD2(0, 0), SIMD2(size.x, 0), size, SIMD2(0, size.y)]
        .compactMap { shown(NamedPixel(rectangle.origin.space, origin + $0), analysis) }
      for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
        canvas.line(from: a, to: b)
      }
      label = label ?? corners.first
    }
    guard let label else { return }
    canvas.write(String(number).compactMap(\.wholeNumberValue).map { digits[$0] }, at: label)
  }

  private static func shown(
    _ pixel: NamedPixel, _ analysis: CaptureAnalysis
  ) -> SIMD2<Double>? {
    if pixel.space == .photo { return pixel.place }
    return analysis.mapPlace(of: pixel).flatMap { analysis.shownPlace(ofMap: $0) }
  }

  /// An image that is drawn on in pixels of the photo.
  private struct Canvas {
    var image: Raster<RGB8>
    let scale: SIMD2<Double>

    /// Half the width of lines: a five-hundredth of the longer side.
    var radius: Int { max(2, max(image.width, image.height) / 500) }

    private func pixel(_ place: SIMD2<Double>) -> SIMD2<Double> { (place + 0.5) * scale - 0.5 }

    mutating func line(from a: SIMD2<Double>, to b: SIMD2<Double>) {
      stroke(pixel(a), pixel(b))
    }

    mutating func cross(at place: SIMD2<Double>) {
      let center = pixel(place)
      let reach = Double(6 * radius)
      stroke(center - SIMD2(reach, 0), center + SIMD2(reach, 0))
      stroke(center - SIMD2(0, reach), center + SIMD2(0, reach))
    }

    mutating func write(_ glyphs: [UInt16], at place: SIMD2<Double>) {
      let size = 2 * radius
      var corner = pixel(place) + SIMD2(Double(8 * radius), Double(8 * radius))
      for glyph in glyphs {
        for (code, border) in [(UInt8(0), radius), (255, 0)] {
          for cell in 0..<15 where glyph >> UInt16(14 - cell) & 1 == 1 {
            let (x, y) = (Int(corner.x) + cell % 3 * size, Int(corner.y) + cell / 3 * size)
            fill(x - border..<x + size + border, y - border..<y + size + border, code)
          }
        }
        corner.x += Double(4 * size)
      }
    }

    private mutating func stroke(_ a: SIMD2<Double>, _ b: SIMD2<Double>) {
      let steps = Int(max(abs(b.x - a.x), abs(b.y - a.y)).rounded(.up))
      for (code, width) in [(UInt8(0), 2 * radius), (255, radius - 1)] {
        for step in 0...max(steps, 1) {
          let place = a + (b - a) * (Double(step) / Double(max(steps, 1)))
          let (x, y) = (Int(place.x.rounded()), Int(place.y.rounded()))
          fill(x - width..<x + width + 1, y - width..<y + width + 1, code)
        }
      }
    }

    private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ code: UInt8) {
      for y in rows {
        for x in columns where image.contains(x: x, y: y) {
          image[x, y] = RGB8(red: code, green: code, blue: code)
        }
      }
    }
  }
}
