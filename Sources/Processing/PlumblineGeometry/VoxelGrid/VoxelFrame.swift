package import PlumblineModel

/// The depths of one frame as a ``VoxelGrid`` takes them: with pose, rays and the ± of each pixel.
package struct VoxelFrame: Sendable {
  /// Meters along the optical axis; missing pixels are left out.
  package var depth: DepthMap
  /// One standard deviation of each pixel's own noise along the optical axis, in meters; a pixel
  /// where it is not finite is left out.
  package var noiseMeters: Raster<Float>
  /// The error that all pixels of all frames share, along the optical axis; no mean lowers it.
  package var shared: SigmaCurve
  /// The ray of each pixel.
  package var rays: RayMap
  /// Any size with the field of view of the depth map; `nil` for none.
  package var color: Raster<RGB8>?
  /// The camera's pose.
  package var worldFromCamera: RigidTransform

  /// Collects a frame.
  ///
  /// - Precondition: ± and rays have the size of the map; a color image has pixels.
  package init(
    depth: DepthMap, noiseMeters: Raster<Float>, shared: SigmaCurve, rays: RayMap,
    color: Raster<RGB8>? = nil, worldFromCamera: RigidTransform
  ) {
    precondition(
      noiseMeters.size == depth.size && rays.size == depth.size,
      "a ± of \(noiseMeters.size) and rays of \(rays.size) for a map of \(depth.size)")
    precondition(color?.size.pixelCount != 0, "a color image without pixels")
    self.depth = depth
    self.noiseMeters = noiseMeters
    self.shared = shared
    self.rays = rays
    self.color = color
    self.worldFromCamera = worldFromCamera
  }
}

/// Neighboring pixels of one row of a map that lie in one voxel: their weighted mean.
///
/// A pixel weighs one over the variance of its own noise along its ray.
struct VoxelPoint: BitwiseCopyable {
  /// The voxel; see ``VoxelKey``.
  var key: UInt64
  /// The place in the voxel, in sides of the voxel: 0 to 1.
  var x: Float
  var y: Float
  var z: Float
  /// The weights of its pixels together, in 1/m².
  var weight: Float
  /// The variance of the shared error along the rays, in m².
  var sharedVariance: Float
  /// The color; black without any.
  var color: RGB8
  /// The number of its pixels, at most 255.
  var pixelCount: UInt8
}

/// The measured pixels of one frame in the world, sorted by the part of the grid they belong to.
package struct VoxelPoints: Sendable {
  /// Runs of pixels, in each part in the order of the pixels.
  let points: [VoxelPoint]
  /// Where the points of each part start, and at last their number.
  let starts: [Int]
  /// Whether they have colors.
  let hasColor: Bool
  /// The number of pixels in them.
  let pixelCount: Int
  /// Pixels that lie outside of what a grid can hold.
  let outsideCount: Int

  /// Unprojects the pixels of a frame into the world; O(*n*).
  init(_ frame: VoxelFrame, sideMeters: Double) {
    let unprojection = VoxelUnprojection(frame, sideMeters: sideMeters)
    let found = unprojection.points()
    pixelCount = found.pixelCount
    outsideCount = found.outsideCount
    hasColor = frame.color != nil
    var starts = [Int](repeating: 0, count: VoxelKey.partCount + 1)
    for point in found.points { starts[VoxelKey.part(of: point.key) + 1] += 1 }
    for part in 0..<VoxelKey.partCount { starts[part + 1] += starts[part] }
    var next = starts
    points = [VoxelPoint](unsafeUninitializedCapacity: found.points.count) { buffer, count in
      for point in found.points {
        let part = VoxelKey.part(of: point.key)
        buffer.initializeElement(at: next[part], to: point)
        next[part] += 1
      }
      count = found.points.count
    }
    self.starts = starts
  }
}

/// The name of a voxel: its three whole coordinates, each with 21 bits.
enum VoxelKey {
  /// Coordinates reach from minus this to this, without the latter.
  static let reach: Double = 1_048_576
  /// The parts of a grid, each of which one thread fills: enough for any machine, and small enough
  /// that a part stays in a cache.
  static let partCount = 64
  /// No voxel has this key.
  static let none = UInt64.max

  /// The key of coordinates that are counted from −``reach``.
  @inline(__always)
  static func key(_ x: Int, _ y: Int, _ z: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: x << 42 | y << 21 | z)
  }

  /// The corner of a voxel with the least coordinates, in sides of a voxel.
  static func corner(of key: UInt64) -> SIMD3<Double> {
    let mask: UInt64 = 0x1F_FFFF
    return SIMD3(Double(key >> 42 & mask), Double(key >> 21 & mask), Double(key & mask)) - reach
  }

  /// Spreads keys evenly.
  ///
  /// - Source: Knuth, *The Art of Computer Programming* 3, 6.4: multiplication by 2⁶⁴ over the
  ///   golden ratio; the upper bits are the good ones.
  @inline(__always)
  static func hash(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }

  /// The part of the grid that a voxel belongs to: the upper six bits of its hash.
  @inline(__always)
  static func part(of key: UInt64) -> Int { Int(truncatingIfNeeded: hash(key) >> 58) }
}
