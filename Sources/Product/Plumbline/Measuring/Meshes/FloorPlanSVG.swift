import PlumblineModel
import PlumblineVerification

/// A floor plan as SVG: walls thick, unseen parts dashed, the cut surface thin, dimensions outside, a scale bar.
///
/// One unit is a millimeter of paper. The scale is the largest of 1:20, 1:50, 1:100, 1:200, 1:500 that fits
/// A4 in landscape, else what fits.
struct FloorPlanSVG {
  private static let paper = SIMD2(297.0, 210.0)
  /// Room for dimensions and legend around the plan.
  private static let margin = 24.0
  private static let legend = 22.0

  private let plan: FloorPlan
  private let title: String
  private let low: SIMD2<Double>
  private let high: SIMD2<Double>
  /// Millimeters of paper for a meter.
  private let scale: Double

  init(_ plan: FloorPlan, title: String) {
    self.plan = plan
    self.title = title
    let corners = plan.rooms.flatMap { $0.sides.map(\.start) }
    let low = corners.reduce(corners.first ?? .zero) { pointwiseMin($0, $1) }
    let high = corners.reduce(corners.first ?? .zero) { pointwiseMax($0, $1) }
    self.low = low
    self.high = high
    let size = pointwiseMax(high - low, [0.5, 0.5])
    let space = Self.paper - SIMD2(2 * Self.margin, 2 * Self.margin + Self.legend)
    let fits = min(space.x / size.x, space.y / size.y)
    scale = [50.0, 20, 10, 5, 2].first { $0 <= fits } ?? fits
  }

  /// The file.
  var bytes: [UInt8] { Array(text.utf8) }

  private var size: SIMD2<Double> {
    let extent = (high - low) * scale + SIMD2(repeating: 2 * Self.margin)
    return [max(extent.x, 150), extent.y + Self.legend]
  }

  /// A place on the paper.
  private func paper(_ place: SIMD2<Double>) -> SIMD2<Double> {
    let left = (size.x - (high.x - low.x) * scale) / 2
    return [left + (place.x - low.x) * scale, Self.margin + (high.y - place.y) * scale]
  }

