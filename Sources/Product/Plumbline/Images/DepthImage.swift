package import PlumblineIO
import PlumblineImages
public import PlumblineModel
import PlumblineVerification

/// A depth map as an image in colors, with the numbers that its colors stand for.
///
/// Colors mean nothing without their range, unit and ±. So these are written into the image's own file,
/// into a document, and into a drawing of the scale.
public struct DepthImage: Sendable {
  /// The colors and range of a drawn map.
  public struct Style: Hashable, Sendable {
    /// The colors from near to far.
    public var colorMap: ColorMap
    /// The depths at the ends of the color map.
    public var span: DepthColors.Span
    /// The color of pixels that were not measured; `nil` lets the ground show through.
    public var missing: RGB8?
    /// Whether the image is turned as the photo is shown.
    public var isUpright: Bool

    /// Chooses a style.
    public init(
      _ colorMap: ColorMap = .turbo, span: DepthColors.Span = .automatic, missing: RGB8? = nil,
      isUpright: Bool = false
    ) {
      self.colorMap = colorMap
      self.span = span
      self.missing = missing
      self.isUpright = isUpright
    }
  }

  /// A position on the scale: a depth, its ± and its color.
  struct Mark {
    /// 0 at the near end, 1 at the far end; of an equalized image the share of pixels nearer.
    var place: Double
    var depth: Double
    /// One standard deviation of one pixel of this depth; `nil` where it has no unit.
    var sigmaMeters: Double?
    var color: RGB8
  }

  let fileName: String
  let sha256: String?
  let style: Style
  let orientation: ImageOrientation
  let isMetric: Bool
  /// The depths at the ends of the scale; of an equalized scale, the nearest and the farthest depth.
  let range: ClosedRange<Float>
  /// The numbers of all pixels, of measured ones, and of those beyond either end, which have its color.
  let counts: (all: Int, measured: Int, nearer: Int, farther: Int)
  let marks: [Mark]
  let producer: String
  private let image: Raster<RGB8>
  private let isMeasured: Raster<UInt8>

  /// Colors the corrected map of a capture.
  ///
  /// - Throws: ``CaptureReadingError``: `.missing` without a measured pixel, `.unsupported` for meters
  ///   on a map that has no unit. Cost: O(*n*); equalized O(*n* log *n*).
  package init(_ check: CaptureAnalysis, style: Style) throws(CaptureReadingError) {
    guard let corrected = check.corrected, let record = check.capture.depth else {
      throw CaptureReadingError(.missing, expected: "a depth map to color", found: "none")
    }
    if case .fixed = style.span, !corrected.isMetric {
      throw CaptureReadingError(
        .unsupported, expected: "depths in meters, or a range that is automatic or equalized",
        found: "a relative depth map", need: .knownDistances)
    }
    let colors = DepthColors(
      style.colorMap, span: style.span, missing: style.missing ?? RGB8(red: 0, green: 0, blue: 0))
    let meters = corrected.depth.meters.packed
    let measured = meters.samples.filter(Self.isMeasured)
    guard let nearest = measured.min(), let farthest = measured.max() else {
      throw CaptureReadingError(.missing, expected: "a measured depth to color", found: "none")
    }
    let range = colors.rangeMeters(of: .depth(corrected.depth)) ?? nearest...farthest
    fileName = check.fileName
    sha256 = check.sha256
    self.style = style
    orientation = record.orientation
    isMetric = corrected.isMetric
    self.range = range
    counts = (
      meters.samples.count, measured.count, measured.count { $0 < range.lowerBound },
      measured.count { $0 > range.upperBound }
    )
    producer = check.origin.producer
    image = colors.colors(of: .depth(corrected.depth))
    isMeasured = meters.map { Self.isMeasured($0) ? 255 : 0 }
    marks = Self.marks(style, range, meters, image, check.metricSigma)
  }

  /// The files: the image, its numbers, and a scale to put beside it.
  public var files: [Extraction.File] {
    let document = document
    let encoder = PNGEncoder(texts: [
      PNGText("Title", "depth of \(printable(text: fileName))"),
      PNGText("Description", sentence), PNGText("Software", producer),
      PNGText("plumbline.depthPicture", JSONWriter(layout: .compact).text(document)),
    ])
    let colors = image.oriented(by: turn)
    let png =
      style.missing == nil
      ? encoder.encoded(colors, opacity: isMeasured.oriented(by: turn)) : encoder.encoded(colors)
    return [
      Extraction.File(name: Self.imageName, bytes: png),
      Extraction.File(name: "depth-colors.json", bytes: JSONWriter().bytes(document)),
      Extraction.File(name: "depth-colors.svg", bytes: scale),
    ]
  }

