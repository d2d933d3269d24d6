#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The color space of an RGB image: its primaries and one transfer curve per channel.
struct DisplayColors: Sendable, Hashable {
  /// The XYZ values of full red, green and blue under D50.
  let columns: MatrixProfile.Columns
  /// The linear light (0 to 1) of each code from 0 to 255, for red, green and blue; non-decreasing.
  let curves: [[Double]]

  private init(columns: MatrixProfile.Columns, curves: [[Double]]) {
    self.columns = columns
    self.curves = curves.map { curve in
      var maximum = 0.0
      return curve.map { value in
        maximum = max(maximum, min(max(value.isFinite ? value : 0, 0), 1))
        return maximum
      }
    }
  }

  /// sRGB itself (IEC 61966-2-1).
  static let sRGB = DisplayColors(PhotoColorSpace.sRGB)

  /// The color space of codes of ITU-T H.273; `nil` if ``PhotoColorSpace/iccProfile`` is `nil`.
  init?(_ space: PhotoColorSpace) {
    guard let primaries = MatrixProfile.Primaries(code: space.primaries),
      let curve = MatrixProfile.Curve(code: space.transfer)
    else { return nil }
    let profile = MatrixProfile(primaries: primaries, curve: curve, name: "")
    let light = (0...255).map { Self.parametric(3, curve.parameters, Double($0) / 255) }
    self.init(columns: profile.columns, curves: [light, light, light])
  }

  /// The color space of a matrix ICC profile, as displays and cameras have; `nil` for other
  /// profiles, for example those with only multidimensional tables, and for damaged ones.
  ///
  /// - Source: ICC.1:2022, sections 7.2, 7.3, 9.2, 10.6, 10.18 and 10.31.
  init?(icc profile: [UInt8]) {
    guard profile.count >= 132, profile[16..<20].elementsEqual("RGB ".utf8),
      profile[20..<24].elementsEqual("XYZ ".utf8)
    else { return nil }
    func number(_ place: Int) -> Int? {
      guard place >= 0, place + 4 <= profile.count else { return nil }
      return profile[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard let count = number(128), count <= 100 else { return nil }
    var tags: [String: ArraySlice<UInt8>] = [:]
    for index in 0..<count {
      let entry = 132 + 12 * index
      guard let offset = number(entry + 4), let size = number(entry + 8), size >= 8,
        offset <= profile.count, size <= profile.count - offset
      else { return nil }
      tags[String(decoding: profile[entry..<entry + 4], as: UTF8.self)] =
        profile[offset..<offset + size]
    }
    let columns = ["rXYZ", "gXYZ", "bXYZ"].compactMap { tags[$0].flatMap(Self.light) }
    let curves = ["rTRC", "gTRC", "bTRC"].compactMap { tags[$0].flatMap(Self.curve) }
    guard columns.count == 3, curves.count == 3, curves.allSatisfy({ ($0.last ?? 0) > 0.5 }) else {
      return nil
    }
    self.init(columns: columns, curves: curves)
  }

  /// The XYZ values of a tag of type `XYZ `.
  private static func light(_ tag: ArraySlice<UInt8>) -> SIMD3<Double>? {
    guard tag.starts(with: "XYZ ".utf8), tag.count >= 20 else { return nil }
    let numbers = (0..<3).map { fixed(tag, 8 + 4 * $0) }
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }

  private static func fixed(_ tag: ArraySlice<UInt8>, _ place: Int) -> Double {
    let start = tag.startIndex + place
    let bits = tag[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Double(Int32(bitPattern: bits)) / 65_536
  }

  /// The linear light of each code, from a tag of type `curv` or `para`.
  private static func curve(_ tag: ArraySlice<UInt8>) -> [Double]? {
    guard tag.count >= 12 else { return nil }
    let first = tag.startIndex
    if tag.starts(with: "para".utf8) {
      let kind = Int(tag[first + 8]) << 8 | Int(tag[first + 9])
      guard let needed = [1, 3, 4, 5, 7].dropFirst(kind).first, tag.count >= 12 + 4 * needed else {
        return nil
      }
      let numbers = (0..<needed).map { fixed(tag, 12 + 4 * $0) }
      return (0...255).map { parametric(kind, numbers, Double($0) / 255) }
    }
    guard tag.starts(with: "curv".utf8) else { return nil }
    let count = tag[first + 8..<first + 12].reduce(0) { $0 << 8 | Int($1) }
    guard tag.count - 12 >= 2 * count else { return nil }
    func entry(_ index: Int) -> Double {
      Double(Int(tag[first + 12 + 2 * index]) << 8 | Int(tag[first + 13 + 2 * index]))
    }
    switch count {
    case 0: return (0...255).map { Double($0) / 255 }
    case 1: return (0...255).map { power(Double($0) / 255, entry(0) / 256) }
    default:
      return (0...255).map { code in
        let place = Double(code) / 255 * Double(count - 1)
        let lower = min(Int(place), count - 2)
        let share = place - Double(lower)
        return ((1 - share) * entry(lower) + share * entry(lower + 1)) / 65_535
      }
    }
  }

  /// The five functions of `parametricCurveType`.
  private static func parametric(_ kind: Int, _ p: [Double], _ x: Double) -> Double {
    switch kind {
    case 0: return power(x, p[0])
    case 1: return x >= -p[2] / p[1] ? power(p[1] * x + p[2], p[0]) : 0
    case 2: return x >= -p[2] / p[1] ? power(p[1] * x + p[2], p[0]) + p[3] : p[3]
    case 3: return x >= p[4] ? power(p[1] * x + p[2], p[0]) : p[3] * x
    default: return x >= p[4] ? power(p[1] * x + p[2], p[0]) + p[5] : p[3] * x + p[6]
    }
  }

  private static func power(_ x: Double, _ y: Double) -> Double {
    guard x > 0 else { return 0 }
    return y.isFinite && y > 0 ? pow(x, y) : x
  }
}
