#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The sine of an angle in radians.
func sine(_ angle: Float) -> Float { sin(angle) }

/// The cosine of an angle in radians.
func cosine(_ angle: Float) -> Float { cos(angle) }

/// e to a power.
func exponential(_ power: Float) -> Float { exp(power) }

/// The angle of a direction in radians, clockwise in images; 0 for no direction.
func angle(_ direction: SIMD2<Float>) -> Float { atan2(direction.y, direction.x) }

/// The length of a vector.
func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

/// A base that is not negative to a power.
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
