#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The sine of an angle in radians; what is 0 but for rounding is 0.
func sine(_ angle: Double) -> Double {
  let value = sin(angle)
  return abs(value) < 1e-12 ? 0 : value
}
