#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension SeededGenerator {
  /// A uniform number in [0, 1) with 53 random bits.
  public mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A uniform number in a half-open range.
  public mutating func uniform(in range: Range<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// A uniform whole number below `bound`.
  ///
  /// - Precondition: The bound is above 0. The bias of the remainder is below `bound`/2⁶⁴.
  public mutating func integer(below bound: Int) -> Int {
    precondition(bound > 0, "no whole number lies between 0 and \(bound)")
    return Int(next() % UInt64(bound))
  }

  /// Whether an event of a probability happens.
  public mutating func chance(_ probability: Double) -> Bool { uniform() < probability }

  /// A draw of the normal distribution with mean 0 and standard deviation 1.
  ///
  /// Uses only arithmetic, `log` and `squareRoot`; the library's `log` may differ by one unit in
  /// the last place from platform to platform, and the draw with it.
  /// - Source: The polar method of G. Marsaglia and T. Bray, SIAM Review 6 (1964) 260–264.
  public mutating func gaussian() -> Double {
    while true {
      let x = uniform(in: -1..<1)
      let y = uniform(in: -1..<1)
      let squared = x * x + y * y
      if squared > 0 && squared < 1 { return x * (-2 * log(squared) / squared).squareRoot() }
    }
  }

  /// A draw of the normal distribution with a mean and a standard deviation in the same unit.
  public mutating func gaussian(mean: Double, sigma: Double) -> Double {
    mean + sigma * gaussian()
  }
}
