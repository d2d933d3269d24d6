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
