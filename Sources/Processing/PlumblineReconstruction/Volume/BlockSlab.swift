/// The voxels of up to 64 blocks, in one piece of memory.
struct BlockSlab: Sendable {
  /// Blocks of a slab.
  static let blockCount = 64
  /// Numbers of a block in ``values``: for each row along x eight distances, then eight weights.
  static let valuesPerBlock = 2 * BlockKey.voxelCount
  /// Numbers of a block in ``colors``.
  static let colorsPerBlock = 3 * BlockKey.voxelCount

  /// Meters, above 0 in front of the surface; and weights in 1/m², 0 where nothing was seen.
  var values = [Float](repeating: 0, count: blockCount * valuesPerBlock)
  /// For each row eight of red, green, blue: 256 × color + 1, 0 for none; empty before the first color.
  var colors: [UInt16] = []
  /// What is known of whole blocks.
  var views = [BlockViews](repeating: BlockViews(), count: blockCount)

  /// The memory of a slab, in bytes.
  var memoryBytes: Int {
    values.count * 4 + colors.count * 2 + views.count * MemoryLayout<BlockViews>.stride
  }

  /// Distance and weight of a voxel.
  @inline(__always)
  func voxel(block: Int, x: Int, y: Int, z: Int) -> (distance: Float, weight: Float) {
    let row = block * BlockSlab.valuesPerBlock + (z * BlockKey.side + y) * 16 + x
    return (values[row], values[row + 8])
  }

  /// The color of a voxel, 0 to 255 each; `nil` where none was seen.
  func color(block: Int, x: Int, y: Int, z: Int) -> SIMD3<Float>? {
    guard !colors.isEmpty else { return nil }
    let row = block * BlockSlab.colorsPerBlock + (z * BlockKey.side + y) * 24 + x
    guard colors[row] > 0 else { return nil }
    return (SIMD3(Float(colors[row]), Float(colors[row + 8]), Float(colors[row + 16])) - 1) / 256
  }
}

/// How often the surface of a block was seen with errors of its own.
///
/// Views count apart when they are a second or ten degrees apart: the slow error of a depth camera is then
/// another one. That a second is enough is an assumption, not a measurement.
struct BlockViews: Sendable {
  /// The number of views that count.
  private(set) var count = 0
  /// The mean variance of the shared error of those views, in m².
  private(set) var sharedVariance: Float = 0
  private var seconds: Double = -.infinity
  private var direction = SIMD3<Float>.zero

  /// Counts a view in a unit direction, if it is one of its own.
  mutating func add(sharedVariance variance: Float, direction: SIMD3<Float>, seconds: Double?) {
    let later = seconds.map { $0 - self.seconds >= 1 } ?? false
    // The cosine of 10 degrees.
    let turned = (direction * self.direction).sum() < 0.984_807_75
    guard count == 0 || later || turned else { return }
    count += 1
    sharedVariance += (variance - sharedVariance) / Float(count)
    self.direction = direction
    if let seconds { self.seconds = seconds }
  }
}
