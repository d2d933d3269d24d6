/// Where a block lies: whole numbers of block sides from the origin of the world.
///
/// Keys sort by z, then y, then x.
struct BlockKey: Hashable, Sendable, Comparable {
  /// Voxels along a side.
  static let side = 8
  /// Voxels of a block.
  static let voxelCount = side * side * side
  /// Blocks reach so far from the origin in each direction.
  static let reach = 1 << 20

  /// 21 bits for each coordinate, each counted from the corner at −``reach``; never 2⁶⁴ − 1.
  let bits: UInt64

  init(_ x: Int, _ y: Int, _ z: Int) {
    let reach = BlockKey.reach
    bits =
      UInt64(z + reach) << 42 | UInt64(y + reach) << 21 | UInt64(x + reach)
  }

  init(bits: UInt64) {
    self.bits = bits
  }

  /// The key of the block at a place in block sides; `nil` beyond the reach or for NaN.
  init?(containing place: SIMD3<Double>) {
    let reach = Double(BlockKey.reach) - 2
    // Written so that NaN is refused.
    guard place.x > -reach, place.x < reach, place.y > -reach, place.y < reach, place.z > -reach,
      place.z < reach
    else { return nil }
    let cell = place.rounded(.down)
    self.init(Int(cell.x), Int(cell.y), Int(cell.z))
  }

  var x: Int { Int(bits & 0x1F_FFFF) - BlockKey.reach }
  var y: Int { Int(bits >> 21 & 0x1F_FFFF) - BlockKey.reach }
  var z: Int { Int(bits >> 42) - BlockKey.reach }

  /// The place of the first voxel, in voxels.
  var firstVoxel: SIMD3<Double> {
    SIMD3(Double(x), Double(y), Double(z)) * Double(BlockKey.side)
  }

  /// The block that lies so many blocks away.
  func moved(_ x: Int, _ y: Int, _ z: Int) -> BlockKey {
    BlockKey(self.x + x, self.y + y, self.z + z)
  }

  static func < (a: BlockKey, b: BlockKey) -> Bool { a.bits < b.bits }
}

/// Finds blocks by their keys: open addressing, at most half full.
struct BlockIndex: Sendable {
  private var keys: [UInt64]
  private var places: [Int32]
  private(set) var count = 0
  private static let empty = UInt64.max

  init() {
    keys = Array(repeating: BlockIndex.empty, count: 1024)
    places = Array(repeating: 0, count: 1024)
  }

  /// The memory of the table, in bytes.
  var memoryBytes: Int { keys.count * 12 }

  /// The place of a block in the order in which blocks were added; `nil` for none.
  func place(of key: BlockKey) -> Int? {
    let mask = keys.count - 1
    var slot = BlockIndex.hash(key.bits) & mask
    while keys[slot] != BlockIndex.empty {
      if keys[slot] == key.bits { return Int(places[slot]) }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds a key that is not there yet, at place ``count``.
  mutating func add(_ key: BlockKey) {
    if 2 * (count + 1) > keys.count { grow() }
    insert(key.bits, Int32(count))
    count += 1
  }

  /// Calls with the keys of all slots, the place of each, and the number of slots less one.
  func withSlots<Result>(
    _ body: (UnsafeBufferPointer<UInt64>, UnsafeBufferPointer<Int32>, _ mask: UInt64) -> Result
  ) -> Result {
    keys.withUnsafeBufferPointer { keys in
      places.withUnsafeBufferPointer { body(keys, $0, UInt64(keys.count - 1)) }
    }
  }

  private mutating func grow() {
    let (oldKeys, oldPlaces) = (keys, places)
    keys = Array(repeating: BlockIndex.empty, count: 2 * oldKeys.count)
    places = Array(repeating: 0, count: 2 * oldKeys.count)
    for (key, place) in zip(oldKeys, oldPlaces) where key != BlockIndex.empty {
      insert(key, place)
    }
  }

  private mutating func insert(_ key: UInt64, _ place: Int32) {
    let mask = keys.count - 1
    var slot = BlockIndex.hash(key) & mask
    while keys[slot] != BlockIndex.empty { slot = (slot + 1) & mask }
    keys[slot] = key
    places[slot] = place
  }

  /// The mixing of SplitMix64 (Steele, Lea and Flood 2014), so that neighbors spread.
  static func hash(_ key: UInt64) -> Int {
    var x = key
    x = (x ^ x >> 30) &* 0xBF58_476D_1CE4_E5B9
    x = (x ^ x >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (x ^ x >> 31) & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
