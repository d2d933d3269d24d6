#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The codes of which colors are powers of 2.2: the nearest whole number to 255 · value^(1/2.2), without a power for
/// each color.
struct PowerCodes {
  /// Steps of the square root of a value in ``firstCodes``: less than a code each.
  private static let steps = 4096

  /// The smallest value whose code is above each code but the last.
  private let limits: [Double]
  /// The code at the lower end of each step.
  private let firstCodes: [UInt8]

  init() {
    let limits = (0..<255).map { pow((Double($0) + 0.5) / 255, 2.2) }
    var code = 0
    firstCodes = (0...Self.steps).map { step in
      let root = Double(step) / Double(Self.steps)
      while code < 255, root * root >= limits[code] { code += 1 }
      return UInt8(code)
    }
    self.limits = limits
  }

  /// The code of a value; O(1).
  ///
  /// - Precondition: The value is between 0 and 1.
  func code(ofShare share: Double) -> UInt8 {
    var code = Int(firstCodes[Int(share.squareRoot() * Double(Self.steps))])
    while code < 255, share >= limits[code] { code += 1 }
    // The root may have been rounded up to the next step.
    while code > 0, share < limits[code - 1] { code -= 1 }
    return UInt8(code)
  }
}
