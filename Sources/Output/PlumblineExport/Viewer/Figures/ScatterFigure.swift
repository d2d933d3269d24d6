import PlumblineModel

/// Points of two sets on two axes, with a line at 0 and a tolerance band around it.
package struct ScatterFigure: Sendable {
  /// One set.
  package struct Series: Sendable {
    /// The name, in a few words.
    package var name: String
    /// The points; non-finite ones are ignored.
    package var points: [SIMD2<Double>]
    /// One standard deviation of each point, in the vertical unit; empty for none.
    package var sigmas: [Double]
    /// Whether this is the better set.
    package var isMain: Bool

    /// Creates a set.
    ///
    /// - Precondition: There are as many sigmas as points, or none.
    package init(name: String, points: [SIMD2<Double>], sigmas: [Double] = [], isMain: Bool) {
      precondition(sigmas.isEmpty || sigmas.count == points.count, "a sigma for each point")
      self.name = name
      self.points = points
      self.sigmas = sigmas
      self.isMain = isMain
    }
  }

  /// The sets.
  package var series: [Series]
  /// The name of the horizontal axis, with its unit.
  package var horizontalName: String
  /// The name of the vertical axis, with its unit.
  package var verticalName: String
  /// The tolerance about 0, in the vertical unit.
  package var tolerance: Double

  /// Creates a figure.
  package init(
    series: [Series], horizontalName: String, verticalName: String, tolerance: Double
  ) {
    self.series = series
    self.horizontalName = horizontalName
    self.verticalName = verticalName
    self.tolerance = tolerance
  }

  /// The drawing.
  func markup(label: String) -> String {
    var canvas = SVGCanvas(width: 440, height: 290)
    let bottom = 240.0
    // The name of the vertical axis is below the names of the sets.
    let top = 38 + 20 * Double(series.count)
    let sets = series.map { set in
      (set, set.points.indices.filter { set.points[$0].x.isFinite && set.points[$0].y.isFinite })
    }
    let points = sets.flatMap { set, indices in indices.map { set.points[$0] } }
    // A single point, or several at one position, still get an axis with a non-empty range.
    let middle = points.map(\.x).max() ?? 0
    let across = FigureAxis(
      holding: points.map(\.x) + (points.isEmpty ? [] : [middle * 0.95, middle * 1.02]),
      from: 48, to: 428)
    let up = FigureAxis(
      holding: points.map(\.y) + [-tolerance, tolerance], from: bottom, to: top)
    canvas.rectangle(
      [48, up.place(tolerance)], [380, up.place(-tolerance) - up.place(tolerance)], "band")
    for tick in up.ticks {
      canvas.line([48, up.place(tick)], [428, up.place(tick)], "grid")
      canvas.text(tick.fixed(up.decimals), [42, up.place(tick) + 4], "tick end")
    }
    for tick in across.ticks {
      canvas.line([across.place(tick), bottom], [across.place(tick), bottom + 5], "grid")
      canvas.text(tick.fixed(across.decimals), [across.place(tick), bottom + 20], "tick middle")
    }
    canvas.line([48, up.place(0)], [428, up.place(0)], "reference")
    canvas.text(verticalName, [12, top - 10], "tick")
    canvas.text(horizontalName, [428, bottom + 40], "tick end")
    for (index, (set, indices)) in sets.enumerated() {
      let style = set.isMain ? "main" : "bad"
      let y = 16 + 20 * Double(index)
      canvas.dot([17, y - 4], radius: 5, style)
      canvas.text(set.name, [28, y], "name")
      for index in indices {
        let point = set.points[index]
        if !set.sigmas.isEmpty, set.sigmas[index].isFinite {
          let sigma = set.sigmas[index]
          canvas.line(
            [across.place(point.x), up.place(point.y - sigma)],
            [across.place(point.x), up.place(point.y + sigma)], "thin \(style)")
        }
        canvas.dot([across.place(point.x), up.place(point.y)], radius: 4, style)
      }
    }
    return canvas.markup(label: label)
  }
}
