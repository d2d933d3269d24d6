package import PlumblineModel

/// An error of depth that neighboring pixels and successive frames share, so that no mean of them lowers it.
///
/// A share of the depth, normally distributed at each pixel and moment: random values at every eighth of the
/// map's width and every second, mixed between them by weights whose squares add up to 1. Pixels a quarter of
/// the width apart, and moments two seconds apart, are independent.
package struct SlowNoise: Hashable, Sendable {
  /// One standard deviation, as a share of the depth; 0.004 was measured of LiDAR.
  ///
  /// - Source: Where frames of one recording overlap; `Documentation/scan.md`.
  package var share: Double
  /// The seed of the recording.
  package var seed: UInt64

  /// Knots of the field across the map.
  static let patches = 8
  /// Seconds between knots in time.
  static let seconds = 1.0

  /// Creates the noise of a recording.
  package init(share: Double, seed: UInt64) {
    self.share = share
    self.seed = seed
  }

  /// The map of a moment with this error; equal moments give equal errors; O(*n*).
  package func applied(to map: DisparityMap, atSeconds seconds: Double) -> DisparityMap {
    let size = map.size
    let pixels = Double(size.width) / Double(Self.patches)
    let rows = Int((Double(size.height) / pixels).rounded(.up)) + 1
    let knot = (seconds / Self.seconds).rounded(.down)
    let later = seconds / Self.seconds - knot
    let (first, second) = (values(atKnot: Int64(knot), rows), values(atKnot: Int64(knot) + 1, rows))
    let whole = Self.length(1 - later, later)
    let field = zip(first, second).map { ($0 * (1 - later) + $1 * later) / whole }
    let columns = Self.patches + 1
    return DisparityMap(
      inverseMeters: Raster(size: size) { x, y in
        let (u, v) = ((Double(x) + 0.5) / pixels, (Double(y) + 0.5) / pixels)
        let (column, row) = (Int(u), Int(v))
        let (right, below) = (u - Double(column), v - Double(row))
        let place = row * columns + column
        let top = field[place] * (1 - right) + field[place + 1] * right
        let bottom = field[place + columns] * (1 - right) + field[place + columns + 1] * right
        let value =
          (top * (1 - below) + bottom * below)
          / (Self.length(1 - right, right) * Self.length(1 - below, below))
        return map.inverseMeters[x, y] / Float(1 + share * value)
      })
  }

  private static func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }

  /// The random values of one moment, row after row.
  private func values(atKnot knot: Int64, _ rows: Int) -> [Double] {
    var generator = SeededGenerator(
      seed: seed ^ 0x5107 &+ UInt64(bitPattern: knot) &* 0xd134_2543_de82_ef95)
    return (0..<(Self.patches + 1) * rows).map { _ in generator.gaussian() }
  }
}
