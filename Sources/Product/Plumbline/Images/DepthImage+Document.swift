import PlumblineIO
import PlumblineModel
import PlumblineNumerics

extension DepthImage {
  /// `plumbline.depthPicture/1`, as `Documentation/cli.md` describes it.
  var document: JSONValue {
    let isEqualized = style.span == .equalized
    let extent = Double(range.upperBound) - Double(range.lowerBound)
    return .object([
      ("schema", "plumbline.depthPicture/1"), ("file", .string(fileName)),
      ("sha256", .string(sha256)), ("picture", .string(Self.imageName)),
      ("width", .integer(size.width)), ("height", .integer(size.height)),
      ("upright", .bool(style.isUpright)), ("exifOrientation", .integer(orientation.rawValue)),
      ("quantity", .string(isMetric ? "depth along the optical axis" : "relative depth")),
      ("unit", .string(isMetric ? "m" : nil)),
      ("colors", .string(style.colorMap.rawValue)),
      ("scale", .string(isEqualized ? "equalized" : "linear")), ("range", .string(rangeChoice)),
      ("near", .number(range.lowerBound)), ("far", .number(range.upperBound)),
      // A color is all depths that round to it.
      ("stepOfOneColor", .number(isEqualized ? nil : Float(extent / 255))),
      ("missingColor", .string(style.missing?.hexadecimal ?? "transparent")),
      (
        "pixels",
        .object([
          ("measured", .integer(counts.measured)),
          ("missing", .integer(counts.all - counts.measured)),
          ("nearer", .integer(counts.nearer)), ("farther", .integer(counts.farther)),
        ])
      ),
      ("legend", .array(marks.map(Self.document))),
    ])
  }

  private var rangeChoice: String {
    switch style.span {
    case .fixed: "fixed"
    case .quantiles: "automatic"
    case .equalized: "equalized"
    }
  }

  private static func document(of mark: Mark) -> JSONValue {
    .object([
      ("place", .number(mark.place)), ("depth", .number(Float(mark.depth))),
      ("plusMinus", .number(mark.sigmaMeters.map { Float($0) })),
      ("color", .string(mark.color.hexadecimal)),
    ])
  }

  /// The meaning of the colors, for a reader of the image alone.
  var sentence: String {
    let unit = isMetric ? " m" : ""
    let kind = isMetric ? "depth along the optical axis" : "relative depth without a unit"
    let ends =
      "from \(Self.number(Double(range.lowerBound)))\(unit) (\(style.colorMap.colors[0].hexadecimal)) to "
      + "\(Self.number(Double(range.upperBound)))\(unit) (\(style.colorMap.colors[255].hexadecimal))"
    let scale = style.span == .equalized ? "as many pixels in each color" : "linear"
    var text = "\(kind), \(style.colorMap.rawValue), \(ends), \(scale)"
    if let mark = marks.middleOfSorted, let sigma = mark.sigmaMeters {
      text += "; one pixel at \(Self.number(mark.depth)) m is ± \((1000 * sigma).fixed(1)) mm (1 σ)"
    }
    let missing = style.missing.map { "are \($0.hexadecimal)" } ?? "are transparent"
    return text + "; pixels that were not measured \(missing)"
  }

  /// A depth with as many decimals as its size needs.
  static func number(_ depth: Double) -> String { depth.fixed(depth < 10 ? 3 : 2) }
}

extension RGB8 {
  /// `#RRGGBB`.
  var hexadecimal: String { "#" + Hexadecimal.uppercase([red, green, blue]) }
}
