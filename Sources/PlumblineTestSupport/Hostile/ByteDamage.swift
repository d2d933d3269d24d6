/// Repeatable ways to damage a file, so that a failing case can be run again from its number.
public enum ByteDamage {
  /// Lengths to which a file of `count` bytes is cut: spread evenly, ends included.
  public static func truncations(of count: Int, steps: Int = 200) -> [Int] {
    (0..<steps).map { count * $0 / steps }
  }

  /// The bytes with 1 to 8 of the first `count` replaced, decided by `seed` and `count` alone.
  ///
  /// Most of a photo is pixels; a small `count` keeps the damage in its structure.
  public static func flipped(
    _ bytes: [UInt8], seed: UInt64, within count: Int = .max
  ) -> [UInt8] {
    guard !bytes.isEmpty, count > 0 else { return bytes }
    let count = min(count, bytes.count)
    var state = SplitMix64(state: seed &+ 1)
    var damaged = bytes
    for _ in 0...(state.next() % 8) {
      damaged[Int(state.next() % UInt64(count))] = UInt8(truncatingIfNeeded: state.next())
    }
    return damaged
  }
}

/// The SplitMix64 generator: small, seeded and the same everywhere.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator whose sequence `state` decides.
  public init(state: UInt64) {
    self.state = state
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
