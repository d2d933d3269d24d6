import PlumblineModel
import PlumblineVerification

/// A floor plan as an ASCII DXF of AutoCAD's release 12, in meters: walls, unseen parts dashed, the cut surface,
/// dimensions with ±, texts, each on a layer of its own.
///
/// Dimensions have the blocks that release 12 needs to show them. Texts are ASCII: `%%p` is ±.
/// - Source: AutoCAD Release 12 Customization Manual, chapter 11, Drawing Interchange File.
struct FloorPlanDXF {
  /// The height of texts and the distance of dimensions from walls, in meters.
  private static let textHeight = 0.08
  private static let dimensionDistance = 0.4

  private let plan: FloorPlan
  private let title: String

  init(_ plan: FloorPlan, title: String) {
    self.plan = plan
    self.title = title
  }

  /// A dimension and where it stands.
  private struct Dimension {
    let name: String
    let start: SIMD2<Double>
    let end: SIMD2<Double>
    let lineStart: SIMD2<Double>
    let lineEnd: SIMD2<Double>
    let text: SIMD2<Double>
    let along: SIMD2<Double>
    let words: String
  }

  /// The file.
  var bytes: [UInt8] {
    let dimensions = dimensions
    var groups: [(Int, String)] = [
      (999, "Floor plan of \(Self.ascii(title)), unit meter"),
      (0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (9, "$LUNITS"), (70, "2"),
      (9, "$DIMASO"), (70, "1"), (0, "ENDSEC"),
    ]
    groups += Self.tables
    groups += [(0, "SECTION"), (2, "BLOCKS")]
    for dimension in dimensions { groups += block(dimension) }
    groups += [(0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    for line in plan.section where line.points.count > 1 {
      let ends = line.isClosed ? line.points + [line.points[0]] : line.points
      for (a, b) in zip(ends, ends.dropFirst()) { groups += Self.line(a, b, "SECTION") }
    }
    for (index, room) in plan.rooms.enumerated() {
      for part in room.sides.flatMap(PlanText.parts) {
        groups += Self.line(part.from, part.to, part.isSeen ? "WALLS" : "INVENTED")
      }
      let middle = PlanText.middle(room)
      for (row, words) in PlanText.lines(room, at: index, plan).enumerated() {
        groups += Self.text(
          words, middle - [0, Double(row) * 1.6 * Self.textHeight], along: [1, 0], "TEXT")
      }
    }
    for dimension in dimensions { groups += Self.entity(dimension) }
    groups += [(0, "ENDSEC"), (0, "EOF")]
    return groups.flatMap { Array("\($0.0)\n\($0.1)\n".utf8) }
  }

  private static let tables: [(Int, String)] = {
    var groups: [(Int, String)] = [
      (0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LTYPE"), (70, "2"),
      (0, "LTYPE"), (2, "CONTINUOUS"), (70, "0"), (3, "Solid line"), (72, "65"), (73, "0"),
      (40, "0.0"), (0, "LTYPE"), (2, "DASHED"), (70, "0"), (3, "__ __ __"), (72, "65"),
      (73, "2"), (40, "0.15"), (49, "0.1"), (49, "-0.05"), (0, "ENDTAB"), (0, "TABLE"),
      (2, "LAYER"), (70, "5"),
    ]
    for (name, color, type) in [
      ("WALLS", 7, "CONTINUOUS"), ("INVENTED", 1, "DASHED"), ("SECTION", 5, "CONTINUOUS"),
      ("DIMENSIONS", 8, "CONTINUOUS"), ("TEXT", 7, "CONTINUOUS"),
    ] {
      groups += [(0, "LAYER"), (2, name), (70, "0"), (62, "\(color)"), (6, type)]
    }
    return groups + [
      (0, "ENDTAB"), (0, "TABLE"), (2, "STYLE"), (70, "1"), (0, "STYLE"), (2, "STANDARD"),
      (70, "0"), (40, "0.0"), (41, "1.0"), (50, "0.0"), (71, "0"), (42, "0.2"), (3, "txt"),
      (4, ""), (0, "ENDTAB"), (0, "TABLE"), (2, "DIMSTYLE"), (70, "1"), (0, "DIMSTYLE"),
      (2, "STANDARD"), (70, "0"), (140, "0.08"), (41, "0.06"), (0, "ENDTAB"), (0, "ENDSEC"),
    ]
  }()

  private var dimensions: [Dimension] {
    var found: [Dimension] = []
    for side in plan.rooms.flatMap(\.sides) {
      let line = side.end - side.start
      let length = (line * line).sum().squareRoot()
      guard length > 0.05 else { continue }
      let along = line / length
      // The room is on the left.
      let outside = SIMD2(along.y, -along.x)
      let shift = outside * Self.dimensionDistance
      let isSteep = abs(along.x) < 0.34
      let flips = isSteep ? along.y < 0 : along.x < 0
      found.append(
        Dimension(
          name: "*D\(found.count + 1)", start: side.start, end: side.end,
          lineStart: side.start + shift, lineEnd: side.end + shift,
          text: (side.start + side.end) / 2 + shift + outside * Self.textHeight,
          along: flips ? -along : along, words: PlanText.length(side.length)))
    }
    return found
  }

  private func block(_ dimension: Dimension) -> [(Int, String)] {
    let layer = "DIMENSIONS"
    return [
      (0, "BLOCK"), (8, layer), (2, dimension.name), (70, "1"), (10, "0.0"), (20, "0.0"),
      (30, "0.0"), (3, dimension.name), (1, ""),
    ]
      + Self.line(dimension.lineStart, dimension.lineEnd, layer)
      + Self.line(dimension.start, dimension.lineStart, layer)
      + Self.line(dimension.end, dimension.lineEnd, layer)
      + Self.text(dimension.words, dimension.text, along: dimension.along, layer)
      + [(0, "ENDBLK"), (8, layer)]
  }

  private static func entity(_ dimension: Dimension) -> [(Int, String)] {
    [(0, "DIMENSION"), (8, "DIMENSIONS"), (2, dimension.name), (3, "STANDARD")]
      + point(10, dimension.lineEnd) + point(11, dimension.text) + [(70, "1")]
      + [(1, ascii(dimension.words))] + point(13, dimension.start) + point(14, dimension.end)
  }

  private static func line(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ layer: String
  ) -> [(Int, String)] {
    [(0, "LINE"), (8, layer)] + point(10, a) + point(11, b)
  }

  private static func text(
    _ words: String, _ place: SIMD2<Double>, along: SIMD2<Double>, _ layer: String
  ) -> [(Int, String)] {
    [(0, "TEXT"), (8, layer)] + point(10, place)
      + [(40, number(textHeight)), (1, ascii(words)), (50, number(FloorPlan.degrees(of: along)))]
      // Centered both ways on the second point.
      + [(72, "1"), (73, "2")] + point(11, place)
  }

  private static func point(_ code: Int, _ place: SIMD2<Double>) -> [(Int, String)] {
    [(code, number(place.x)), (code + 10, number(place.y)), (code + 20, "0.0")]
  }

  /// Six decimals: a micrometer.
  private static func number(_ value: Double) -> String {
    value.fixed(6).replacing("−", with: "-")
  }

  private static func ascii(_ text: String) -> String {
    let signs: [Character: String] = ["±": "%%p", "²": "2", "−": "-"]
    return printable(text: text).map { character in
      signs[character] ?? (character.isASCII ? String(character) : "?")
    }.joined()
  }
}
