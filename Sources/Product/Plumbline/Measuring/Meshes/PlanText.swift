import PlumblineModel
import PlumblineVerification

/// The numbers of a plan in words, and what both drawings of it share.
struct PlanText {
  /// A length such as `3.512 ± 0.008 m`, `3.51 m ± unknown` without a ±.
  static func length(_ value: MeasuredValue) -> String { number(value, "m") }

  /// An area such as `18.42 ± 0.07 m²`.
  static func area(_ value: MeasuredValue) -> String { number(value, "m²") }

  private static func number(_ value: MeasuredValue, _ unit: String) -> String {
    guard let sigma = value.sigma, sigma > 0 else {
      return "\(value.value.fixed(2)) \(unit) ± unknown"
    }
    let decimals = sigma < 0.0295 ? 3 : 2
    return
      "\(value.value.fixed(decimals)) ± \(max(sigma, decimals == 3 ? 0.001 : 0.01).fixed(decimals)) \(unit)"
  }

  /// The lines of text in the middle of a room.
  static func lines(_ room: FloorPlan.Room, at index: Int, _ plan: FloorPlan) -> [String] {
    var lines = plan.rooms.count > 1 ? ["Room \(index + 1)"] : []
    lines.append("area " + area(room.area))
    if let ceiling = plan.ceilingHeight { lines.append("ceiling " + length(ceiling)) }
    return lines
  }

  /// A place inside a room for its text: the middle of its widest stretch at the middle height.
  static func middle(_ room: FloorPlan.Room) -> SIMD2<Double> {
    let heights = room.sides.map(\.start.y)
    guard let low = heights.min(), let high = heights.max() else { return .zero }
    var best = (width: -1.0, place: SIMD2<Double>(room.sides[0].start.x, low))
    for share in [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8] {
      let y = low + share * (high - low)
      let crossings = room.sides.compactMap { side -> Double? in
        guard (side.start.y <= y) != (side.end.y <= y) else { return nil }
        let part = (y - side.start.y) / (side.end.y - side.start.y)
        return side.start.x + part * (side.end.x - side.start.x)
      }.sorted()
      for index in stride(from: 0, to: crossings.count - 1, by: 2) {
        let width = crossings[index + 1] - crossings[index]
        // The middle height is preferred where it is nearly as wide.
        if width > 1.1 * best.width {
          best = (width, [(crossings[index] + crossings[index + 1]) / 2, y])
        }
      }
    }
    return best.place
  }

  /// The parts of a side, each seen or not, from its start.
  static func parts(_ side: FloorPlan.Side) -> [(
    from: SIMD2<Double>, to: SIMD2<Double>, isSeen: Bool
  )] {
    func place(_ share: Double) -> SIMD2<Double> { side.start + (side.end - side.start) * share }
    var parts: [(from: SIMD2<Double>, to: SIMD2<Double>, isSeen: Bool)] = []
    var at = 0.0
    // A gap of a few centimeters at a corner is what noise leaves, and no unseen wall.
    let least = side.length.value > 0 ? 0.08 / side.length.value : 1
    for stretch in side.seen.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if stretch.lowerBound - at > least {
        parts.append((place(at), place(stretch.lowerBound), false))
        at = stretch.lowerBound
      }
      let end = 1 - stretch.upperBound < least ? 1 : stretch.upperBound
      if end > at { parts.append((place(at), place(end), true)) }
      at = max(at, end)
    }
    if at < 1 { parts.append((place(at), place(1), false)) }
    return parts
  }
}
