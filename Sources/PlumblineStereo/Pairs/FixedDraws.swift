/// A sequence of numbers that look drawn but are the same in every run.
///
/// - Source: SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
///   Generators", OOPSLA 2014, with the mixing constants of its reference implementation.
struct FixedDraws {
  private var state: UInt64

  /// Starts a sequence; equal seeds give equal ones.
  init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A whole number from 0 to below a bound above 0; its bias is below the bound over 2³².
  mutating func index(below bound: Int) -> Int {
    Int((next() >> 32).multipliedFullWidth(by: UInt64(bound) << 32).high)
  }

  /// A number from −1 to 1.
  mutating func signedUnit() -> Double {
    Double(Int64(bitPattern: next()) >> 11) / Double(Int64(1) << 52)
  }

  /// So many different whole numbers from 0 to below a bound that is at least as large.
  mutating func distinct(_ count: Int, below bound: Int) -> [Int] {
    var chosen: [Int] = []
    while chosen.count < count {
      let index = index(below: bound)
      if !chosen.contains(index) { chosen.append(index) }
    }
    return chosen
  }
}
