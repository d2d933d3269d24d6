import PlumblineModel

/// How long arrows of pixels are drawn, and how dark cells with them are.
struct ArrowScale {
  /// The length of the longest vector in pixels of the image, at least a thousandth.
  let longest: Double
  /// Units of the drawing for each pixel.
  private let unitsPerPixel: Double

  /// The scale by which the longest vector nearly spans a cell of the drawing and stays within the
  /// margin.
  init(_ vectors: [SIMD2<Double>], cell: SIMD2<Double>) {
    let lengths = vectors.filter(Self.isDrawable).map { ($0 * $0).sum().squareRoot() }
    longest = max(lengths.max() ?? 0, 1e-3)
    unitsPerPixel = 0.8 * min(cell.x, cell.y) / longest
  }

  /// Whether a vector is one that can be drawn: finite and no longer than any image.
  static func isDrawable(_ vector: SIMD2<Double>) -> Bool {
    abs(vector.x) < 1e6 && abs(vector.y) < 1e6
  }

  /// The opacity of a cell by its vector.
  func shade(of vector: SIMD2<Double>) -> Double {
    Self.shade(ofShare: (vector * vector).sum().squareRoot() / longest)
  }

  /// The opacity of a cell by its share of the longest vector, 0 to 1.
  static func shade(ofShare share: Double) -> Double { 0.06 + 0.54 * min(1, share) }

  /// Draws a vector from a dot.
  func draw(_ vector: SIMD2<Double>, at start: SIMD2<Double>, on canvas: inout SVGCanvas) {
    canvas.line(start, start + vector * unitsPerPixel, "arrow")
    canvas.dot(start, radius: 2, "other")
  }

  /// Draws an arrow of a round length with its text, about as long as the longest.
  func drawLegend(at start: SIMD2<Double>, on canvas: inout SVGCanvas) {
    guard longest >= 0.01 else {
      canvas.text("no arrow is as long as 0.01 px", start + SIMD2(0, 4), "tick")
      return
    }
    let unit = Self.roundLength(upTo: longest)
    canvas.line(start, start + SIMD2(unit * unitsPerPixel, 0), "arrow")
    canvas.text(
      "\(Self.text(unit)) px; the longest is \(Self.text(longest)) px",
      start + SIMD2(8 + unit * unitsPerPixel, 4), "tick")
  }

  /// A length with the decimals that it needs.
  static func text(_ length: Double) -> String { length.fixed(length < 9.995 ? 2 : 1) }

  /// The largest of 1, 2 and 5 times a power of ten that is no longer than a length.
  ///
  /// - Precondition: The length is from 0.01 to 1e9.
  private static func roundLength(upTo length: Double) -> Double {
    var power = 0.01
    while power * 10 <= length { power *= 10 }
    return [5.0, 2, 1].map { $0 * power }.first { $0 <= length } ?? power
  }
}
