import PlumblineModel

/// Numbers along one side of a figure.
struct FigureAxis {
  /// The numbers at the two ends.
  let range: ClosedRange<Double>
  /// The positions of the two ends.
  let span: (from: Double, to: Double)
  /// The numbers that are written.
  let ticks: [Double]
  /// The number of decimals that they need.
  let decimals: Int

  /// An axis that holds all numbers, with about as many ticks as requested at round numbers.
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

  /// Where a number is drawn; those beyond an end are drawn at it.
  func place(_ number: Double) -> Double {
    let share =
      (min(max(number, range.lowerBound), range.upperBound) - range.lowerBound)
      / (range.upperBound - range.lowerBound)
    return span.from + share * (span.to - span.from)
  }
}
