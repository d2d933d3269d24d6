import CKernels

/// The voxels of a block with the first ones of its neighbors in the directions of growing coordinates.
struct BlockHalo {
  static let side = BlockKey.side + 1
  static let count = side * side * side
  /// Distances in 4,096ths of a voxel, x fastest.
  private(set) var distances = [Float](repeating: 0, count: count)
  /// Weights; 0 where nothing was seen, or by too few frames.
  private(set) var weights = [Float](repeating: 0, count: count)
  /// Whether a voxel of a row along x may lie behind a surface, y fastest.
  private var isSolid = [Bool](repeating: false, count: side * side)

  /// Loads a block; O(1).
  ///
  /// - Parameters:
  ///   - neighbors: The places of the block and its neighbors in the volume.
  ///   - voxels: Those of the volume.
  ///   - states: Those of the volume.
  ///   - leastFrames: A voxel that fewer frames saw counts as unseen.
  mutating func load(
    _ neighbors: BlockNeighbors, from voxels: BlockVoxels, _ states: [BlockState],
    leastFrames: Float
  ) {
    let side = BlockHalo.side
    let least = neighbors.places.map { $0 >= 0 ? leastFrames * states[$0].frameWeight : 0 }
    for z in 0..<side {
      for y in 0..<side {
        let neighbor = (y >> 3) << 1 | (z >> 3) << 2
        let (here, next) = (neighbors.places[neighbor], neighbors.places[neighbor + 1])
        let rows =
          (here >= 0 ? states[here].solidRows : 0) | (next >= 0 ? states[next].solidRows : 0)
        isSolid[z * side + y] = rows >> UInt64((z & 7) * 8 + (y & 7)) & 1 == 1
        let first = (z * side + y) * side
        if here >= 0 {
          let row = voxels.row(here, y: y & 7, z: z & 7)
          for x in 0..<8 {
            distances[first + x] = plb_voxel_distance(row[row.startIndex + x])
            let weight = plb_voxel_weight(row[row.startIndex + x + 8])
            weights[first + x] = weight >= least[neighbor] ? weight : 0
          }
        } else {
          for x in 0..<8 { weights[first + x] = 0 }
        }
        let (distance, weight) =
          next >= 0 ? voxels.voxel(next, x: 0, y: y & 7, z: z & 7) : (0, 0)
        distances[first + 8] = distance
        weights[first + 8] = weight >= least[neighbor + 1] ? weight : 0
      }
    }
  }

  /// Calls for each cube of the block whose eight corners were seen and lie on both sides of a surface: with its
  /// first corner, and a bit for each corner that lies inside.
  func forEachCrossedCube(_ body: (_ x: Int, _ y: Int, _ z: Int, _ inside: Int) -> Void) {
    let side = BlockHalo.side
    let corners = (0..<8).map { (($0 >> 2) * side + ($0 >> 1 & 1)) * side + ($0 & 1) }
    distances.withUnsafeBufferPointer { distances in
      weights.withUnsafeBufferPointer { weights in
        for z in 0..<8 {
          for y in 0..<8 {
            let row = z * side + y
            guard isSolid[row] || isSolid[row + 1] || isSolid[row + side] || isSolid[row + side + 1]
            else { continue }
            for x in 0..<8 {
              let first = row * side + x
              guard weights[first] > 0 else { continue }
              var inside = 0
              var isSeen = true
              for corner in 0..<8 {
                let here = first + corners[corner]
                if !(weights[here] > 0) { isSeen = false }
                if distances[here] < 0 { inside |= 1 << corner }
              }
              if isSeen, inside != 0, inside != 255 { body(x, y, z, inside) }
            }
          }
        }
      }
    }
  }
}

/// Where a block (0) and its neighbors in the directions of growing coordinates lie; −1 for none.
///
/// Bit 0 of a position is x, bit 1 y, bit 2 z.
struct BlockNeighbors {
  /// Among all blocks in the order of their keys.
  private(set) var ranks = [Int](repeating: -1, count: 8)
  /// In the volume.
  private(set) var places = [Int](repeating: -1, count: 8)

  /// Finds the neighbors of a block of a sorted list; O(1).
  mutating func find(_ rank: Int, in blocks: SortedBlocks) {
    let key = blocks.keys[rank]
    for neighbor in 0..<8 {
      let found =
        neighbor == 0
        ? blocks.places[rank]
        : blocks.place(of: key.moved(neighbor & 1, neighbor >> 1 & 1, neighbor >> 2))
      places[neighbor] = found ?? -1
      ranks[neighbor] = found.map { blocks.rank(ofPlace: $0) } ?? -1
    }
  }

  /// Whether a voxel of the blocks lies behind a surface.
  func hasSolid(_ states: [BlockState]) -> Bool {
    places.contains { $0 >= 0 && states[$0].hasSolid }
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

  /// The place of a key in the volume; `nil` for a block that does not exist.
  func place(of key: BlockKey) -> Int? { index.place(of: key) }

  /// The position in the list of a block of the volume.
  func rank(ofPlace place: Int) -> Int { rankOfPlace[place] }
}
