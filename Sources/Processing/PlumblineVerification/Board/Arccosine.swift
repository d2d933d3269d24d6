#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The arccosine in radians of a number from −1 to 1; the one transcendental function of this target.
func arccosine(_ value: Double) -> Double { acos(value) }
