import CKernels

/// The voxels of up to 4,096 blocks.
///
/// Memory is taken for the blocks that exist.
struct BlockSlab: Sendable {
  /// Blocks of a slab.
  static let blockCount = 1 << Int(PLB_VOLUME_SLAB_SHIFT)
  /// Numbers of a block in ``values``: for each row along x eight distances, then eight weights.
  static let valuesPerBlock = Int(PLB_VOLUME_BLOCK_VALUES)
  /// Numbers of a block in ``colors``.
  static let colorsPerBlock = 3 * BlockKey.voxelCount

  /// Distances, above 0 in front of the surface, and weights, as `volume_voxels.h` stores them; a weight of 0 where
  /// nothing was seen.
  private(set) var values: [Int16] = []
  /// For each row eight of red, green, blue: 256 × color + 1, 0 for none; empty before the first color.
  private(set) var colors: [UInt16] = []

  init() {
    // Memory of the system that is not touched costs nothing, and growing copies nothing.
    values.reserveCapacity(BlockSlab.blockCount * BlockSlab.valuesPerBlock)
  }

  /// The blocks of the slab.
  var count: Int { values.count / BlockSlab.valuesPerBlock }

  /// The memory of a slab, in bytes.
  var memoryBytes: Int { count * Self.blockBytes(hasColor: !colors.isEmpty) }

  /// The memory of a block, in bytes.
  static func blockBytes(hasColor: Bool) -> Int {
    valuesPerBlock * MemoryLayout<Int16>.stride
      + (hasColor ? colorsPerBlock * MemoryLayout<UInt16>.stride : 0)
  }

  /// Adds a block without observations.
  mutating func addBlock() {
    values.append(contentsOf: repeatElement(0, count: BlockSlab.valuesPerBlock))
    guard !colors.isEmpty else { return }
    colors.append(contentsOf: repeatElement(0, count: BlockSlab.colorsPerBlock))
  }

  /// Makes room for colors.
  mutating func addColors() {
    guard colors.isEmpty else { return }
    colors.reserveCapacity(BlockSlab.blockCount * BlockSlab.colorsPerBlock)
    colors.append(contentsOf: repeatElement(0, count: count * BlockSlab.colorsPerBlock))
  }

  /// Calls with the memory of all slabs at once, for reading.
  static func withVoxels<Result>(_ slabs: [BlockSlab], _ body: (BlockVoxels) -> Result) -> Result {
    open(slabs[...], BlockVoxels(), body)
  }

  private static func open<Result>(
    _ slabs: ArraySlice<BlockSlab>, _ found: BlockVoxels, _ body: (BlockVoxels) -> Result
  ) -> Result {
    guard let slab = slabs.first else { return body(found) }
    return slab.values.withUnsafeBufferPointer { values in
      slab.colors.withUnsafeBufferPointer { colors in
        var all = found
        all.values.append(values)
        all.colors.append(colors)
        return open(slabs.dropFirst(), all, body)
      }
    }
  }

  /// Calls with the memory of all slabs at once, for writing.
  static func withMutableVoxels(
    _ slabs: inout [BlockSlab], _ body: ([MutableVoxels]) -> Void
  ) {
    var found: [MutableVoxels] = []
    found.reserveCapacity(slabs.count)
    open(&slabs, &found, body)
  }

  private static func open(
    _ slabs: inout [BlockSlab], _ found: inout [MutableVoxels], _ body: ([MutableVoxels]) -> Void
  ) {
    // Each slab is taken out, so that its memory has one owner and is not copied.
    guard var slab = slabs.popLast() else { return body(found.reversed()) }
    slab.withMutableVoxels {
      found.append($0)
      open(&slabs, &found, body)
    }
    slabs.append(slab)
  }

  private mutating func withMutableVoxels(_ body: (MutableVoxels) -> Void) {
    values.withUnsafeMutableBufferPointer { values in
      colors.withUnsafeMutableBufferPointer { colors in
        body(MutableVoxels(values: values, colors: colors))
      }
    }
  }
}

/// The memory of one slab.
struct MutableVoxels {
  let values: UnsafeMutableBufferPointer<Int16>
  let colors: UnsafeMutableBufferPointer<UInt16>
}

/// The memory of all slabs; a block is named by its place in the volume.
struct BlockVoxels {
  var values: [UnsafeBufferPointer<Int16>] = []
  var colors: [UnsafeBufferPointer<UInt16>] = []

  /// The numbers of a block before its first one, in its slab.
  @inline(__always)
  private func slab(_ place: Int) -> (slab: Int, block: Int) {
    (place >> Int(PLB_VOLUME_SLAB_SHIFT), place & (BlockSlab.blockCount - 1))
  }

  /// Eight distances and eight weights of a row, as they are stored.
  @inline(__always)
  func row(_ place: Int, y: Int, z: Int) -> UnsafeBufferPointer<Int16>.SubSequence {
    let (slab, block) = slab(place)
    let first = block * BlockSlab.valuesPerBlock + (z * BlockKey.side + y) * 16
    return values[slab][first..<first + 16]
  }

  /// Distance in 4,096ths of a voxel, never 0, and weight in 1/m² of a voxel.
  @inline(__always)
  func voxel(_ place: Int, x: Int, y: Int, z: Int) -> (distance: Float, weight: Float) {
    let (slab, block) = slab(place)
    let row = block * BlockSlab.valuesPerBlock + (z * BlockKey.side + y) * 16 + x
    return (plb_voxel_distance(values[slab][row]), plb_voxel_weight(values[slab][row + 8]))
  }

  /// The color of a voxel, 0 to 255 each; `nil` where none was seen.
  func color(_ place: Int, x: Int, y: Int, z: Int) -> SIMD3<Float>? {
    let (slab, block) = slab(place)
    let colors = colors[slab]
    guard !colors.isEmpty else { return nil }
    let row = block * BlockSlab.colorsPerBlock + (z * BlockKey.side + y) * 24 + x
    guard colors[row] > 0 else { return nil }
    return (SIMD3(Float(colors[row]), Float(colors[row + 8]), Float(colors[row + 16])) - 1) / 256
  }
}
