import PlumblineImages
import PlumblineIO
import PlumblineModel

/// What an estimate missed a measurement by as an image in colors, with the numbers that they stand for.
///
/// White is right, blue too near, red too far; pixels without a residual are transparent.
struct ResidualImage {
  static let imageName = "residual-colors.png"
  /// What the two ends of the colors stand for, in meters below and above 0.
  let spanMeters: Float
  private let residual: DepthResidual
  private let fileName: String
  private let producer: String

  /// Prepares; `nil` without a pixel to show.
  init?(_ residual: DepthResidual, fileName: String, producer: String) {
    guard let span = residual.spanMeters else { return nil }
    spanMeters = span
    self.residual = residual
    self.fileName = fileName
    self.producer = producer
  }

  /// The image and a scale to put beside it; O(*n*).
  var files: [Extraction.File] {
    let colors = DivergingColors.colors
    let factor = 127.5 / spanMeters
    let image = residual.meters.map { meters -> RGB8 in
      meters.isNaN
        ? colors[128] : colors[Int(min(max(meters * factor + 127.5, 0), 255).rounded())]
    }
    let encoder = PNGEncoder(texts: [
      PNGText("Title", "fit residual of \(printable(text: fileName))"),
      PNGText("Description", sentence), PNGText("Software", producer),
    ])
    let opacity = residual.meters.map { $0.isNaN ? UInt8(0) : 255 }
    return [
      Extraction.File(name: Self.imageName, bytes: encoder.encoded(image, opacity: opacity)),
      Extraction.File(name: "residual-colors.svg", bytes: scale),
    ]
  }

  private var ends: String { DepthImage.number(Double(spanMeters)) }

  private var sentence: String {
    "estimate minus measured depth along the optical axis, linear from −\(ends) m "
      + "(\(DivergingColors.colors[0].hexadecimal), too near) over 0 (white) to +\(ends) m "
      + "(\(DivergingColors.colors[255].hexadecimal), too far), beyond them the same colors; "
      + "pixels without a measurement are transparent"
  }

  /// The colors with their meters (SVG), dark on white.
  private var scale: [UInt8] {
    var stops = ""
    for (index, color) in DivergingColors.colors.enumerated() {
      stops +=
        "<rect x=\"\(64 + 2 * index)\" y=\"30\" width=\"2\" height=\"24\" "
        + "fill=\"\(color.hexadecimal)\"/>\n"
    }
    func text(_ words: String, _ x: Int, _ y: Int) -> String {
      "<text x=\"\(x)\" y=\"\(y)\" font-size=\"13\" fill=\"#222\" text-anchor=\"middle\">\(words)"
        + "</text>\n"
    }
    let labels = [("−\(ends) m", 64), ("0", 320), ("+\(ends) m", 576)]
    return Array(
      ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 84\" width=\"640\" "
        + "height=\"84\" font-family=\"sans-serif\" role=\"img\">\n"
        + "<rect width=\"640\" height=\"84\" fill=\"#fff\"/>\n"
        + text("estimate minus measured: blue is too near, red too far", 320, 20)
        + "<g shape-rendering=\"crispEdges\">\n\(stops)</g>\n"
        + labels.map { text($0.0, $0.1, 74) }.joined() + "</svg>\n").utf8)
  }
}
