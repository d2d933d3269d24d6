/// The sRGB transfer curve from linear light to 8-bit codes.
///
/// - Source: IEC 61966-2-1. The power 1/2.4 is computed from square and cube roots, which are the
///   same on every platform.
enum StandardRGB {
  /// The code of a linear value; highlights above about 0.8 are rolled off towards 1.
  static func code(_ linear: Double) -> UInt8 {
    UInt8(min(max(unroundedCode(linear).rounded(), 0), 255))
  }

  /// The code before it is rounded.
  static func unroundedCode(_ linear: Double) -> Double {
    let value = rolledOff(max(linear, 0))
    let encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * power5Over12(value) - 0.055
    return encoded * 255
  }

  /// Identity up to 0.7, then a hyperbola of the same slope towards 1.
  private static func rolledOff(_ value: Double) -> Double {
    let knee = 0.7
    guard value > knee else { return value }
    let excess = value - knee
    return knee + excess * (1 - knee) / (excess + 1 - knee)
  }

  /// `x^(5/12) = x^(1/4)·x^(1/6)`.
  static func power5Over12(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    let root = value.squareRoot()
    return root.squareRoot() * cubeRoot(root)
  }

  /// The cube root of a number between 1e-6 and 1e6, by Newton's method.
  private static func cubeRoot(_ value: Double) -> Double {
    var root = value.squareRoot()
    for _ in 0..<8 { root -= (root - value / (root * root)) / 3 }
    return root
  }
}

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
