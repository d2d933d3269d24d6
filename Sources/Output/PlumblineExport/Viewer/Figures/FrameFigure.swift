import PlumblineModel

/// A number of each frame of a recording over the frames, and below it what became of each frame.
package struct FrameFigure: Sendable {
  /// What became of a frame, for its color.
  package enum Tone: Int, Sendable {
    /// As it should.
    case good
    /// By a weaker way.
    case weak
    /// It is not part of the result.
    case lost
  }

  /// One frame.
  package struct Frame: Sendable {
    /// The number; `nil` where the frame has none.
    package var value: Double?
    /// What became of it.
    package var tone: Tone

    /// Creates a frame.
    package init(value: Double?, tone: Tone) {
      self.value = value
      self.tone = tone
    }
  }

  /// The frames in their order.
  package var frames: [Frame]
  /// The name of the numbers, with their unit.
  package var verticalName: String
  /// The names of the three tones.
  package var toneNames: [String]

  /// More frames than these are drawn together, the worst of each group: a drawing has 380 columns.
  private static let columnCount = 380

  /// Creates a figure.
  ///
  /// - Precondition: A name for each tone.
  package init(frames: [Frame], verticalName: String, toneNames: [String]) {
    precondition(toneNames.count == 3, "\(toneNames.count) names for three tones")
    self.frames = frames
    self.verticalName = verticalName
    self.toneNames = toneNames
  }

  /// The drawing; O(*n*).
  func markup(label: String) -> String {
    var canvas = SVGCanvas(width: 440, height: 286)
    let (top, bottom, ribbon) = (46.0, 196.0, 204.0)
    let columns = self.columns
    let values = columns.compactMap(\.value)
    let up = FigureAxis(holding: values + [0], from: bottom, to: top)
    let width = 380 / Double(max(columns.count, 1))
    for tick in up.ticks where tick >= 0 {
      canvas.line([48, up.place(tick)], [428, up.place(tick)], "grid")
      canvas.text(tick.fixed(up.decimals), [42, up.place(tick) + 4], "tick end")
    }
    canvas.text(verticalName, [12, 18], "tick")
    var line: [SIMD2<Double>] = []
    for (index, column) in columns.enumerated() {
      let x = 48 + (Double(index) + 0.5) * width
      if let value = column.value { line.append([x, up.place(value)]) }
      let ends = column.value == nil || index == columns.count - 1
      guard ends, !line.isEmpty else { continue }
      // A frame alone has no line.
      if line.count == 1 { canvas.dot(line[0], radius: 2, "main") }
      canvas.path(line, "track main")
      line = []
    }
    drawRibbon(of: columns, width: width, y: ribbon, on: &canvas)
    canvas.text("0", [48, ribbon + 32], "tick")
    canvas.text("frame \(max(frames.count - 1, 0))", [428, ribbon + 32], "tick end")
    drawLegend(y: ribbon + 64, on: &canvas)
    return canvas.markup(label: label)
  }

  /// The frames, or groups of them with their largest number and their worst tone.
  private var columns: [Frame] {
    guard frames.count > Self.columnCount else { return frames }
    return (0..<Self.columnCount).map { column in
      let group = frames[
        column * frames.count / Self.columnCount..<(column + 1) * frames.count / Self.columnCount]
      let worst = group.map(\.tone.rawValue).max() ?? 0
      return Frame(value: group.compactMap(\.value).max(), tone: Tone(rawValue: worst) ?? .good)
    }
  }

  private func drawRibbon(
    of columns: [Frame], width: Double, y: Double, on canvas: inout SVGCanvas
  ) {
    var start = 0
    for index in columns.indices
    where index == columns.count - 1 || columns[index + 1].tone != columns[index].tone {
      canvas.rectangle(
        [48 + Double(start) * width, y], [Double(index + 1 - start) * width, 12],
        Self.style(of: columns[index].tone))
      start = index + 1
    }
  }

  private func drawLegend(y: Double, on canvas: inout SVGCanvas) {
    for (index, name) in toneNames.enumerated() {
      guard let tone = Tone(rawValue: index) else { continue }
      let x = 12 + 140 * Double(index)
      canvas.rectangle([x, y - 9], [10, 10], Self.style(of: tone))
      canvas.text(name, [x + 16, y], "name")
    }
  }

  private static func style(of tone: Tone) -> String {
    switch tone {
    case .good: "bar main"
    case .weak: "bar weak"
    case .lost: "bar lost"
    }
  }
}
