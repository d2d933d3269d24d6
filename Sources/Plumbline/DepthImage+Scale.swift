import PlumblineModel

extension DepthImage {
  /// The scale as a drawing (SVG): the colors from near to far, and depths with their ±.
  ///
  /// Dark on white, so that it can be read wherever it is put.
  var scale: [UInt8] {
    let (width, left, length) = (640, 64, 512)
    func x(_ place: Double) -> String { (Double(left) + place * Double(length)).fixed(0) }
    var stops = ""
    for (index, color) in style.colorMap.colors.enumerated() {
      // Two units for each of 256 colors, so that none is mixed and no seam shows.
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

  /// A line of text; nothing of a file gets here, so that nothing is to be escaped.
  private static func text(_ words: String, _ x: String, _ y: Int, _ size: Int) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" fill=\"#222\" text-anchor=\"middle\">"
      + "\(words)</text>\n"
  }
}
