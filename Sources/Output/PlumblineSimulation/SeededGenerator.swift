/// A random generator that gives the same numbers from the same seed on every platform.
///
/// The state is one 64-bit counter; each number is the counter, advanced by a constant and mixed.
/// It is not suitable for secrets.
/// - Source: SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
///   Generators", OOPSLA 2014, with the mixing constants of its reference implementation.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator; equal seeds give equal numbers.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 uniformly distributed bits; O(1).
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A generator whose numbers are independent of the following ones of this generator.
  package mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }
}

extension SeededGenerator {
  /// A uniform number in [0, 1) with 53 random bits.
  package mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A uniform number in a half-open range.
  package mutating func uniform(in range: Range<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// A uniform integer below `bound`.
  ///
  /// - Precondition: The bound is above 0. The bias of the remainder is below `bound`/2⁶⁴.
  package mutating func integer(below bound: Int) -> Int {
    precondition(bound > 0, "no whole number lies between 0 and \(bound)")
    return Int(next() % UInt64(bound))
  }

  /// Whether an event with a probability occurs.
  package mutating func chance(_ probability: Double) -> Bool { uniform() < probability }

  /// A random number of the normal distribution with mean 0 and standard deviation 1.
  ///
  /// It uses only arithmetic and square roots, which every platform rounds in the same way, so a
  /// seed gives the same bits everywhere; a platform's own `log` would not.
  /// - Source: The polar method of G. Marsaglia and T. Bray, SIAM Review 6 (1964) 260–264.
  package mutating func gaussian() -> Double {
    while true {
      let x = uniform(in: -1..<1)
      let y = uniform(in: -1..<1)
      let square = x * x + y * y
      if square > 0 && square < 1 {
        return x * (-2 * portableLogarithm(square) / square).squareRoot()
      }
    }
  }

  /// A random number of the normal distribution with a mean and a standard deviation.
  package mutating func gaussian(mean: Double, sigma: Double) -> Double {
    mean + sigma * gaussian()
  }
}

/// The natural logarithm of a finite number above 0, within 4e-16 of its size or of 1.
///
/// - Source: `ln m = 2·artanh((m − 1)/(m + 1))` as a power series; with `m` between √½ and √2 its
///   argument is at most 0.172, so 12 terms reach 1e-19.
func portableLogarithm(_ value: Double) -> Double {
  var mantissa = value.significand
  var exponent = Double(value.exponent)
  if mantissa > 1.414_213_562_373_095_1 {
    mantissa /= 2
    exponent += 1
  }
  let argument = (mantissa - 1) / (mantissa + 1)
  let square = argument * argument
  var sum = 0.0
  for term in (0..<12).reversed() { sum = sum * square + 1 / Double(2 * term + 1) }
  return exponent * 0.693_147_180_559_945_3 + 2 * argument * sum
}
