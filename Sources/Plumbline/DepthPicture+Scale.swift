import PlumblineFormats
import PlumblineModel

extension DepthPicture {
  /// The scale as a drawing (SVG): the colors from near to far, and depths with their ±.
  ///
  /// Dark on white, so that it can be read wherever it is put.
  var scale: [UInt8] {
    let (width, left) = (640, 24)
    let length = width - 2 * left
    func x(_ place: Double) -> String { (Double(left) + place * Double(length)).fixed(1) }
    var stops = ""
    let colors = style.colorMap.colors
    // As many steps as there are colors, so that none of them is mixed.
    for (index, color) in colors.enumerated() {
      let start = Double(index) / Double(colors.count)
      // A hair wider than its place, or seams would show.
      stops +=
        "<rect x=\"\(x(start))\" y=\"30\" width=\"\((Double(length) / 256 + 0.4).fixed(1))\" "
        + "height=\"24\" fill=\"\(color.hexadecimal)\"/>\n"
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
        + stops + labels + "</svg>\n").utf8)
  }

  /// A line of text; nothing of a file gets here, so that nothing is to be escaped.
  private static func text(_ words: String, _ x: String, _ y: Int, _ size: Int) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" fill=\"#222\" text-anchor=\"middle\">"
      + "\(words)</text>\n"
  }
}
