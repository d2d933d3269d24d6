import PlumblineModel

/// An SVG drawing whose colors follow the page's theme.
///
/// Colors and strokes are classes of `figures.css`, so that the choice of a light or dark theme
/// applies to figures too. Coordinates have two decimals: the same numbers give the same bytes.
struct SVGCanvas {
  /// The width and height of the drawing in its own units; a text line is 13 units high.
  let size: SIMD2<Double>
  private var body = ""

  /// An empty drawing.
  init(width: Double, height: Double) { size = SIMD2(width, height) }

  /// The SVG element, with a description for screen readers.
  func markup(label: String) -> String {
    let name = String(decoding: Escaping.markup(label), as: UTF8.self)
    return "<svg class=\"figure\" viewBox=\"0 0 \(Self.number(size.x)) \(Self.number(size.y))\" "
      + "role=\"img\" aria-label=\"\(name)\">\(body)</svg>"
  }

  /// A straight line.
  mutating func line(_ from: SIMD2<Double>, _ to: SIMD2<Double>, _ style: String) {
    guard Self.isDrawable(from), Self.isDrawable(to) else { return }
    body +=
      "<line class=\"\(style)\" x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\" "
      + "x2=\"\(Self.number(to.x))\" y2=\"\(Self.number(to.y))\"/>"
  }

  /// A rectangle with a corner and a size.
  mutating func rectangle(
    _ corner: SIMD2<Double>, _ extent: SIMD2<Double>, _ style: String, opacity: Double? = nil
  ) {
    guard Self.isDrawable(corner), Self.isDrawable(extent) else { return }
    let fade = opacity.map { " fill-opacity=\"\(Self.number($0))\"" } ?? ""
    body +=
      "<rect class=\"\(style)\" x=\"\(Self.number(corner.x))\" y=\"\(Self.number(corner.y))\" "
      + "width=\"\(Self.number(max(0, extent.x)))\" height=\"\(Self.number(max(0, extent.y)))\""
      + "\(fade)/>"
  }

  /// A disk.
  mutating func dot(_ center: SIMD2<Double>, radius: Double, _ style: String) {
    guard Self.isDrawable(center) else { return }
    body +=
      "<circle class=\"\(style)\" cx=\"\(Self.number(center.x))\" cy=\"\(Self.number(center.y))\" "
      + "r=\"\(Self.number(radius))\"/>"
  }

  /// A polyline.
  mutating func path(_ points: [SIMD2<Double>], _ style: String) {
    guard let first = points.first, points.allSatisfy(Self.isDrawable) else { return }
    let rest = points.dropFirst().map { "L\(Self.number($0.x)) \(Self.number($0.y))" }
    body +=
      "<path class=\"\(style)\" d=\"M\(Self.number(first.x)) \(Self.number(first.y))"
      + rest.joined() + "\"/>"
  }

  /// A line of text; `style` may contain `start`, `middle` or `end`.
  mutating func text(_ text: String, _ place: SIMD2<Double>, _ style: String) {
    let content = String(decoding: Escaping.markup(text), as: UTF8.self)
    body +=
      "<text class=\"\(style)\" x=\"\(Self.number(place.x))\" y=\"\(Self.number(place.y))\">"
      + "\(content)</text>"
  }

  /// An image that fills a rectangle.
  mutating func image(jpeg: [UInt8], _ corner: SIMD2<Double>, _ extent: SIMD2<Double>) {
    body +=
      "<image x=\"\(Self.number(corner.x))\" y=\"\(Self.number(corner.y))\" "
      + "width=\"\(Self.number(extent.x))\" height=\"\(Self.number(extent.y))\" "
      + "preserveAspectRatio=\"none\" href=\"data:image/jpeg;base64,"
      + String(decoding: Base64.encoded(jpeg), as: UTF8.self) + "\"/>"
  }

  private static func isDrawable(_ point: SIMD2<Double>) -> Bool {
    abs(point.x) < 1e6 && abs(point.y) < 1e6
  }

  // SVG requires the ASCII minus sign.
  private static func number(_ value: Double) -> String {
    let text = value.fixed(2).replacing("−", with: "-")
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
  }
}

/// A numeric axis of a figure.
struct FigureAxis {
  /// The numbers at the two ends.
  let range: ClosedRange<Double>
  /// The positions of the two ends.
  let span: (from: Double, to: Double)
  /// The labeled numbers.
  let ticks: [Double]
  /// The number of decimals of the labels.
  let decimals: Int

  /// Creates an axis that contains all numbers, with about the requested count of ticks at round
  /// numbers.
  ///
  /// - Precondition: All numbers are finite.
  init(holding numbers: [Double], from: Double, to: Double, ticks wanted: Int = 5) {
    let low = numbers.min() ?? 0
    let high = numbers.max() ?? 1
    let extent = max(high - low, max(abs(low), abs(high)) * 1e-6, 1e-9)
    let padded = (low - extent * 0.06)...(high + extent * 0.06)
    var step = 1e-9
    var rung = 0
    // 1, 2, 5, 10, …: the usual round numbers.
    while (padded.upperBound - padded.lowerBound) / step > Double(wanted) {
      step *= rung % 3 == 1 ? 2.5 : 2
      rung += 1
    }
    let first = (padded.lowerBound / step).rounded(.up)
    let last = (padded.upperBound / step).rounded(.down)
    range = padded
    span = (from, to)
    ticks = first <= last ? stride(from: first, through: last, by: 1).map { $0 * step } : []
    decimals = step >= 0.999 ? 0 : step >= 0.0999 ? 1 : step >= 0.00999 ? 2 : 3
  }

  /// The position of a number; numbers beyond an end are clamped to it.
  func place(_ number: Double) -> Double {
    let share =
      (min(max(number, range.lowerBound), range.upperBound) - range.lowerBound)
      / (range.upperBound - range.lowerBound)
    return span.from + share * (span.to - span.from)
  }
}
