#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Tables between stored codes and light, 0 to 65535.
///
/// Codes are read as sRGB; phones' Display P3 has the same curve, so mixing of light is right there
/// too.
/// - Source: IEC 61966-2-1:1999, section 5.2.
struct LinearLight: Sendable {
  /// Of 256 codes.
  let linear: [UInt16]
  /// Of 65536 levels; `codes[linear[c]] == c`.
  let codes: [UInt8]

  static let shared = LinearLight()

  private init() {
    linear = (0..<256).map { UInt16((Self.light(of: Double($0) / 255) * 65535).rounded()) }
    // Borders between codes lie where the curve has half codes.
    var codes = [UInt8](repeating: 255, count: 65536)
    var next = 0
    for code in 0..<255 {
      let border = Self.light(of: (Double(code) + 0.5) / 255) * 65535
      while next < 65536, Double(next) < border {
        codes[next] = UInt8(code)
        next += 1
      }
    }
    self.codes = codes
  }

  static func light(of code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }
}
