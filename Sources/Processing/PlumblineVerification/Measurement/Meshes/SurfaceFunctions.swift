#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The functions that measuring surfaces takes from the C library.
enum SurfaceFunctions {
  /// e to a power.
  static func exponential(_ power: Double) -> Double { exp(power) }

  /// The unit vector at an angle, in radians.
  static func direction(_ angle: Double) -> SIMD2<Double> { [cos(angle), sin(angle)] }
}
