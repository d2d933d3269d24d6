import PlumblineModel

/// Two sets of samples on one axis, with their medians.
package struct HistogramFigure: Sendable {
  /// One set.
  package struct Series: Sendable {
    /// The name, in a few words.
    package var name: String
    /// The samples; non-finite ones are ignored.
    package var samples: [Double]
    /// The median to mark.
    package var median: Double
    /// Whether this is the better set.
    package var isMain: Bool

    /// Creates a set.
    package init(name: String, samples: [Double], median: Double, isMain: Bool) {
      self.name = name
      self.samples = samples
      self.median = median
      self.isMain = isMain
    }
  }

  /// The sets.
  package var series: [Series]
  /// The unit of the samples.
  package var unit: String

  /// Creates a figure.
  package init(series: [Series], unit: String) {
    self.series = series
    self.unit = unit
  }

  /// The drawing: bars for each set, a line at 0 and at each median.
  func markup(label: String) -> String {
    var canvas = SVGCanvas(width: 440, height: 260)
    let bottom = 218.0
    let top = 14 + 20 * Double(series.count)
    let all = series.flatMap(\.samples).filter(\.isFinite)
    // The axis ignores the lowest and highest 1 %, so that outliers do not compress all others.
    let sorted = all.sorted()
    let cut = sorted.count / 100
    let axis = FigureAxis(
      holding: Array(sorted.dropFirst(cut).dropLast(cut)) + [0], from: 12, to: 428, ticks: 7)
    for tick in axis.ticks {
      canvas.line([axis.place(tick), bottom], [axis.place(tick), bottom + 5], "grid")
      canvas.text(tick.fixed(axis.decimals), [axis.place(tick), bottom + 20], "tick middle")
    }
    canvas.text(unit, [428, bottom + 36], "tick end")
    let binCount = 52
    let width = (axis.span.to - axis.span.from) / Double(binCount)
    for (index, set) in series.enumerated() {
      var bins = [Int](repeating: 0, count: binCount)
      for sample in set.samples where sample.isFinite && axis.range.contains(sample) {
        let bin = Int((axis.place(sample) - axis.span.from) / width)
        bins[min(max(bin, 0), binCount - 1)] += 1
      }
      let style = set.isMain ? "main" : "bad"
      let tallest = Double(max(bins.max() ?? 1, 1))
      for (bin, count) in bins.enumerated() where count > 0 {
        let height = Double(count) / tallest * (bottom - top - 10)
        canvas.rectangle(
          [axis.span.from + Double(bin) * width, bottom - height], [width - 0.6, height],
          "bar \(style)")
      }
      canvas.line(
        [axis.place(set.median), top], [axis.place(set.median), bottom], "median \(style)")
      let y = 16 + 20 * Double(index)
      canvas.rectangle([12, y - 9], [10, 10], "bar \(style)")
      canvas.text(set.name, [28, y], "name")
    }
    canvas.line([12, bottom], [428, bottom], "axis")
    canvas.line([axis.place(0), top], [axis.place(0), bottom], "reference")
    return canvas.markup(label: label)
  }
}
