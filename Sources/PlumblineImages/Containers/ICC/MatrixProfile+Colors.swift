extension MatrixProfile {
  /// Columns of a matrix.
  typealias Columns = [SIMD3<Double>]

  /// The light of full red, green and blue under D50.
  var columns: Columns {
    let lights = [primaries.red, primaries.green, primaries.blue].map(Self.light)
    let white = Self.light(primaries.white)
    // How much of each makes white.
    let inverse = Self.inverse(lights)
    let shares = Self.product(inverse, white)
    return (0..<3).map { Self.product(adaptation, lights[$0] * shares[$0]) }
  }

  /// From the display's white to D50, by Bradford's cones (annex E).
  var adaptation: Columns {
    let cones: Columns = [
      [0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296],
    ]
    let from = Self.product(cones, Self.light(primaries.white))
    let to = Self.product(cones, Self.connectionWhite)
    let back = Self.inverse(cones)
    return cones.map { Self.product(back, $0 * to / from) }
  }

  /// XYZ of a chromaticity, with Y = 1.
  private static func light(_ point: SIMD2<Double>) -> SIMD3<Double> {
    [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
  }

  static func product(_ columns: Columns, _ vector: SIMD3<Double>) -> SIMD3<Double> {
    columns[0] * vector.x + columns[1] * vector.y + columns[2] * vector.z
  }

  /// By cross products; a singular matrix gives numbers that are not finite.
  static func inverse(_ columns: Columns) -> Columns {
    let rows = [
      cross(columns[1], columns[2]), cross(columns[2], columns[0]), cross(columns[0], columns[1]),
    ]
    let determinant = (columns[0] * rows[0]).sum()
    return [0, 1, 2].map { SIMD3(rows[0][$0], rows[1][$0], rows[2][$0]) / determinant }
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}

extension MatrixProfile.Primaries {
  /// Those of a code of ITU-T H.273 table 2, 2 as 1; `nil` for others.
  init?(code: Int) {
    switch code {
    case 1, 2: self.init(red: [0.640, 0.330], green: [0.300, 0.600], blue: [0.150, 0.060])
    case 5: self.init(red: [0.640, 0.330], green: [0.290, 0.600], blue: [0.150, 0.060])
    case 6, 7: self.init(red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070])
    case 9: self.init(red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046])
    case 11:
      self.init(
        red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: [0.314, 0.351])
    case 12: self.init(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])
    default: return nil
    }
  }
}

extension MatrixProfile.Curve {
  /// That of a code of ITU-T H.273 table 3, 2 as 13; `nil` for others.
  init?(code: Int) {
    switch code {
    case 2, 13: self.init(gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)
    case 1, 6, 14, 15:
      self.init(gamma: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081)
    case 4: self.init(gamma: 2.2)
    case 5: self.init(gamma: 2.8)
    case 8: self.init(gamma: 1)
    default: return nil
    }
  }

  /// The numbers of a parametric curve of the third kind.
  var parameters: [Double] { [gamma, a, b, c, d] }
}
