import PlumblineModel

/// Several measurements of one number with their uncertainties, a reference and its tolerance.
package struct IntervalFigure: Sendable {
  /// One measurement.
  package struct Row: Sendable {
    /// The name of the measurement, in a few words.
    package var name: String
    /// The number.
    package var value: Double
    /// One standard deviation; `nil` for a given number.
    package var sigma: Double?
    /// A remark after the name, such as a root mean square.
    package var remark: String
    /// Whether the verdict is based on this row.
    package var isMain: Bool

    /// Creates a row.
    package init(
      name: String, value: Double, sigma: Double?, remark: String = "", isMain: Bool = false
    ) {
      self.name = name
      self.value = value
      self.sigma = sigma
      self.remark = remark
      self.isMain = isMain
    }
  }

  /// The rows from top to bottom.
  package var rows: [Row]
  /// The value to compare with; `nil` for none.
  package var reference: Double?
  /// The tolerance about the reference, as a fraction of it.
  package var toleranceShare: Double
  /// The unit of the numbers.
  package var unit: String

  /// Creates a figure.
  package init(rows: [Row], reference: Double?, toleranceShare: Double, unit: String) {
    self.rows = rows
    self.reference = reference
    self.toleranceShare = toleranceShare
    self.unit = unit
  }

  /// The drawing: each number and its ± as text, a dot, a thick bar for ± 1 σ and a thin one for ±
  /// 3 σ.
  func markup(label: String) -> String {
    let rows = rows.filter { $0.value.isFinite }
    let rowHeight = 46.0
    let bottom = 14 + rowHeight * Double(rows.count)
    var canvas = SVGCanvas(width: 440, height: bottom + 40)
    let ends = rows.flatMap { row -> [Double] in
      let reach = 3 * (row.sigma ?? 0)
      return [row.value - reach, row.value + reach]
    }
    let band =
      reference.map { value -> [Double] in
        [value * (1 - toleranceShare), value * (1 + toleranceShare)]
      } ?? []
    let axis = FigureAxis(holding: ends + band, from: 12, to: 428)
    if band.count == 2 {
      let left = axis.place(band[0])
      canvas.rectangle([left, 8], [axis.place(band[1]) - left, bottom - 8], "band")
    }
    for tick in axis.ticks {
      canvas.line([axis.place(tick), 8], [axis.place(tick), bottom], "grid")
      canvas.text(tick.fixed(axis.decimals), [axis.place(tick), bottom + 18], "tick middle")
    }
    if let reference {
      canvas.line([axis.place(reference), 8], [axis.place(reference), bottom], "reference")
    }
    canvas.text(unit, [428, bottom + 35], "tick end")
    for (index, row) in rows.enumerated() {
      let top = 14 + rowHeight * Double(index)
      let y = top + 32
      let style = row.sigma == nil ? "given" : row.isMain ? "main" : "other"
      let remark = row.remark.isEmpty ? "" : " · " + row.remark
      canvas.text(row.name + remark, [12, top + 14], row.isMain ? "name strong" : "name")
      // Bars can be shorter than their dot, so the number is written too.
      let plusMinus = row.sigma.map { " ± \($0.fixed(2))" } ?? ""
      canvas.text(
        row.value.fixed(2) + plusMinus, [428, top + 14], row.isMain ? "name strong end" : "name end"
      )
      if let sigma = row.sigma {
        canvas.line(
          [axis.place(row.value - 3 * sigma), y], [axis.place(row.value + 3 * sigma), y],
          "thin \(style)")
        canvas.line(
          [axis.place(row.value - sigma), y], [axis.place(row.value + sigma), y], "thick \(style)")
      }
      canvas.dot([axis.place(row.value), y], radius: 5, style)
    }
    return canvas.markup(label: label)
  }
}
