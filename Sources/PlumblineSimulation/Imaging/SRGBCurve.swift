/// The sRGB curve with its highlights rolled off, as a table: 0.02 codes from ``StandardRGB``.
struct SRGBCurve: Sendable {
  static let shared = SRGBCurve()

  /// Codes, not rounded, at the squares of evenly spaced numbers: dense where the curve is steep.
  private let codes: [Float]
  private static let last = 2048
  /// The roll-off is within half a code of white here.
  private static let brightest: Float = 64

  private init() {
    codes = (0...Self.last + 1).map { index in
      let root = Double(index) / Double(Self.last)
      return Float(StandardRGB.unroundedCode(root * root * Double(Self.brightest)))
    }
  }

  /// The code of linear light with noise in codes added.
  @inline(__always)
  func code(_ linear: Float, plus noise: Float) -> UInt8 {
    let bounded = min(max(linear, 0), Self.brightest)
    let position = (bounded / Self.brightest).squareRoot() * Float(Self.last)
    let index = Int(position)
    let low = codes[index]
    let value = low + (codes[index + 1] - low) * (position - Float(index)) + noise
    return UInt8(min(max(value.rounded(), 0), 255))
  }
}
