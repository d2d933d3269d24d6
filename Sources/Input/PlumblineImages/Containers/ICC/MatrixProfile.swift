import PlumblineIO

/// An ICC profile with three primaries and one curve, as for displays.
///
/// - Source: ICC.1:2010 (profile version 4.3), sections 7.2, 8.3.3, 10.18 (`parametricCurveType`)
///   and annex E (chromatic adaptation).
struct MatrixProfile: Sendable, Hashable {
  /// Chromaticities of red, green, blue and white.
  struct Primaries: Sendable, Hashable {
    var red: SIMD2<Double>
    var green: SIMD2<Double>
    var blue: SIMD2<Double>
    var white: SIMD2<Double> = [0.3127, 0.3290]
  }

  /// The transfer curve from codes in 0…1 to linear light: (*a·x* + *b*)^*g* from *d* on, *c·x*
  /// below.
  struct Curve: Sendable, Hashable {
    var gamma: Double
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 0.0
  }

  var primaries: Primaries
  var curve: Curve
  /// The name that programs display, in ASCII.
  var name: String

  /// The white point of the profile connection space, D50.
  static var connectionWhite: SIMD3<Double> { [0.9642, 1, 0.8249] }

  /// The whole profile; the same bytes on every run.
  var bytes: [UInt8] {
    let columns = self.columns
    let adaptation = adaptation
    let curve = Self.type("para", [0, 3, 0, 0] + Self.fixed(curve.parameters))
    let rows = [0, 1, 2].flatMap { row in [0, 1, 2].map { adaptation[$0][row] } }
    let tags: [(String, [UInt8])] = [
      ("desc", Self.text(name)), ("cprt", Self.text("No copyright")),
      ("wtpt", Self.type("XYZ ", Self.fixed(Self.connectionWhite))),
      ("chad", Self.type("sf32", Self.fixed(rows))),
      ("rXYZ", Self.type("XYZ ", Self.fixed(columns[0]))),
      ("gXYZ", Self.type("XYZ ", Self.fixed(columns[1]))),
      ("bXYZ", Self.type("XYZ ", Self.fixed(columns[2]))),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var table = [UInt8](bigEndian: tags.count, bytes: 4)
    var data: [UInt8] = []
    let start = 128 + 4 + 12 * tags.count
    var places: [[UInt8]: Int] = [:]
    for (tag, payload) in tags {
      // Equal payloads are stored once, as section 7.3.1 allows.
      let place = places[payload] ?? data.count
      if places[payload] == nil {
        places[payload] = place
        data += payload + [UInt8](repeating: 0, count: (4 - payload.count % 4) % 4)
      }
      table += Array(tag.utf8) + [UInt8](bigEndian: start + place, bytes: 4)
      table += [UInt8](bigEndian: payload.count, bytes: 4)
    }
    return Self.header(size: start + data.count) + table + data
  }

  /// Size, version 4.3, a display of RGB over XYZ, a fixed date, perceptual intent, D50.
  private static func header(size: Int) -> [UInt8] {
    var header = [UInt8](bigEndian: size, bytes: 4) + [0, 0, 0, 0, 4, 0x30, 0, 0]
    header += Array("mntrRGB XYZ ".utf8)
    for number in [2026, 1, 1, 0, 0, 0] { header.appendBigEndian(number, bytes: 2) }
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += fixed(connectionWhite)
    return header + [UInt8](repeating: 0, count: 128 - header.count)
  }

  /// The data of a tag: type, four zeros, payload.
  private static func type(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [0, 0, 0, 0] + payload
  }

  /// One text in American English (`multiLocalizedUnicodeType`).
  private static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8](bigEndian: Int($0), bytes: 2) }
    let header = [1, 12].flatMap { [UInt8](bigEndian: $0, bytes: 4) } + Array("enUS".utf8)
    return type(
      "mluc", header + [units.count, 28].flatMap { [UInt8](bigEndian: $0, bytes: 4) } + units)
  }

  /// Numbers as 16.16 fixed point.
  private static func fixed(_ numbers: some Sequence<Double>) -> [UInt8] {
    numbers.flatMap { [UInt8](bigEndian: Int(($0 * 65_536).rounded()) & 0xFFFF_FFFF, bytes: 4) }
  }

  private static func fixed(_ vector: SIMD3<Double>) -> [UInt8] {
    fixed([vector.x, vector.y, vector.z])
  }
}

extension MatrixProfile {
  /// The columns of a 3×3 matrix.
  typealias Columns = [SIMD3<Double>]

  /// The XYZ values of full red, green and blue under D50.
  var columns: Columns {
    let lights = [primaries.red, primaries.green, primaries.blue].map(Self.light)
    let white = Self.light(primaries.white)
    // The scale of each primary, so that their sum is white.
    let inverse = Self.inverse(lights)
    let shares = Self.product(inverse, white)
    return (0..<3).map { Self.product(adaptation, lights[$0] * shares[$0]) }
  }

  /// The chromatic adaptation from the display's white to D50, with Bradford's matrix (annex E).
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

  /// The inverse by cross products; for a singular matrix the numbers are not finite.
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
  /// The primaries of a code of ITU-T H.273 table 2, where 2 counts as 1; `nil` for other codes.
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
  /// The curve of a code of ITU-T H.273 table 3, where 2 counts as 13; `nil` for other codes.
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

  /// The parameters in the order of a parametric curve with function type 3.
  var parameters: [Double] { [gamma, a, b, c, d] }
}
