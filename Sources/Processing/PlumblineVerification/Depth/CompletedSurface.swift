import PlumblineModel
import PlumblineNumerics

/// How much of a LiDAR map lies on surfaces that are flatter than the sensor measures.
///
/// The scanner measures some 576 dots; a network of Apple's makes 256×192 depths of them and of the
/// color image. Between the dots nothing was measured, and what the network fills in is smooth: a
/// square of 16×16 pixels holds three dots and may deviate from a plane by less than a tenth of
/// what the same surface differs by in the next view. Such a square carries no more of the
/// surface's shape than its plane.
///
/// A square counts when no pixel is missing, depths vary by less than a fifth, and the root mean
/// square distance from its plane is below a fifth of the expected noise, while steps of stored
/// codes are too fine to explain it. Noise that is as smooth as the sensor's and as large as
/// expected makes at most 7 % of a plane flat, so that from 10 % on it is said.
/// - Source: `Documentation/sensors.md`, "Completed surfaces".
struct CompletedSurface: Hashable, Sendable {
  /// The side of a square at 256 columns, in pixels.
  static let side = 16
  /// The share of the expected noise below which a square is flatter than can be measured.
  static let flatness = 0.2
  /// From this share of the measured pixels on, something is said.
  static let leastShare = 0.1
  /// From this depth on, in meters, noise is above 1 cm, and a plane hides more than that.
  static let farMeters = 3.0

  /// The number of pixels in flat squares.
  private(set) var flatCount = 0
  /// Of these, the pixels beyond ``farMeters``.
  private(set) var farCount = 0
  /// The number of measured pixels of the map.
  private(set) var measuredCount = 0
  /// The median distance from the plane in flat squares, in meters.
  private(set) var planeRMSMeters = 0.0
  /// The noise that is expected there, in meters.
  private(set) var expectedMeters = 0.0
  /// The median depth of the flat squares, in meters.
  private(set) var medianMeters = 0.0
  /// The smallest rectangle of pixels that holds the flat squares: first and last column and row.
  private(set) var columns = 0...0
  /// See ``columns``.
  private(set) var rows = 0...0

  /// The share of the measured pixels that lie in flat squares, 0 to 1.
  var share: Double { measuredCount == 0 ? 0 : Double(flatCount) / Double(measuredCount) }
  /// The share of the measured pixels that lie in flat squares beyond ``farMeters``.
  var farShare: Double { measuredCount == 0 ? 0 : Double(farCount) / Double(measuredCount) }

  /// Looks for flat squares; O(*n*).
  ///
  /// - Parameters:
  ///   - depth: Meters.
  ///   - noise: The sensor's noise.
  ///   - quantization: That of the stored codes.
  init(_ depth: DepthMap, noise: SigmaCurve, quantization: SigmaCurve) {
    let map = depth.meters
    for y in 0..<map.height { for value in map.row(y) where value > 0 { measuredCount += 1 } }
    let side = max(Self.side * map.width / 256, 4)
    var flat: [(depth: Double, rms: Double, x: Int, y: Int)] = []
    for y in stride(from: 0, through: map.height - side, by: side) {
      for x in stride(from: 0, through: map.width - side, by: side) {
        guard let (meters, rms) = Self.plane(map, x: x, y: y, side: side) else { continue }
        let limit = Self.flatness * noise.sigmaMeters(atDepth: meters)
        guard rms < limit, quantization.sigmaMeters(atDepth: meters) < limit else { continue }
        flat.append((meters, rms, x, y))
      }
    }
    guard !flat.isEmpty else { return }
    flatCount = flat.count * side * side
    farCount = flat.count { $0.depth >= Self.farMeters } * side * side
    planeRMSMeters = flat.map(\.rms).upperMedian ?? .nan
    medianMeters = flat.map(\.depth).upperMedian ?? .nan
    expectedMeters = noise.sigmaMeters(atDepth: medianMeters)
    columns = Self.span(flat.map(\.x), side)
    rows = Self.span(flat.map(\.y), side)
  }

  private static func span(_ starts: [Int], _ side: Int) -> ClosedRange<Int> {
    let least = starts.min() ?? 0
    return least...max(least, (starts.max() ?? 0) + side - 1)
  }

  /// The mean depth of a square and its root mean square distance from a plane along the optical
  /// axis; `nil` with a missing pixel or an edge inside.
  private static func plane(
    _ map: Raster<Float>, x: Int, y: Int, side: Int
  ) -> (meters: Double, rms: Double)? {
    let middle = Double(side - 1) / 2
    var (sum, across, down, squares, meters) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (least, most) = (Float.infinity, Float(0))
    // A plane is a line of the disparity in columns and rows; around its mean, for small sums.
    let origin = 1 / Double(map[x, y])
    for row in 0..<side {
      for column in 0..<side {
        let z = map[x + column, y + row]
        guard z > 0, z < .infinity else { return nil }
        (least, most) = (min(least, z), max(most, z))
        let value = 1 / Double(z) - origin
        sum += value
        squares += value * value
        across += value * (Double(column) - middle)
        down += value * (Double(row) - middle)
        meters += Double(z)
      }
    }
    guard most < 1.2 * least else { return nil }
    let count = Double(side * side)
    // The sum of squared columns around their middle, for all rows.
    let spread = count * (Double(side * side) - 1) / 12
    let left =
      squares - sum * sum / count - across * across / spread - down * down / spread
    let mean = meters / count
    return (mean, mean * mean * (max(left, 0) / (count - 3)).squareRoot())
  }
}

extension CompletedSurface {
  /// That a large share of the map is flatter than it can have been measured; `nil` for a small
  /// one.
  var finding: Finding? {
    guard share >= Self.leastShare else { return nil }
    let isFar = farShare >= Self.leastShare
    let flatness = (planeRMSMeters * 1000).fixed(1)
    let expected = (expectedMeters * 1000).fixed(1)
    return Finding(
      .depthCompletedSurface, isFar ? .caution : .note,
      "\((share * 100).fixed(0)) % of the measured pixels lie on surfaces that are flatter than this "
        + "sensor measures: a network drew them between its dots"
        + (isFar
          ? ", \((farShare * 100).fixed(0)) % beyond \(Self.farMeters.fixed(0)) m as planes" : ""),
      effect: Finding.Effect(zMillimeters: expectedMeters * 1000),
      evidence: "\(flatness) mm from a plane at \(medianMeters.fixed(2)) m in the median, where "
        + "\(expected) mm are expected; columns \(columns.lowerBound)–\(columns.upperBound), rows "
        + "\(rows.lowerBound)–\(rows.upperBound)")
  }
}
