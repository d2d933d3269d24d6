/// A triangle on a grid of pixels, with corners rounded to 1/256 of a pixel.
///
/// Whole numbers make coverage exact: a pixel whose center lies on the common edge of two triangles
/// belongs to exactly one of them.
///
/// - Source: J. Pineda, *A parallel algorithm for polygon rasterization*, SIGGRAPH 1988.
struct ScreenTriangle {
  private static let fraction = 256.0
  /// The largest coordinate; with larger ones the products below could overflow: 2 · (2²¹ · 256 · 2)² is 2⁶¹.
  private static let farthest = Double(1 << 21)

  private let columns: ClosedRange<Int>
  private let rows: ClosedRange<Int>
  /// One over twice the area, in the unit of the edge functions.
  private let scale: Double
  private let first: EdgeFunction
  private let second: EdgeFunction
  private let third: EdgeFunction
  /// Whether the corners run counter-clockwise seen by a viewer (`y` runs down).
  let isCounterclockwise: Bool

  /// The position of a triangle relative to the grid.
  enum Placement {
    /// On no pixel: beyond the grid, or without area.
    case nowhere
    /// Too far beyond the grid to be computed with.
    case tooFar
    case onGrid(ScreenTriangle)
  }

  /// Places corners, in pixels with centers at whole numbers, on a grid.
  static func placed(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, width: Int, height: Int
  ) -> Placement {
    let low = SIMD2(min(a.x, min(b.x, c.x)), min(a.y, min(b.y, c.y)))
    let high = SIMD2(max(a.x, max(b.x, c.x)), max(a.y, max(b.y, c.y)))
    // A NaN fails every one of these comparisons.
    guard low.x >= -farthest, low.y >= -farthest, high.x <= farthest, high.y <= farthest else {
      return .tooFar
    }
    let (p, q, r) = (snapped(a), snapped(b), snapped(c))
    // Shifts round down, also below 0.
    let left = max(0, (min(p.x, min(q.x, r.x)) + 255) >> 8)
    let right = min(width - 1, max(p.x, max(q.x, r.x)) >> 8)
    let top = max(0, (min(p.y, min(q.y, r.y)) + 255) >> 8)
    let bottom = min(height - 1, max(p.y, max(q.y, r.y)) >> 8)
    guard left <= right, top <= bottom else { return .nowhere }
    let doubled = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    guard doubled != 0 else { return .nowhere }
    let sign = doubled > 0 ? 1 : -1
    return .onGrid(
      ScreenTriangle(
        columns: left...right, rows: top...bottom, scale: 1 / Double(abs(doubled)),
        first: EdgeFunction(from: q, to: r, sign: sign),
        second: EdgeFunction(from: r, to: p, sign: sign),
        third: EdgeFunction(from: p, to: q, sign: sign), isCounterclockwise: doubled < 0))
  }

  /// Calls the closure for each pixel whose center is inside, row after row, with the weights of the second
  /// and the third corner; the weight of the first is the rest to 1.
  @inline(__always)
  func forEachPixel(_ body: (_ x: Int, _ y: Int, _ second: Float, _ third: Float) -> Void) {
    for y in rows {
      var e1 = first.value(x: columns.lowerBound, y: y)
      var e2 = second.value(x: columns.lowerBound, y: y)
      var e3 = third.value(x: columns.lowerBound, y: y)
      for x in columns {
        // The pixel is outside if one of the three has its sign bit set, after the rule for edges is applied.
        if (e1 &- first.outside) | (e2 &- second.outside) | (e3 &- third.outside) >= 0 {
          body(x, y, Float(Double(e2) * scale), Float(Double(e3) * scale))
        }
        e1 &+= first.step
        e2 &+= second.step
        e3 &+= third.step
      }
    }
  }

  /// Rounds to 1/256 of a pixel: above 0, what comes after the point is cut off, without a call of
  /// the system's rounding for each corner.
  private static func snapped(_ point: SIMD2<Double>) -> SIMD2<Int> {
    let lift = 1 << 30
    let lifted = point * fraction + (Double(lift) + 0.5)
    return SIMD2(Int(lifted.x) - lift, Int(lifted.y) - lift)
  }

  /// Twice the area to the inner side of an edge: above 0 inside.
  private struct EdgeFunction {
    private let start: SIMD2<Int>
    private let along: SIMD2<Int>
    /// What the value grows by from one column to the next.
    let step: Int
    /// 0 where a pixel on the edge belongs to this triangle, else 1.
    let outside: Int

    init(from start: SIMD2<Int>, to end: SIMD2<Int>, sign: Int) {
      self.start = start
      along = SIMD2((end.x - start.x) * sign, (end.y - start.y) * sign)
      step = -along.y * 256
      // Left edges and horizontal upper edges own their pixels; in the neighbor the edge is reversed.
      outside = along.y < 0 || (along.y == 0 && along.x > 0) ? 0 : 1
    }

    func value(x: Int, y: Int) -> Int {
      along.x * (y * 256 - start.y) - along.y * (x * 256 - start.x)
    }
  }
}
