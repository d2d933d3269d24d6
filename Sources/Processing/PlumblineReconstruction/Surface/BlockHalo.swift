/// The voxels of a block with the first ones of its neighbors in the directions of growing coordinates.
struct BlockHalo {
  static let side = BlockKey.side + 1
  static let count = side * side * side
  /// Distances in meters, x fastest.
  private(set) var distances = [Float](repeating: 0, count: count)
  /// Weights; 0 where nothing was seen, or by too few frames.
  private(set) var weights = [Float](repeating: 0, count: count)
  /// Where the block (0) and its neighbors lie among all blocks in the order of their keys; −1 for none.
  ///
  /// Bit 0 of the position is x, bit 1 y, bit 2 z.
  private(set) var ranks = [Int](repeating: -1, count: 8)

  /// Loads a block of a sorted list; O(1).
  mutating func load(
    _ rank: Int, of blocks: SortedBlocks, from voxels: BlockVoxels, _ states: [BlockState],
    leastFrames: Float
  ) {
    let side = BlockHalo.side
    for neighbor in 0..<8 {
      let (dx, dy, dz) = (neighbor & 1, neighbor >> 1 & 1, neighbor >> 2)
      let found = neighbor == 0 ? rank : blocks.rank(of: blocks.keys[rank].moved(dx, dy, dz))
      ranks[neighbor] = found ?? -1
      let place = found.map { blocks.places[$0] }
      let least = place.map { leastFrames * states[$0].frameWeight } ?? 0
      for z in dz == 1 ? 8..<9 : 0..<8 {
        for y in dy == 1 ? 8..<9 : 0..<8 {
          for x in dx == 1 ? 8..<9 : 0..<8 {
            let here = (z * side + y) * side + x
            guard let place else {
              weights[here] = 0
              continue
            }
            let voxel = voxels.voxel(place, x: x & 7, y: y & 7, z: z & 7)
            distances[here] = voxel.distance
            weights[here] = voxel.weight >= least ? voxel.weight : 0
          }
        }
      }
    }
  }
}

/// The blocks of a volume in the order of their keys.
struct SortedBlocks {
  let keys: [BlockKey]
  /// The place of each in the volume.
  let places: [Int]
  private let rankOfPlace: [Int]
  private let index: BlockIndex

  init(_ volume: SurfaceVolume) {
    let order = volume.keys.indices.sorted { volume.keys[$0] < volume.keys[$1] }
    var ranks = [Int](repeating: 0, count: order.count)
    for (rank, place) in order.enumerated() { ranks[place] = rank }
    keys = order.map { volume.keys[$0] }
    places = order
    rankOfPlace = ranks
    index = volume.index
  }

  /// Whether a voxel of the block, or of its neighbors in the directions of growing coordinates, is solid.
  func hasSolid(_ rank: Int, _ states: [BlockState]) -> Bool {
    if states[places[rank]].hasSolid { return true }
    return (1..<8).contains { neighbor in
      let key = keys[rank].moved(neighbor & 1, neighbor >> 1 & 1, neighbor >> 2)
      return index.place(of: key).map { states[$0].hasSolid } ?? false
    }
  }

  /// The position of a key in the list; `nil` for a block that does not exist.
  func rank(of key: BlockKey) -> Int? {
    index.place(of: key).map { rankOfPlace[$0] }
  }
}
