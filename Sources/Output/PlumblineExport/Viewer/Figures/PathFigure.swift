import PlumblineModel

/// Paths on a plane, such as those of a camera seen from above, with one scale for both directions.
package struct PathFigure: Sendable {
  /// One path.
  package struct Path: Sendable {
    /// Its name, in a few words.
    package var name: String
    /// Pieces that do not join, each of points in meters: to the right and upward.
    package var pieces: [[SIMD2<Double>]]
    /// Whether this is the better one.
    package var isMain: Bool

    /// Creates a path.
    package init(name: String, pieces: [[SIMD2<Double>]], isMain: Bool) {
      self.name = name
      self.pieces = pieces
      self.isMain = isMain
    }
  }

  /// The paths, the best one last, since later ones cover earlier ones.
  package var paths: [Path]

  /// More points than these are thinned: a drawing has 416 columns.
  private static let pointCount = 1000

  /// Creates a figure.
  package init(paths: [Path]) { self.paths = paths }

  /// The drawing, with a bar of a round length as its scale and a dot at the start; O(*n*).
  func markup(label: String) -> String {
    let points = paths.flatMap { $0.pieces.flatMap(\.self) }
    let low = points.reduce(SIMD2(repeating: Double.infinity)) { pointwiseMin($0, $1) }
    let high = points.reduce(SIMD2(repeating: -Double.infinity)) { pointwiseMax($0, $1) }
    let extent = points.isEmpty ? SIMD2<Double>.zero : high - low
    let legend = 12 + 20 * Double(paths.count)
    // Both directions have one scale; a narrow path leaves room beside it.
    let scale = min(
      416 / max(extent.x, 1e-3), 300 / max(extent.y, 1e-3), 416 / max(extent.x, extent.y, 0.05))
    let height = max(60, extent.y * scale)
    var canvas = SVGCanvas(width: 440, height: legend + height + 60)
    let origin = SIMD2(220 - extent.x * scale / 2, legend + 12)
    func place(_ point: SIMD2<Double>) -> SIMD2<Double> {
      [origin.x + (point.x - low.x) * scale, origin.y + (high.y - point.y) * scale]
    }
    for (index, path) in paths.enumerated() {
      let style = path.isMain ? "main" : "other"
      for piece in path.pieces {
        let step = max(1, piece.count / Self.pointCount)
        var drawn = stride(from: 0, to: piece.count, by: step).map { place(piece[$0]) }
        if let last = piece.last { drawn.append(place(last)) }
        canvas.path(drawn, "track \(style)")
      }
      let y = 16 + 20 * Double(index)
      canvas.line([12, y - 4], [28, y - 4], "thick \(style)")
      canvas.text(path.name, [36, y], "name")
    }
    if let start = paths.last?.pieces.first?.first {
      canvas.dot(place(start), radius: 5, "main")
    }
    drawScale(scale, y: legend + height + 40, on: &canvas)
    return canvas.markup(label: label)
  }

  private static let roundLengths = [
    1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002,
  ]

  private func drawScale(_ unitsPerMeter: Double, y: Double, on canvas: inout SVGCanvas) {
    let length = Self.roundLengths.first { $0 * unitsPerMeter <= 110 } ?? 0.001
    canvas.line([12, y - 4], [12 + length * unitsPerMeter, y - 4], "axis")
    let text = length >= 1 ? "\(length.fixed(0)) m" : "\((1000 * length).fixed(0)) mm"
    canvas.text("\(text); the dot is the start", [20 + length * unitsPerMeter, y], "tick")
  }
}

private func pointwiseMin(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
  [min(a.x, b.x), min(a.y, b.y)]
}

private func pointwiseMax(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
  [max(a.x, b.x), max(a.y, b.y)]
}
