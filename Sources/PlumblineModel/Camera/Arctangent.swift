#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The arctangent in radians; the one transcendental function of this target.
func arctangent(_ value: Double) -> Double { atan(value) }
