/// Reads a volume at any place.
struct VolumeSampler {
  let index: BlockIndex
  let slabs: UnsafeBufferPointer<BlockSlab>
  private var lastKey = BlockKey(bits: .max)
  private var lastPlace: Int?

  init(index: BlockIndex, slabs: UnsafeBufferPointer<BlockSlab>) {
    self.index = index
    self.slabs = slabs
  }

  /// The place of a block; `nil` for none.
  mutating func place(of key: BlockKey) -> Int? {
    if key != lastKey {
      lastKey = key
      lastPlace = index.place(of: key)
    }
    return lastPlace
  }

  /// Distance and weight of a voxel; `nil` where nothing was seen.
  @inline(__always)
  mutating func voxel(_ x: Int, _ y: Int, _ z: Int) -> (distance: Float, weight: Float)? {
    guard let place = place(of: BlockKey(x >> 3, y >> 3, z >> 3)) else { return nil }
    let found = slabs[place >> 6].voxel(block: place & 63, x: x & 7, y: y & 7, z: z & 7)
    return found.weight > 0 ? found : nil
  }

  /// Distance and weight, trilinear between the eight voxels around a point in voxels; `nil` if one was not seen.
  mutating func sample(_ point: SIMD3<Double>) -> SIMD2<Float>? {
    let floor = point.rounded(.down)
    let (x, y, z) = (Int(floor.x), Int(floor.y), Int(floor.z))
    let part = SIMD3<Float>(point - floor)
    var sum = SIMD2<Float>.zero
    for corner in 0..<8 {
      let (dx, dy, dz) = (corner & 1, corner >> 1 & 1, corner >> 2)
      guard let voxel = voxel(x + dx, y + dy, z + dz) else { return nil }
      let share =
        (dx == 1 ? part.x : 1 - part.x) * (dy == 1 ? part.y : 1 - part.y)
        * (dz == 1 ? part.z : 1 - part.z)
      sum += share * SIMD2(voxel.distance, voxel.weight)
    }
    return sum
  }

  /// The direction in which the distance grows, a unit vector; `nil` where it is not known.
  mutating func normal(_ point: SIMD3<Double>) -> SIMD3<Double>? {
    var gradient = SIMD3<Double>.zero
    for axis in 0..<3 {
      var step = SIMD3<Double>.zero
      step[axis] = 1
      guard let after = sample(point + step), let before = sample(point - step) else { return nil }
      gradient[axis] = Double(after.x - before.x)
    }
    let length = (gradient * gradient).sum().squareRoot()
    return length > 0 ? gradient / length : nil
  }
}
