/// Repeatable ways to damage a file, so that a failing case can be run again from its number.
package enum ByteDamage {
  /// Lengths to which a file of `count` bytes is cut: spread evenly, ends included.
  package static func truncations(of count: Int, steps: Int = 200) -> [Int] {
    (0..<steps).map { count * $0 / steps }
  }

  /// The bytes with 1 to 8 of the first `count` replaced, decided by `seed` and `count` alone.
  ///
  /// Most of a photo is pixels; a small `count` keeps the damage in its structure.
  package static func flipped(
    _ bytes: [UInt8], seed: UInt64, within count: Int = .max
  ) -> [UInt8] {
    guard !bytes.isEmpty, count > 0 else { return bytes }
    let count = min(count, bytes.count)
    var generator = SeededGenerator(seed: seed &+ 1)
    var damaged = bytes
    for _ in 0...(generator.next() % 8) {
      damaged[Int(generator.next() % UInt64(count))] = UInt8(truncatingIfNeeded: generator.next())
    }
    return damaged
  }
}
