import PlumblineModel

/// What a voxel has gathered.
struct Voxel: BitwiseCopyable {
  /// The weights of all its points together, in 1/m².
  var weight: Float = 0
  /// The weighted mean place of its points, in sides of the voxel.
  var x: Float = 0
  var y: Float = 0
  var z: Float = 0
  /// One over the variance of the mean's noise, in 1/m²: pixels of one frame count less than
  /// independent ones, each as much as their mean.
  var information: Float = 0
  /// The weighted mean variance of the shared error, in m².
  var sharedVariance: Float = 0
  /// The number of the last frame with a point here.
  var frame: UInt32 = 0
  /// How many pixels of that frame are here.
  var pixelsOfFrame: UInt32 = 0
  /// Their weights together, in 1/m².
  var weightOfFrame: Float = 0

  /// One standard deviation of the mean along the rays, in meters.
  var sigmaMeters: Float { (1 / information + sharedVariance).squareRoot() }
}

/// The weighted mean color of a voxel, 0 to 255.
struct VoxelColor: BitwiseCopyable {
  var weight: Float = 0
  var red: Float = 0
  var green: Float = 0
  var blue: Float = 0

  /// Takes in a color.
  @inline(__always)
  mutating func add(_ color: RGB8, weight added: Float) {
    weight += added
    let share = added / weight
    red += (Float(color.red) - red) * share
    green += (Float(color.green) - green) * share
    blue += (Float(color.blue) - blue) * share
  }

  /// The color in whole codes; a mean of codes is never outside of 0 to 255 by more than rounding.
  var code: RGB8 {
    func code(_ mean: Float) -> UInt8 { UInt8(min(max(mean.rounded(), 0), 255)) }
    return RGB8(red: code(red), green: code(green), blue: code(blue))
  }
}

/// One part of a grid: a hash table of voxels with open addressing.
///
/// A voxel takes 44 bytes, with color 60, and the table is at most three quarters full.
/// - Source: D. E. Knuth, *The Art of Computer Programming* 3, 6.4, linear probing.
struct VoxelPart: Sendable {
  /// The key in each place, or ``VoxelKey/none``.
  private(set) var keys: [UInt64]
  /// The voxel in each place.
  private(set) var voxels: [Voxel]
  /// The color in each place; empty as long as no point had one.
  private(set) var colors: [VoxelColor] = []
  /// The number of voxels.
  private(set) var count = 0
  private var placeBits = 6

  init() {
    keys = Array(repeating: VoxelKey.none, count: 1 << placeBits)
    voxels = Array(repeating: Voxel(), count: 1 << placeBits)
  }

  /// Takes in the points of one frame, in their order.
  ///
  /// - Parameters:
  ///   - points: Points of this part.
  ///   - frame: The number of the frame, above that of every frame before.
  ///   - hasColor: Whether the points have colors.
  ///   - independent: How many independent pixels *n* pixels of one frame are worth; more than there
  ///     are numbers are worth as much as the last.
  mutating func add(
    _ points: ArraySlice<VoxelPoint>, frame: UInt32, hasColor: Bool, independent: [Float]
  ) {
    if hasColor, colors.isEmpty {
      colors = Array(repeating: VoxelColor(), count: keys.count)
    }
    for point in points {
      if 4 &* (count &+ 1) > 3 &* keys.count { grow() }
      let place = place(of: point.key)
      if keys[place] == VoxelKey.none {
        keys[place] = point.key
        count += 1
      }
      voxels[place].add(point, frame: frame, independent: independent)
      if hasColor { colors[place].add(point.color, weight: point.weight) }
    }
  }

  /// The place that has the key, else the empty one where it belongs.
  @inline(__always)
  private func place(of key: UInt64) -> Int {
    let mask = keys.count &- 1
    // The six bits above chose the part.
    var place = Int(truncatingIfNeeded: (VoxelKey.hash(key) << 6) >> UInt64(64 &- placeBits))
    while keys[place] != key, keys[place] != VoxelKey.none { place = (place &+ 1) & mask }
    return place
  }

  /// Doubles the number of places.
  private mutating func grow() {
    let (oldKeys, oldVoxels, oldColors) = (keys, voxels, colors)
    placeBits += 1
    keys = Array(repeating: VoxelKey.none, count: 1 << placeBits)
    voxels = Array(repeating: Voxel(), count: 1 << placeBits)
    if !oldColors.isEmpty { colors = Array(repeating: VoxelColor(), count: 1 << placeBits) }
    for (old, key) in oldKeys.enumerated() where key != VoxelKey.none {
      let place = place(of: key)
      keys[place] = key
      voxels[place] = oldVoxels[old]
      if !oldColors.isEmpty { colors[place] = oldColors[old] }
    }
  }
}

extension Voxel {
  /// Takes in pixels of a frame.
  @inline(__always)
  fileprivate mutating func add(
    _ point: VoxelPoint, frame number: UInt32, independent: [Float]
  ) {
    if frame != number || weight == 0 {
      frame = number
      pixelsOfFrame = 0
      weightOfFrame = 0
    }
    let before = informationOfFrame(independent)
    pixelsOfFrame &+= UInt32(point.pixelCount)
    weightOfFrame += point.weight
    weight += point.weight
    information += informationOfFrame(independent) - before
    let share = point.weight / weight
    x += (point.x - x) * share
    y += (point.y - y) * share
    z += (point.z - z) * share
    sharedVariance += (point.sharedVariance - sharedVariance) * share
  }

  /// What the pixels of the last frame are worth: the mean weight times how many independent ones they
  /// are.
  @inline(__always)
  private func informationOfFrame(_ independent: [Float]) -> Float {
    guard pixelsOfFrame > 0 else { return 0 }
    let count = independent[min(Int(pixelsOfFrame), independent.count &- 1)]
    return count * weightOfFrame / Float(pixelsOfFrame)
  }
}
