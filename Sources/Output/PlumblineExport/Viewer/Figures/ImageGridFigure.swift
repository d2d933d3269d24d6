package import PlumblineModel

/// A grid over the image with the number of observations in each cell, and an arrow.
package struct ImageGridFigure: Sendable {
  /// One cell.
  package struct Cell: Sendable {
    /// The number of observations.
    package var count: Int
    /// The arrow in pixels of the image; zero for none.
    package var arrow: SIMD2<Double>
    /// A number to display instead of the count; `nil` for none.
    package var value: Double?

    /// Creates a cell.
    package init(count: Int, arrow: SIMD2<Double> = .zero, value: Double? = nil) {
      self.count = count
      self.arrow = arrow
      self.value = value
    }
  }

  /// The size of the image.
  package var imageSize: RasterSize
  /// The number of cells in a row.
  package var columns: Int
  /// The cells, row after row.
  package var cells: [Cell]
  /// Whether arrows are drawn; otherwise the counts are.
  package var showsArrows: Bool
  /// The meaning of the cells' values, displayed below; `nil` if counts or arrows are shown.
  package var valueCaption: String?

  /// Creates a figure.
  ///
  /// - Precondition: There is a cell, and the rows are full.
  package init(
    imageSize: RasterSize, columns: Int, cells: [Cell], showsArrows: Bool,
    valueCaption: String? = nil
  ) {
    precondition(
      columns > 0 && !cells.isEmpty && cells.count % columns == 0,
      "\(cells.count) cells in rows of \(columns)")
    self.imageSize = imageSize
    self.columns = columns
    self.cells = cells
    self.showsArrows = showsArrows
    self.valueCaption = valueCaption
  }

  /// The drawing: the shade of a cell represents the number of corners in it.
  func markup(label: String) -> String {
    let width = 416.0
    let height = min(600, width / max(imageSize.aspectRatio, 0.1))
    var canvas = SVGCanvas(width: 440, height: height + 52)
    let rows = cells.count / columns
    let cell = SIMD2(width / Double(columns), height / Double(rows))
    let most = Double(max(cells.map(\.count).max() ?? 1, 1))
    canvas.rectangle([12, 12], [width, height], "frame")
    if let valueCaption {
      drawValues(on: &canvas, cell: cell)
      canvas.text(valueCaption, [12, height + 34], "tick")
      return canvas.markup(label: label)
    }
    for (index, entry) in cells.enumerated() where entry.count > 0 {
      let corner = SIMD2(
        12 + Double(index % columns) * cell.x, 12 + Double(index / columns) * cell.y)
      let shade = showsArrows ? 0.12 : 0.12 + 0.5 * (Double(entry.count) / most).squareRoot()
      canvas.rectangle(corner + 0.5, cell - 1, "heat", opacity: shade)
      if !showsArrows {
        canvas.text("\(entry.count)", corner + cell / 2 + SIMD2(0, 4), "count middle")
      }
    }
    if showsArrows {
      drawArrows(on: &canvas, cell: cell, at: height)
    } else {
      canvas.text("number of corners seen in each part of the image", [12, height + 34], "tick")
    }
    return canvas.markup(label: label)
  }

  /// Draws the values of the cells, darker for larger values; cells without observations have a
  /// star.
  private func drawValues(on canvas: inout SVGCanvas, cell: SIMD2<Double>) {
    let largest = max(cells.compactMap(\.value).filter(\.isFinite).max() ?? 0, 1e-3)
    for (index, entry) in cells.enumerated() {
      guard let value = entry.value, value.isFinite else { continue }
      let corner = SIMD2(
        12 + Double(index % columns) * cell.x, 12 + Double(index / columns) * cell.y)
      canvas.rectangle(
        corner + 0.5, cell - 1, "heat", opacity: 0.06 + 0.54 * min(1, value / largest))
      let text = value < 9.995 ? value.fixed(2) : value.fixed(0)
      canvas.text(
        entry.count > 0 ? text : text + "*", corner + cell / 2 + SIMD2(0, 4), "count middle")
    }
  }

  /// Draws arrows, scaled so that the longest nearly spans a cell and stays within the margin, and
  /// an arrow of a round length as scale.
  private func drawArrows(on canvas: inout SVGCanvas, cell: SIMD2<Double>, at height: Double) {
    // The mean of one or two corners is mostly noise.
    let shown = cells.map { cell in
      let isDrawn = cell.count >= 3 && abs(cell.arrow.x) < 1e6 && abs(cell.arrow.y) < 1e6
      return isDrawn ? cell : Cell(count: cell.count, arrow: .zero)
    }
    let arrows = ArrowScale(shown.map(\.arrow), cell: cell)
    for (index, entry) in shown.enumerated() where entry.count > 0 {
      let center = SIMD2(
        12 + (Double(index % columns) + 0.5) * cell.x, 12 + (Double(index / columns) + 0.5) * cell.y
      )
      arrows.draw(entry.arrow, at: center, on: &canvas)
    }
    arrows.drawLegend(at: [12, height + 30], on: &canvas)
  }
}
