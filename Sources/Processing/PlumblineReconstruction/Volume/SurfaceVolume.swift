import CKernels

/// What frames of depth say of space: signed distances to the nearest surface, with weights, in sparse voxels.
///
/// Frame: the world's. A voxel at whole numbers (i, j, k) is the point (i, j, k) times the voxel size. Distances
/// are in meters along the normal, above 0 in front of surfaces, and cut at the truncation; weights are sums of
/// cos²/σ² (Curless and Levoy 1996). A frame cannot be taken out again, since the weight of free space is
/// bounded: after poses change, build a new volume.
package struct SurfaceVolume: Sendable {
  /// How the volume is built.
  package let settings: VolumeSettings
  /// The number of frames in it.
  package internal(set) var frameCount = 0
  /// That number, where a frame that shares errors with the one before it counts for less.
  var independentFrames = 0.0

  var index = BlockIndex()
  /// The key of each block, in the order in which they were added.
  var keys: [BlockKey] = []
  var slabs: [BlockSlab] = []
  /// What is known of each block.
  var states: [BlockState] = []
  /// Boxes around 64 blocks each.
  var groups: [BlockGroup] = []
  /// The time of the last frame that had one.
  var lastSeconds: Double?

  /// Makes an empty volume.
  package init(_ settings: VolumeSettings) {
    self.settings = settings
  }

  /// The number of blocks of 8 × 8 × 8 voxels.
  package var blockCount: Int { keys.count }

  /// The memory of all blocks and of their index, in bytes.
  ///
  /// Keys and states count as they are: what the system rounds their memory up to differs from run to run.
  package var memoryBytes: Int {
    let block = MemoryLayout<BlockKey>.stride + MemoryLayout<BlockState>.stride
    return slabs.reduce(index.memoryBytes + keys.count * block) { $0 + $1.memoryBytes }
  }

  /// Distance in meters and weight in 1/m² at a voxel; `nil` where nothing was seen.
  package func voxel(_ x: Int, _ y: Int, _ z: Int) -> (distance: Float, weight: Float)? {
    guard let place = index.place(of: BlockKey(x >> 3, y >> 3, z >> 3)) else { return nil }
    let slab = slabs[place / BlockSlab.blockCount]
    let row = place % BlockSlab.blockCount * BlockSlab.valuesPerBlock + ((z & 7) * 8 + (y & 7)) * 16
    let step = Float(settings.voxelMeters) / Float(PLB_VOXEL_STEPS)
    let found = (
      plb_voxel_distance(slab.values[row + (x & 7)]) * step,
      plb_voxel_weight(slab.values[row + (x & 7) + 8])
    )
    return found.1 > 0 ? found : nil
  }

  /// Adds the blocks of another volume, empty.
  ///
  /// Frames are carved only where blocks exist; with those of a first pass they carve everywhere.
  ///
  /// - Throws: When that is more than the limit.
  package mutating func reserve(as other: SurfaceVolume) throws(VolumeLimitError) {
    try add(other.keys.filter { index.place(of: $0) == nil })
  }

  /// Adds blocks in this order; none of them is there yet.
  mutating func add(_ blocks: [BlockKey]) throws(VolumeLimitError) {
    let needed = keys.count + blocks.count
    guard needed <= settings.blockLimit else {
      throw VolumeLimitError(neededBlocks: needed, blockLimit: settings.blockLimit)
    }
    for key in blocks {
      if keys.count % BlockSlab.blockCount == 0 { slabs.append(BlockSlab()) }
      slabs[slabs.count - 1].addBlock()
      if keys.count % BlockGroup.blockCount == 0 {
        groups.append(BlockGroup(key))
      } else {
        groups[groups.count - 1].add(key)
      }
      index.add(key)
      keys.append(key)
      states.append(BlockState())
    }
  }

  /// Calls with the memory of all blocks.
  func withVoxels<Result>(_ body: (BlockVoxels) -> Result) -> Result {
    BlockSlab.withVoxels(slabs, body)
  }
}