  private var text: String {
    let (width, height) = (Self.number(size.x), Self.number(size.y))
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)mm" height="\(height)mm" \
      viewBox="0 0 \(width) \(height)">
      """,
      "<title>Floor plan of \(Self.escaped(title))</title>", Self.style,
      "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\"/>",
    ]
    parts += plan.section.compactMap { path($0.points, isClosed: $0.isClosed, "cut") }
    for (index, room) in plan.rooms.enumerated() {
      for (place, side) in room.sides.enumerated() {
        for part in PlanText.parts(side) {
          parts.append(line(paper(part.from), paper(part.to), part.isSeen ? "wall" : "invented"))
        }
        parts += dimension(side, at: place, of: room)
      }
      let middle = paper(PlanText.middle(room))
      for (row, words) in PlanText.lines(room, at: index, plan).enumerated() {
        parts.append(words.isEmpty ? "" : text(words, middle + [0, 5 * Double(row)], "room"))
      }
    }
    return (parts + legend + ["</svg>", ""]).joined(separator: "\n")
  }

  private static let style = """
    <style>
    .paper{fill:#fff} .cut{fill:none;stroke:#5b8fc7;stroke-width:.2}
    .wall{stroke:#111;stroke-width:1;stroke-linecap:square}
    .invented{stroke:#c0392b;stroke-width:.5;stroke-dasharray:2 1.5}
    .dim{stroke:#555;stroke-width:.18} text{font-family:Helvetica,Arial,sans-serif;fill:#111}
    .number{font-size:3px;text-anchor:middle} .rim{fill:#fff;stroke:#fff;stroke-width:.8} .room{font-size:4px;text-anchor:middle}
    .note{font-size:3px} .title{font-size:4.5px;font-weight:bold} .bar{fill:#111}
    .frame{fill:none;stroke:#111;stroke-width:.2}
    </style>
    """

  /// The dimension of a side, outside of the room; none for one too short for its text.
  private func dimension(
    _ side: FloorPlan.Side, at index: Int, of room: FloorPlan.Room
  ) -> [String] {
    let (start, end) = (paper(side.start), paper(side.end))
    let line = end - start
    let length = (line * line).sum().squareRoot()
    guard length > 1 else { return [] }
    let along = line / length
    // The room is on the left in the plan; on paper, whose second axis points down, as well.
    let outside = SIMD2(-along.y, along.x)
    let shift = outside * 6
    let (a, b) = (start + shift, end + shift)
    var parts = [
      self.line(a, b, "dim"), self.line(start + outside * 2, a + outside, "dim"),
      self.line(end + outside * 2, b + outside, "dim"),
    ]
    for place in [a, b] {
      let slash = (along - outside) * 1.1
      parts.append(self.line(place - slash, place + slash, "dim"))
    }
    let words = PlanText.length(side.length)
    // A letter of 3 mm is about 1.6 mm wide; longer texts turn by a lead to the outside.
    let isLong = length < 1.6 * Double(words.count)
    // Where the room turns right, the next dimension crosses this one: the text moves away from there.
    let count = room.sides.count
    let turns = [room.turnsRight(at: index), room.turnsRight(at: (index + 1) % count)]
    let away = turns[0] == turns[1] ? 0 : turns[0] ? 4.0 : -4
    let middle = (a + b) / 2 + outside * (isLong ? 5.5 : 2.2) + along * away
    if isLong { parts.append(self.line((a + b) / 2, (a + b) / 2 + outside * 3.5, "dim")) }
    if isLong {
      parts.append(text(words, middle + [0, 1], "number"))
    } else {
      // Texts read from below, or from the right where a side is steep.
      let isSteep = abs(along.x) < 0.34
      let flips = isSteep ? along.y > 0 : along.x < 0
      parts.append(turned(words, middle, flips ? -along : along))
    }
    return parts
  }

  private var legend: [String] {
    let base = size.y - Self.legend + 2
    let meter = scale < 8 ? 5.0 : 1
    var parts = [text("Floor plan of \(title)", [10, 10], "title")]
    for index in 0..<4 {
      let x = 10 + Double(index) * meter * scale / 2
      let name = index % 2 == 0 ? "bar" : "frame"
      parts.append(
        "<rect class=\"\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(base))\" "
          + "width=\"\(Self.number(meter * scale / 2))\" height=\"1.6\"/>")
    }
    for index in 0...2 {
      let place = SIMD2(10 + Double(index) * meter * scale, base + 5)
      parts.append(
        text("\((Double(index) * meter).fixed(0))\(index == 2 ? " m" : "")", place, "number"))
    }
    let ratio = (1000 / scale).fixed(0)
    parts.append(
      text(
        "1:\(ratio) at full size. Section \(plan.sectionMeters.fixed(2)) m above the floor; ± is one "
          + "standard deviation.", [10, base + 10], "note"))
    let key = 10.0
    parts += [
      line([key, base + 14], [key + 8, base + 14], "wall"),
      text("wall seen", [key + 10, base + 15], "note"),
      line([key + 30, base + 14], [key + 38, base + 14], "invented"),
      text("not seen, invented", [key + 40, base + 15], "note"),
      line([key + 72, base + 14], [key + 80, base + 14], "cut"),
      text("surface at the section", [key + 82, base + 15], "note"),
    ]
    return parts
  }

  private func path(_ points: [SIMD2<Double>], isClosed: Bool, _ style: String) -> String? {
    guard points.count > 1 else { return nil }
    let places = points.map { paper($0) }
    // What is far outside of the rooms, such as what was seen through a window, would leave the paper.
    guard places.allSatisfy({ all($0 .>= [0, 0]) && all($0 .<= size) }) else { return nil }
    let rest = places.map { "\(Self.number($0.x)) \(Self.number($0.y))" }.joined(separator: "L")
    return "<path class=\"\(style)\" d=\"M\(rest)\(isClosed ? "Z" : "")\"/>"
  }

  private func line(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ style: String) -> String {
    "<line class=\"\(style)\" x1=\"\(Self.number(a.x))\" y1=\"\(Self.number(a.y))\" "
      + "x2=\"\(Self.number(b.x))\" y2=\"\(Self.number(b.y))\"/>"
  }

  private func text(_ text: String, _ place: SIMD2<Double>, _ style: String) -> String {
    Self.text(text, style, "x=\"\(Self.number(place.x))\" y=\"\(Self.number(place.y))\"")
  }

  /// A text; a number, which may stand on lines, with a white rim below it, since not every program knows
  /// `paint-order`.
  private static func text(_ text: String, _ style: String, _ attributes: String) -> String {
    let words = "\(attributes)>\(escaped(text))</text>"
    let rim = style == "number" ? "<text aria-hidden=\"true\" class=\"number rim\" \(words)" : ""
    return rim + "<text class=\"\(style)\" \(words)"
  }

  private func turned(
    _ text: String, _ place: SIMD2<Double>, _ along: SIMD2<Double>
  ) -> String {
    let matrix =
      [along.x, along.y, -along.y, along.x].map { Self.number($0, 4) }
      + [Self.number(place.x), Self.number(place.y)]
    return Self.text(
      text, "number", "transform=\"matrix(\(matrix.joined(separator: " ")))\" dy=\"1\"")
  }

  private static func escaped(_ text: String) -> String {
    printable(text: text).map { character in
      switch character {
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      default: String(character)
      }
    }.joined()
  }

  // SVG requires the ASCII minus sign.
  private static func number(_ value: Double, _ decimals: Int = 2) -> String {
    value.fixed(decimals).replacing("−", with: "-")
  }
}

extension FloorPlan.Room {
  /// Whether the way around the room turns right at the start of a side.
  fileprivate func turnsRight(at index: Int) -> Bool {
    let (before, side) = (sides[(index + sides.count - 1) % sides.count], sides[index])
    let (a, b) = (before.end - before.start, side.end - side.start)
    return a.x * b.y - a.y * b.x < 0
  }
}
