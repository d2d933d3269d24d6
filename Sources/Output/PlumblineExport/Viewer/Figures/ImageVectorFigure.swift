package import PlumblineModel

/// A grid over the image with a vector in each cell; cells with longer vectors are darker.
package struct ImageVectorFigure: Sendable {
  /// One cell.
  package struct Cell: Sendable {
    /// The vector in pixels of the image; `nil` for an empty cell.
    package var vector: SIMD2<Double>?
    /// Whether the vector is extrapolated, since nothing was measured there; a star marks such a
    /// cell.
    package var isExtrapolated: Bool

    /// Creates a cell.
    package init(vector: SIMD2<Double>?, isExtrapolated: Bool = false) {
      self.vector = vector
      self.isExtrapolated = isExtrapolated
    }
  }

  /// The size of the image.
  package var imageSize: RasterSize
  /// The number of cells in a row.
  package var columns: Int
  /// The cells, row after row.
  package var cells: [Cell]

  /// Creates a figure.
  ///
  /// - Precondition: There is a cell, and the rows are full.
  package init(imageSize: RasterSize, columns: Int, cells: [Cell]) {
    precondition(
      columns > 0 && !cells.isEmpty && cells.count % columns == 0,
      "\(cells.count) cells in rows of \(columns)")
    self.imageSize = imageSize
    self.columns = columns
    self.cells = cells
  }

  /// The drawing: cells, arrows, and below them an arrow of a round length and the shades.
  func markup(label: String) -> String {
    let width = 416.0
    let height = min(600, width / max(imageSize.aspectRatio, 0.1))
    let marks = self.marks
    var canvas = SVGCanvas(width: 440, height: height + (marks == nil ? 76 : 98))
    let cell = SIMD2(width / Double(columns), height / Double(cells.count / columns))
    let arrows = ArrowScale(cells.map { $0.vector ?? .zero }, cell: cell)
    let drawn = cells.enumerated().compactMap { index, entry in
      entry.vector.flatMap { vector in
        ArrowScale.isDrawable(vector)
          ? (
            vector: vector, isExtrapolated: entry.isExtrapolated,
            corner: SIMD2(Double(index % columns), Double(index / columns)) * cell + 12
          ) : nil
      }
    }
    canvas.rectangle([12, 12], [width, height], "frame")
    for entry in drawn {
      let shade = arrows.shade(of: entry.vector)
      canvas.rectangle(entry.corner + 0.5, cell - 1, "heat", opacity: shade)
    }
    // Arrows are drawn after all cells, and stars after the arrows, since some reach into the next
    // cell.
    for entry in drawn { arrows.draw(entry.vector, at: entry.corner + cell / 2, on: &canvas) }
    for entry in drawn where entry.isExtrapolated {
      canvas.text("*", entry.corner + SIMD2(cell.x - 6, 13), "name middle")
    }
    arrows.drawLegend(at: [12, height + 30], on: &canvas)
    drawShades(of: arrows, at: [12, height + 46], on: &canvas)
    if let marks { canvas.text(marks, [12, height + 82], "tick") }
    return canvas.markup(label: label)
  }

  /// The legend for stars and empty cells; `nil` if there are none.
  private var marks: String? {
    var words: [String] = []
    if cells.contains(where: \.isExtrapolated) { words.append("* no corner seen") }
    if cells.contains(where: { $0.vector == nil }) { words.append("empty: not in both images") }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// Draws five shades from zero length to the maximum.
  private func drawShades(
    of arrows: ArrowScale, at corner: SIMD2<Double>, on canvas: inout SVGCanvas
  ) {
    let step = 22.0
    canvas.text("0", corner + SIMD2(0, 12), "tick")
    for index in 0..<5 {
      canvas.rectangle(
        corner + SIMD2(14 + Double(index) * step, 0), [step, 14], "heat",
        opacity: ArrowScale.shade(ofShare: Double(index) / 4))
    }
    canvas.text(
      "\(ArrowScale.text(arrows.longest)) px", corner + SIMD2(14 + 5 * step + 8, 12), "tick")
  }
}

/// The scale of arrows and of cell shades.
struct ArrowScale {
  /// The length of the longest vector in pixels of the image, at least 0.001.
  let longest: Double
  /// Drawing units per pixel.
  private let unitsPerPixel: Double

  /// Creates a scale at which the longest vector nearly spans a cell and stays within the margin.
  init(_ vectors: [SIMD2<Double>], cell: SIMD2<Double>) {
    let lengths = vectors.filter(Self.isDrawable).map { ($0 * $0).sum().squareRoot() }
    longest = max(lengths.max() ?? 0, 1e-3)
    unitsPerPixel = 0.8 * min(cell.x, cell.y) / longest
  }

  /// Whether a vector can be drawn: it is finite and not longer than any image.
  static func isDrawable(_ vector: SIMD2<Double>) -> Bool {
    abs(vector.x) < 1e6 && abs(vector.y) < 1e6
  }

  /// The opacity of a cell for its vector.
  func shade(of vector: SIMD2<Double>) -> Double {
    Self.shade(ofShare: (vector * vector).sum().squareRoot() / longest)
  }

  /// The opacity of a cell for its fraction of the longest vector, 0 to 1.
  static func shade(ofShare share: Double) -> Double { 0.06 + 0.54 * min(1, share) }

  /// Draws a vector that starts at a dot.
  func draw(_ vector: SIMD2<Double>, at start: SIMD2<Double>, on canvas: inout SVGCanvas) {
    canvas.line(start, start + vector * unitsPerPixel, "arrow")
    canvas.dot(start, radius: 2, "other")
  }

  /// Draws an arrow of a round length with its text, about as long as the longest vector.
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

  /// A length with a suitable number of decimals.
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
