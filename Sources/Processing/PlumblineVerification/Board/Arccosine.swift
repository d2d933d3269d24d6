#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The arccosine in radians of a number from −1 to 1.
func arccosine(_ value: Double) -> Double { acos(value) }

/// The angle in radians, −π to π, whose sine and cosine are as two numbers.
func arctangent(_ sine: Double, _ cosine: Double) -> Double { atan2(sine, cosine) }