  static let imageName = "depth-colors.png"

  /// The turn of the drawn image.
  private var turn: ImageOrientation { style.isUpright ? orientation : .up }

  /// The size of the image as it is turned.
  var size: RasterSize { turn.uprightSize(of: image.size) }

  private static func isMeasured(_ meters: Float) -> Bool { meters.isFinite && meters > 0 }

  private static func marks(
    _ style: Style, _ range: ClosedRange<Float>, _ meters: Raster<Float>, _ image: Raster<RGB8>,
    _ sigma: SigmaCurve?
  ) -> [Mark] {
    let places = (0...16).map { Double($0) / 16 }
    let far = Double(range.upperBound)
    let near = Double(range.lowerBound)
    guard style.span == .equalized else {
      let colors = style.colorMap.colors
      return places.map { place in
        let depth = near + place * (far - near)
        return Mark(
          place: place, depth: depth, sigmaMeters: sigma?.sigmaMeters(atDepth: depth),
          color: colors[Int((255 * place).rounded())])
      }
    }
    // The colors that the pixels of these ranks have in the image.
    let ranks = meters.samples.indices
      .filter { isMeasured(meters.samples[$0]) }
      .sorted { (meters.samples[$0], $0) < (meters.samples[$1], $1) }
    return places.map { place in
      let pixel = ranks[Int((place * Double(ranks.count - 1)).rounded())]
      let depth = Double(meters.samples[pixel])
      return Mark(
        place: place, depth: depth, sigmaMeters: sigma?.sigmaMeters(atDepth: depth),
        color: image.samples[pixel])
    }
  }
}

extension DepthImage {
  /// The scale as a drawing (SVG): the colors from near to far, and depths with their ±.
  ///
  /// Dark on white, so that it can be read wherever it is put.
  var scale: [UInt8] {
    let (width, left, length) = (640, 64, 512)
    func x(_ place: Double) -> String { (Double(left) + place * Double(length)).fixed(0) }
    var stops = ""
    for (index, color) in style.colorMap.colors.enumerated() {
      // Two units of length for each of the 256 colors: no color is blended and no seam shows.
      stops +=
        "<rect x=\"\(left + 2 * index)\" y=\"30\" width=\"2\" height=\"24\" "
        + "fill=\"\(color.hexadecimal)\"/>\n"
    }
    var labels = ""
    for mark in marks where (mark.place * 16).truncatingRemainder(dividingBy: 4) == 0 {
      let place = x(mark.place)
      labels += "<path d=\"M\(place) 54v6\" stroke=\"#222\"/>\n"
      labels += Self.text(Self.number(mark.depth) + (isMetric ? " m" : ""), place, 74, 13)
      if let sigma = mark.sigmaMeters {
        labels += Self.text("± \((1000 * sigma).fixed(1)) mm", place, 90, 11)
      }
    }
    let kind = isMetric ? "depth along the optical axis" : "relative depth, no unit"
    let rule = style.span == .equalized ? "equalized: as many pixels in each color" : "linear"
    let note = isMetric ? "; ± is one standard deviation of one pixel" : ""
    return Array(
      ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) 100\" width=\"\(width)\" "
        + "height=\"100\" font-family=\"sans-serif\" role=\"img\">\n"
        + "<rect width=\"\(width)\" height=\"100\" fill=\"#fff\"/>\n"
        + Self.text("\(kind), \(style.colorMap.rawValue), \(rule)\(note)", "\(width / 2)", 20, 12)
        + "<g shape-rendering=\"crispEdges\">\n\(stops)</g>\n" + labels + "</svg>\n").utf8)
  }

  /// A line of text; it contains nothing from a file, so nothing needs escaping.
  private static func text(_ words: String, _ x: String, _ y: Int, _ size: Int) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" fill=\"#222\" text-anchor=\"middle\">"
      + "\(words)</text>\n"
  }
}
