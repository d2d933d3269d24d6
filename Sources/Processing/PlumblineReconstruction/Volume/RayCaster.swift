import PlumblineModel

/// Follows the rays of one camera through a volume.
struct RayCaster {
  var sampler: VolumeSampler
  let camera: PinholeIntrinsics
  let worldFromCamera: RigidTransform
  let voxelMeters: Double

  /// The first surface between two depths that faces the camera; `nil` for none.
  mutating func cast(x: Int, y: Int, range: ClosedRange<Double>) -> ViewPixel? {
    let ray = camera.unproject(SIMD2(Double(x), Double(y)), depth: 1)
    // In voxels, for a depth of one meter.
    let direction = (worldFromCamera.rotation * ray) / voxelMeters
    let origin = worldFromCamera.translation / voxelMeters
    let voxelsPerMeter = (direction * direction).sum().squareRoot()
    var depth = range.lowerBound
    var lastFree: Double?
    while depth <= range.upperBound {
      let point = origin + direction * depth
      guard let key = BlockKey(containing: point / Double(BlockKey.side)) else { return nil }
      guard sampler.place(of: key) != nil else {
        lastFree = nil
        depth += exit(of: key, from: point, direction)
        continue
      }
      let nearest = point.rounded(.toNearestOrAwayFromZero)
      guard let voxel = sampler.voxel(Int(nearest.x), Int(nearest.y), Int(nearest.z)) else {
        lastFree = nil
        depth += 0.5 / voxelsPerMeter
        continue
      }
      if voxel.distance < 0 {
        guard let lastFree else { return nil }
        return hit(origin, direction, between: lastFree, and: depth)
      }
      lastFree = depth
      depth += max(0.8 * Double(voxel.distance) / voxelMeters, 0.5) / voxelsPerMeter
    }
    return nil
  }

  /// Meters of depth from a point to just behind the end of its block.
  private func exit(
    of key: BlockKey, from point: SIMD3<Double>, _ direction: SIMD3<Double>
  ) -> Double {
    let first = key.firstVoxel
    var least = Double.infinity
    for axis in 0..<3 where direction[axis] != 0 {
      let end = first[axis] + (direction[axis] > 0 ? Double(BlockKey.side) : 0)
      least = min(least, (end - point[axis]) / direction[axis])
    }
    // A thousandth of a voxel more, so that rounding cannot keep the ray in the block.
    let step = 1e-3 / (direction * direction).sum().squareRoot()
    return max(0, least) + step
  }

  /// The zero between a free and a solid place, by regula falsi on trilinear distances.
  private mutating func hit(
    _ origin: SIMD3<Double>, _ direction: SIMD3<Double>, between free: Double, and solid: Double
  ) -> ViewPixel? {
    // Nearest voxels changed sign; the trilinear distance may change up to a voxel beside.
    let margin = 1 / (direction * direction).sum().squareRoot()
    var (near, far) = (free, solid)
    guard var front = sampler.sample(origin + direction * near)?.x,
      var back = sampler.sample(origin + direction * far)?.x
    else { return nil }
    if back >= 0 {
      far += margin
      guard let value = sampler.sample(origin + direction * far)?.x else { return nil }
      back = value
    }
    if front < 0 {
      near -= margin
      guard let value = sampler.sample(origin + direction * near)?.x else { return nil }
      front = value
    }
    guard front >= 0, back < 0 else { return nil }
    var depth = near
    for _ in 0..<3 {
      depth = near + (far - near) * Double(front / (front - back))
      guard let value = sampler.sample(origin + direction * depth)?.x else { return nil }
      if value >= 0 { (near, front) = (depth, value) } else { (far, back) = (depth, value) }
    }
    depth = near + (far - near) * Double(front / (front - back))
    return pixel(at: origin + direction * depth, direction, depth: depth)
  }

  private mutating func pixel(
    at point: SIMD3<Double>, _ direction: SIMD3<Double>, depth: Double
  ) -> ViewPixel? {
    guard let weight = sampler.sample(point)?.y, let normal = sampler.normal(point),
      (normal * direction).sum() < 0
    else { return nil }
    let nearest = point.rounded(.toNearestOrAwayFromZero)
    let (x, y, z) = (Int(nearest.x), Int(nearest.y), Int(nearest.z))
    guard let place = sampler.place(of: BlockKey(x >> 3, y >> 3, z >> 3)) else { return nil }
    let slab = sampler.slabs[place >> 6]
    let views = slab.views[place & 63]
    let inCamera = worldFromCamera.rotation.inverse * normal
    let shared =
      views.count > 0 ? views.sharedVariance / Float(views.count) : .nan
    let color = slab.color(block: place & 63, x: x & 7, y: y & 7, z: z & 7) ?? .zero
    return ViewPixel(
      depth: Float(depth),
      normal: PackedPoint(x: Float(inCamera.x), y: Float(inCamera.y), z: Float(inCamera.z)),
      sigma: (1 / weight + shared).squareRoot(),
      color: RGB8(
        red: UInt8(color.x.rounded()), green: UInt8(color.y.rounded()),
        blue: UInt8(color.z.rounded())))
  }
}
