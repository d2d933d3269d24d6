import PlumblineModel
import PlumblineReconstruction

/// A ray through a volume in small steps, in double precision, one voxel at a time.
struct SlowRays {
  let volume: SurfaceVolume

  /// The depth of the first change from free to solid that faces the camera, and the normal in the world; `nil`
  /// for none.
  ///
  /// Steps of a twentieth of a voxel, and the zero of the straight line between the two last ones.
  func first(
    from origin: SIMD3<Double>, along ray: SIMD3<Double>, to farthest: Double
  ) -> (depth: Double, normal: SIMD3<Double>)? {
    let voxel = volume.settings.voxelMeters
    let step = 0.05 * voxel
    var before: Double?
    for number in 0..<Int(farthest / step) {
      let depth = Double(number) * step
      guard let value = distance((origin + ray * depth) / voxel) else {
        before = nil
        continue
      }
      guard value < 0 else {
        before = value
        continue
      }
      guard let free = before else { return nil }
      let zero = depth - step * value / (value - free)
      return normal((origin + ray * zero) / voxel).map { (zero, $0) }
    }
    return nil
  }

  /// Trilinear, at a place in voxels; `nil` if one of the eight voxels was not seen.
  private func distance(_ place: SIMD3<Double>) -> Double? {
    let floor = place.rounded(.down)
    let part = place - floor
    var sum = 0.0
    for corner in 0..<8 {
      let bits = SIMD3(corner & 1, corner >> 1 & 1, corner >> 2)
      guard
        let voxel = volume.voxel(
          Int(floor.x) + bits.x, Int(floor.y) + bits.y, Int(floor.z) + bits.z)
      else { return nil }
      let shares = (0..<3).map { bits[$0] == 1 ? part[$0] : 1 - part[$0] }
      sum += shares[0] * shares[1] * shares[2] * Double(voxel.distance)
    }
    return sum
  }

  private func normal(_ place: SIMD3<Double>) -> SIMD3<Double>? {
    var gradient = SIMD3<Double>.zero
    for axis in 0..<3 {
      var step = SIMD3<Double>.zero
      step[axis] = 1
      guard let after = distance(place + step), let before = distance(place - step) else {
        return nil
      }
      gradient[axis] = after - before
    }
    return gradient / (gradient * gradient).sum().squareRoot()
  }
}
