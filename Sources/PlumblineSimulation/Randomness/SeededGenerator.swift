/// A random generator that gives the same numbers from the same seed on every platform.
///
/// The state is one 64-bit counter; each number is the counter, advanced by a constant and mixed.
/// Not for secrets.
/// - Source: SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
///   Generators", OOPSLA 2014, with the mixing constants of its reference implementation.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator; equal seeds give equal numbers.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 uniformly distributed bits; O(1).
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A generator whose numbers have nothing to do with those that follow here.
  public mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }
}
