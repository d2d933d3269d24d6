/// What is known of a whole block.
struct BlockState: Sendable {
  /// How often its surface was seen.
  var views = BlockViews()
  /// Bit z · 8 + y: whether a voxel of the row along x lies behind a surface.
  ///
  /// Only such rows change by being seen as free, and only beside them are there surfaces.
  var solidRows: UInt64 = 0
  /// The variance of a distance in units of 1/weight, in the mean of what was seen near the surface.
  ///
  /// Weights are cos²/σ², not the inverse of the variance, since slanted views have other errors than noise. The
  /// variance of their mean is Σ w² σ_d² / W², with the noise σ_d = σ cos |ray| along the normal: this over W.
  private(set) var varianceShare: Float = 1
  private var weight: Float = 0

  /// Whether a voxel lies behind a surface.
  var hasSolid: Bool { solidRows != 0 }

  /// Counts what a frame saw near the surface.
  mutating func add(weight: Float, variance: Float) {
    let sum = self.weight + weight
    guard weight > 0, sum < .infinity else { return }
    varianceShare =
      self.weight > 0
      ? varianceShare + (variance - varianceShare * weight) / sum : variance / weight
    self.weight = sum
  }
}

/// How often the surface of a block was seen with errors of its own.
///
/// Views count apart when they are a second or ten degrees apart: the slow error of a depth camera is then
/// another one. That a second is enough is an assumption, not a measurement.
struct BlockViews: Sendable {
  /// The number of views that count.
  private(set) var count: Int32 = 0
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
    count &+= 1
    sharedVariance += (variance - sharedVariance) / Float(count)
    self.direction = direction
    if let seconds { self.seconds = seconds }
  }
}

/// A box around the blocks of 64 consecutive places, which lie near each other.
struct BlockGroup: Sendable {
  /// Blocks of a group.
  static let blockCount = 64
  private var low: SIMD3<Double>
  private var high: SIMD3<Double>

  init(_ key: BlockKey) {
    low = key.firstVoxel
    high = low
  }

  /// Widens the box.
  mutating func add(_ key: BlockKey) {
    low = pointwiseMin(low, key.firstVoxel)
    high = pointwiseMax(high, key.firstVoxel)
  }

  /// The ball around all voxels of the group, in voxels.
  var ball: (center: SIMD3<Double>, radius: Double) {
    let half = (high - low + Double(BlockKey.side - 1)) / 2
    return (low + half, (half * half).sum().squareRoot())
  }
}
