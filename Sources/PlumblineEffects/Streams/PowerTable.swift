#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Codes raised to a power, 255 being 1.
enum PowerTable {
  static func codes(power: Double) -> [UInt8] {
    (0..<256).map { UInt8((pow(Double($0) / 255, power) * 255).rounded()) }
  }
}
