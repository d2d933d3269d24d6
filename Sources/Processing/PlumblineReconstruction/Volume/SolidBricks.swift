/// Which blocks hold a voxel behind a surface, in bricks of 4 × 4 × 4 blocks: rays pass all others.
struct SolidBricks {
  /// Keys of bricks by open addressing, at most half full; all ones for an empty slot.
  private var keys: [UInt64]
  /// A bit for each block of a brick, x fastest.
  private var bits: [UInt64]

  /// Collects blocks; O(blocks).
  static func collect(_ blocks: [BlockKey]) -> SolidBricks {
    var found: [BlockKey: UInt64] = [:]
    for block in blocks {
      let bit = UInt64((block.x & 3) | (block.y & 3) << 2 | (block.z & 3) << 4)
      found[BlockKey(block.x >> 2, block.y >> 2, block.z >> 2), default: 0] |= 1 << bit
    }
    var slots = 16
    while slots < 2 * found.count { slots *= 2 }
    var result = SolidBricks(
      keys: Array(repeating: .max, count: slots), bits: Array(repeating: 0, count: slots))
    for (key, bits) in found { result.insert(key.bits, bits) }
    return result
  }

  private mutating func insert(_ key: UInt64, _ value: UInt64) {
    let mask = keys.count - 1
    var slot = BlockIndex.hash(key) & mask
    while keys[slot] != .max { slot = (slot + 1) & mask }
    keys[slot] = key
    bits[slot] = value
  }

  /// Calls with keys and bits of all slots, and the number of slots less one.
  func withSlots<Result>(
    _ body: (UnsafeBufferPointer<UInt64>, UnsafeBufferPointer<UInt64>, _ mask: UInt64) -> Result
  ) -> Result {
    keys.withUnsafeBufferPointer { keys in
      bits.withUnsafeBufferPointer { body(keys, $0, UInt64(keys.count - 1)) }
    }
  }
}
