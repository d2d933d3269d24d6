public import PlumblineModel

/// Depth as colors for the eye: red is near, blue is far, black is missing.
///
/// The range is fixed, so a preview does not flicker when something enters it.
public struct DepthColors: Sendable {
  /// What is red, in meters.
  public let nearMeters: Float
  /// What is blue, in meters.
  public let farMeters: Float

  /// Chooses a range.
  ///
  /// - Precondition: `0 < nearMeters < farMeters`, both finite.
  public init(nearMeters: Float, farMeters: Float) {
    precondition(
      nearMeters > 0 && nearMeters < farMeters && farMeters.isFinite,
      "\(nearMeters) to \(farMeters) m is no range")
    self.nearMeters = nearMeters
    self.farMeters = farMeters
  }

  /// The colors of a map, as it is stored; O(*n*).
  public func colors(of values: DepthRecord.Values) -> Raster<RGB8> {
    switch values {
    case .depth(let map): map.meters.map { color(ofMeters: $0) }
    case .range(let map): map.meters.map { color(ofMeters: $0) }
    case .disparity(let map): map.inverseMeters.map { color(ofMeters: 1 / $0) }
    }
  }

  /// The color of a depth; black for a missing one.
  public func color(ofMeters meters: Float) -> RGB8 {
    guard meters > 0, meters.isFinite else { return RGB8(red: 0, green: 0, blue: 0) }
    let fraction = min(max((meters - nearMeters) / (farMeters - nearMeters), 0), 1)
    return Self.table[Int(((1 - fraction) * 255).rounded())]
  }

  private static let table: [RGB8] = (0..<256).map { index in
    let place = Float(index) / 255 * Float(knots.count - 1)
    let low = min(Int(place), knots.count - 2)
    let weight = place - Float(low)
    func mixed(_ shift: UInt32) -> UInt8 {
      let (a, b) = (knots[low] >> shift & 0xFF, knots[low + 1] >> shift & 0xFF)
      return UInt8((Float(a) + weight * (Float(b) - Float(a))).rounded())
    }
    return RGB8(red: mixed(16), green: mixed(8), blue: mixed(0))
  }

  /// Turbo at 33 places, linear in between: within 3/255 of its table, as in the report's viewer.
  ///
  /// - Source: A. Mikhailov, *Turbo, An Improved Rainbow Colormap for Visualization*, Google, 2019
  ///   (Apache-2.0).
  private static let knots: [UInt32] = [
    0x30123B, 0x392A73, 0x4040A2, 0x4456C7, 0x466BE3, 0x4680F6, 0x4293FF, 0x37A7FA, 0x28BBEC,
    0x1DCCD9, 0x18DCC3, 0x1EE8B0, 0x31F299, 0x4CF97E, 0x6BFE64, 0x8AFF4C, 0xA2FC3C, 0xB8F735,
    0xCCED34, 0xDEE037, 0xEDD03A, 0xF7C03A, 0xFDAD35, 0xFE982C, 0xFB8022, 0xF56818, 0xEC520F,
    0xE14109, 0xD23105, 0xC12302, 0xAC1701, 0x950D01, 0x7A0403,
  ]
}
