#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What is known of a whole block.
struct BlockState: Sendable {
  /// The error that its pixels shared.
  var shared = SharedErrorMean()
  /// Bit z · 8 + y: whether a voxel of the row along x lies behind a surface.
  ///
  /// Only such rows change by being seen as free, and only beside them are there surfaces.
  var solidRows: UInt64 = 0
  /// The variance of a distance in units of 1/weight, in the mean of what was seen near the surface.
  ///
  /// Weights are cos²/σ², not the inverse of the variance, since slanted views have other errors than noise. The
  /// variance of their mean is Σ w² σ_d² / W², with the noise σ_d = σ cos |ray| along the normal: this over W.
  private(set) var varianceShare: Float = 1
  /// The weight that one frame gives a voxel near the surface, in the mean of frames; 0 before the first one.
  private(set) var frameWeight: Float = 0
  private var weight: Float = 0
  private var frames: Float = 0

  /// Whether a voxel lies behind a surface.
  var hasSolid: Bool { solidRows != 0 }

  /// Counts what a frame saw near the surface.
  ///
  /// - Parameters:
  ///   - weight: The sum of its weights.
  ///   - variance: The sum of weights times variance in units of 1/weight.
  ///   - voxels: The number of voxels near the surface.
  ///   - timeWeight: For how much of a frame it counts, above 0.
  mutating func add(weight: Float, variance: Float, voxels: Float, timeWeight: Float) {
    let sum = self.weight + weight
    guard weight > 0, sum < .infinity else { return }
    varianceShare =
      self.weight > 0
      ? varianceShare + (variance - varianceShare * weight) / sum : variance / weight
    self.weight = sum
    frames += timeWeight
    frameWeight += (weight / voxels - frameWeight * timeWeight) / frames
  }
}

/// The error that all pixels of a frame share at a block, in the weighted mean of frames.
///
/// The errors of two frames correlate by exp(−t/``seconds`` − α/``radians``): t is the time between them and α the
/// angle by which the direction to the camera turned on the way. Such errors are those of a Markov chain, so
/// that the variance of Σ w e needs only the part of the sum that agrees with the last error.
struct SharedErrorMean: Sendable {
  /// The time and the turn after which errors agree by 1/e: assumptions, not measurements.
  static let seconds = 1.0
  static let radians = 0.1745

  /// Σ w, Σ w s², the variance of Σ w e, and the covariance of that sum with the last error over its s.
  private var weight = 0.0
  private var squares = 0.0
  private var variance = 0.0
  private var agreeing = 0.0
  private var lastSeconds: Double?
  private var lastDirection = SIMD3<Double>.zero

  /// Counts a frame.
  ///
  /// - Parameters:
  ///   - sigmaMeters: One standard deviation of its error along the normal.
  ///   - weight: The sum of those of its voxels near the surface, in any unit.
  ///   - direction: From the block to the camera, of length 1.
  ///   - seconds: Its time; without one only the direction tells frames apart.
  mutating func add(
    sigmaMeters: Double, weight: Double, direction: SIMD3<Double>, seconds: Double?
  ) {
    guard weight > 0, weight < .infinity else { return }
    let chord = direction - lastDirection
    var distance = (chord * chord).sum().squareRoot() / Self.radians
    if let seconds, let lastSeconds { distance += abs(seconds - lastSeconds) / Self.seconds }
    // A micrometer at least, so that views count for sensors without such an error.
    let sigmaMeters = max(sigmaMeters, 1e-6)
    let own = weight * sigmaMeters
    agreeing *= exp(-distance)
    variance += own * (own + 2 * agreeing)
    agreeing += own
    self.weight += weight
    squares += own * sigmaMeters
    lastDirection = direction
    lastSeconds = seconds ?? lastSeconds
  }

  /// The mean variance of one frame, in m²; NaN without any.
  var sharedVariance: Double { squares / weight }

  /// The number of independent frames whose mean has the variance of this one, 1 at least; 0 without any.
  var views: Double {
    guard weight > 0 else { return 0 }
    return variance > 0 ? max(1, squares * weight / variance) : 1
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
