import PlumblineIO

/// An ICC profile of three primaries and one curve, as displays have them.
///
/// - Source: ICC.1:2010 (profile version 4.3), sections 7.2, 8.3.3, 10.18 (`parametricCurveType`) and
///   annex E (chromatic adaptation).
struct MatrixProfile: Sendable, Hashable {
  /// Chromaticities of red, green, blue and white.
  struct Primaries: Sendable, Hashable {
    var red: SIMD2<Double>
    var green: SIMD2<Double>
    var blue: SIMD2<Double>
    var white: SIMD2<Double> = [0.3127, 0.3290]
  }

  /// From codes of 0 to 1 to light: (*a·x* + *b*)^*g* from *d* on, *c·x* below.
  struct Curve: Sendable, Hashable {
    var gamma: Double
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 0.0
  }

  var primaries: Primaries
  var curve: Curve
  /// The name that programs show, in ASCII.
  var name: String

  /// The white of all profiles, D50.
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
      // Equal contents are stored once, as section 7.3.1 allows.
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

  /// A tag's data: its type, four zeros, the payload.
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

  /// Numbers with sixteen bits behind the point.
  private static func fixed(_ numbers: some Sequence<Double>) -> [UInt8] {
    numbers.flatMap { [UInt8](bigEndian: Int(($0 * 65_536).rounded()) & 0xFFFF_FFFF, bytes: 4) }
  }

  private static func fixed(_ vector: SIMD3<Double>) -> [UInt8] {
    fixed([vector.x, vector.y, vector.z])
  }
}
