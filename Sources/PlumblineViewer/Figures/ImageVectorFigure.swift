public import PlumblineModel

/// A grid over the image with a vector in each cell: the darker the cell, the longer its vector.
public struct ImageVectorFigure: Sendable {
  /// One cell.
  public struct Cell: Sendable {
    /// The vector in pixels of the image; `nil` where there is none, which stays empty.
    public var vector: SIMD2<Double>?
    /// Whether nothing was measured there, so that the vector is extrapolated: marked by a star.
    public var isExtrapolated: Bool

    /// Creates a cell.
    public init(vector: SIMD2<Double>?, isExtrapolated: Bool = false) {
      self.vector = vector
      self.isExtrapolated = isExtrapolated
    }
  }

  /// The size of the image.
  public var imageSize: RasterSize
  /// The number of cells in a row.
  public var columns: Int
  /// The cells, row after row.
  public var cells: [Cell]

  /// Creates a figure.
  ///
  /// - Precondition: There is a cell, and the rows are full.
  public init(imageSize: RasterSize, columns: Int, cells: [Cell]) {
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
    // Arrows come after all cells, and stars after them, since some reach into the next cell.
    for entry in drawn { arrows.draw(entry.vector, at: entry.corner + cell / 2, on: &canvas) }
    for entry in drawn where entry.isExtrapolated {
      canvas.text("*", entry.corner + SIMD2(cell.x - 6, 13), "name middle")
    }
    arrows.drawLegend(at: [12, height + 30], on: &canvas)
    drawShades(of: arrows, at: [12, height + 46], on: &canvas)
    if let marks { canvas.text(marks, [12, height + 82], "tick") }
    return canvas.markup(label: label)
  }

  /// What stars and empty cells mean; `nil` where there are none.
  private var marks: String? {
    var words: [String] = []
    if cells.contains(where: \.isExtrapolated) { words.append("* no corner seen") }
    if cells.contains(where: { $0.vector == nil }) { words.append("empty: not in both images") }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// Five shades from no length to the longest.
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
