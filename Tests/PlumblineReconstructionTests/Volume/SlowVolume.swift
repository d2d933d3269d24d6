import PlumblineModel
import PlumblineReconstruction

/// The update of one voxel by the law, in double precision, one frame after another.
struct SlowVolume {
  let voxelMeters: Double
  private(set) var distance = 0.0
  private(set) var weight = 0.0
  /// Whether a decision of the law was so near that single precision may decide otherwise.
  private(set) var isUndecided = false

  init(voxelMeters: Double) {
    self.voxelMeters = voxelMeters
  }

  /// Adds a frame to the voxel at a place in meters.
  mutating func add(_ frame: ScanFrame, cameraFromWorld: RigidTransform, at point: SIMD3<Double>) {
    let inCamera = cameraFromWorld * point
    guard inCamera.z > 0 else { return }
    let place = frame.camera.project(inCamera)
    let pixel = (place + 0.5).rounded(.down)
    let beside = place + 0.5 - pixel
    if min(beside.min(), 1 - beside.max()) < 1e-3 { isUndecided = true }
    let (x, y) = (Int(pixel.x), Int(pixel.y))
    guard frame.depth.meters.contains(x: x, y: y), let q = inverse(frame, x, y) else { return }
    guard let across = side(inverse(frame, x - 1, y), q, inverse(frame, x + 1, y)),
      let down = side(inverse(frame, x, y - 1), q, inverse(frame, x, y + 1))
    else { return }
    let slopes = SIMD2(across.slope, down.slope)
    let ray = frame.camera.unproject(pixel, depth: 1)
    // The plane through the pixel's point with the slopes of 1/z.
    let ab = slopes * frame.camera.focalLength
    let plane = SIMD3(ab.x, ab.y, q - ab.x * ray.x - ab.y * ray.y)
    let length = (plane * plane).sum().squareRoot()
    let d = (1 - (plane * inCamera).sum()) / length
    let cosine = q / (length * (ray * ray).sum().squareRoot())
    let noise = Double(frame.noiseMeters[x, y])
    let shared = frame.shared.sigmaMeters(atDepth: 1 / q)
    let tau = min(
      max(3 * (noise * noise + shared * shared).squareRoot(), 2.5 * voxelMeters), 8 * voxelMeters)
    let factor = min(1, 1.5 * (d + tau) / tau)
    // Where the weight falls to 0, a micrometer of d is a large part of it.
    if abs(d - tau) < 1e-5 || abs(d + tau) < 1e-3 { isUndecided = true }
    // Two truncations behind the surface along the ray nothing is known.
    let surfaceDepth = inCamera.z / (plane * inCamera).sum()
    let behind = inCamera.z - surfaceDepth
    if abs(behind - 2 * tau) < 1e-5 { isUndecided = true }
    guard factor > 0, behind < 2 * tau else { return }
    let w = cosine * cosine / (noise * noise) * factor
    guard d > tau else {
      distance += w * (d - distance) / (weight + w)
      weight += w
      return
    }
    // Free space: it changes only what is solid, and is not said beside a nearer surface.
    if abs(distance) < 1e-5 && weight > 0 { isUndecided = true }
    guard distance < 0, !across.isBehind, !down.isBehind else { return }
    distance += w * (tau - distance) / (weight + w)
    weight = max(weight, min(weight + w, 4 * w))
  }

  private func inverse(_ frame: ScanFrame, _ x: Int, _ y: Int) -> Double? {
    guard frame.depth.meters.contains(x: x, y: y) else { return nil }
    let (depth, noise) = (frame.depth.meters[x, y], frame.noiseMeters[x, y])
    return depth > 0 && depth.isFinite && noise > 0 && noise.isFinite ? 1 / Double(depth) : nil
  }

  /// The slope, and whether a neighbor is a nearer surface; `nil` where no measured neighbor is one surface.
  private mutating func side(
    _ before: Double?, _ here: Double, _ after: Double?
  ) -> (slope: Double, isBehind: Bool)? {
    let neighbors = [before, after].compactMap { $0 }
    let steps = neighbors.map { abs($0 - here) / (0.05 * here) }
    if steps.contains(where: { abs($0 - 1) < 1e-3 }) { isUndecided = true }
    let isBehind = zip(neighbors, steps).contains { $0 > here && $1 > 1 }
    let near = [before.map { here - $0 }, after.map { $0 - here }].compactMap { $0 }
      .filter { abs($0) <= 0.05 * here }
    if near.isEmpty { return neighbors.isEmpty ? (0, isBehind) : nil }
    return (near.reduce(0, +) / Double(near.count), isBehind)
  }
}
