import PlumblineModel

/// Converts codes of one color space to another: tables to linear light, a matrix, tables to codes.
///
/// It uses integers only, so the bytes are the same on every machine. A color outside the target
/// gamut is clamped in each channel.
struct ColorRemapping: Sendable {
  /// The integer that represents linear light of 1.
  private static let whole = 32_767
  /// The integer that represents a matrix entry of 1.
  private static let one = 1 << 14

  /// The linear light of each code, for red, then green, then blue.
  private let light: [Int32]
  /// The 3×3 matrix, row after row.
  private let matrix: [Int32]
  /// The code for each level of linear light, for red, then green, then blue.
  private let codes: [UInt8]

  /// Creates the tables; `nil` if no color would change by more than one code, and for color spaces
  /// that differ more than those of any camera.
  init?(from source: DisplayColors, to target: DisplayColors) {
    guard source != target else { return nil }
    let inverse = MatrixProfile.inverse(target.columns)
    let columns = source.columns.map { MatrixProfile.product(inverse, $0) }
    let rows = (0..<3).map { row in columns.map { $0[row] } }
    guard rows.allSatisfy({ $0.allSatisfy(\.isFinite) && $0.reduce(0) { $0 + abs($1) } < 3.9 })
    else { return nil }
    matrix = rows.flatMap { row in row.map { Int32(($0 * Double(Self.one)).rounded()) } }
    light = source.curves.flatMap { curve in
      curve.map { Int32(($0 * Double(Self.whole)).rounded()) }
    }
    codes = target.curves.flatMap(Self.inverseTable)
    if isIdentity { return nil }
  }

  /// The code with the nearest linear light, for each level of light.
  private static func inverseTable(_ curve: [Double]) -> [UInt8] {
    var code = 0
    return (0...whole).map { place in
      let wanted = Double(place) / Double(whole)
      while code < 255, abs(curve[code + 1] - wanted) <= abs(curve[code] - wanted) { code += 1 }
      return UInt8(code)
    }
  }

  /// Whether no color of a coarse grid changes by more than one code.
  private var isIdentity: Bool {
    let steps = stride(from: 0, through: 255, by: 15).map { UInt8($0) }
    for red in steps {
      for green in steps {
        for blue in steps {
          let before = RGB8(red: red, green: green, blue: blue)
          let after = applied(to: before)
          let moved = [
            Int(after.red) - Int(red), Int(after.green) - Int(green), Int(after.blue) - Int(blue),
          ]
          if moved.contains(where: { abs($0) > 1 }) { return false }
        }
      }
    }
    return true
  }

  /// Converts one color.
  func applied(to color: RGB8) -> RGB8 {
    let image = Raster(size: RasterSize(width: 1, height: 1), repeating: color)
    return applied(to: image)[0, 0]
  }

  /// Converts an image; O(*n*).
  func applied(to image: Raster<RGB8>) -> Raster<RGB8> {
    let source = image.packed.samples
    let samples = [RGB8](unsafeUninitializedCapacity: source.count) { result, count in
      count = source.count
      light.withUnsafeBufferPointer { light in
        matrix.withUnsafeBufferPointer { m in
          codes.withUnsafeBufferPointer { codes in
            for index in 0..<source.count {
              let color = source[index]
              let r = light[Int(color.red)]
              let g = light[256 + Int(color.green)]
              let b = light[512 + Int(color.blue)]
              func code(_ channel: Int) -> UInt8 {
                let row = 3 * channel
                // At most 3.9 × 2²⁹, which fits 31 bits; adding a half rounds to the nearest.
                let sum = (r &* m[row] &+ g &* m[row + 1] &+ b &* m[row + 2] &+ 8192) >> 14
                let place = Int(min(max(sum, 0), Int32(Self.whole)))
                return codes[channel * (Self.whole + 1) + place]
              }
              result.initializeElement(
                at: index, to: RGB8(red: code(0), green: code(1), blue: code(2)))
            }
          }
        }
      }
    }
    return Raster(size: image.size, samples: samples)
  }
}

extension ColorRemapping {
  /// Converts an image's own colors to sRGB; `nil` if they are already sRGB, if they are unknown,
  /// or if the profile cannot be read.
  ///
  /// - Parameters:
  ///   - profile: The ICC profile, which takes precedence over the codes.
  ///   - space: The color codes.
  /// - Returns: The conversion.
  static func toSRGB(profile: [UInt8]?, _ space: PhotoColorSpace?) -> ColorRemapping? {
    let colors = profile.map { DisplayColors(icc: $0) } ?? space.flatMap { DisplayColors($0) }
    guard let colors, let sRGB = DisplayColors.sRGB else { return nil }
    return ColorRemapping(from: colors, to: sRGB)
  }
}
