import PlumblineModel

/// Brings the measured pixels of one frame into the voxels of the world.
struct VoxelUnprojection {
  private let frame: VoxelFrame
  private let perMeter: Double
  /// The column of the color image for each column of the map.
  private let colorColumns: [Int]
  /// The least noise that counts, in meters: one micrometer, so that a map without any has a weight.
  private static let leastNoise: Float = 1e-6

  init(_ frame: VoxelFrame, sideMeters: Double) {
    self.frame = frame
    perMeter = 1 / sideMeters
    let width = frame.depth.size.width
    colorColumns =
      frame.color.map { color in (0..<width).map { (2 * $0 + 1) * color.width / (2 * width) } }
      ?? []
  }

  /// What became of the pixels.
  struct Result {
    /// Runs of pixels, in the order of the pixels.
    var points: [VoxelPoint] = []
    /// The pixels in them.
    var pixelCount = 0
    /// The pixels outside of the grid.
    var outsideCount = 0
  }

  /// Brings the pixels into the world, row after row; O(*n*).
  func points() -> Result {
    let size = frame.depth.size
    var result = Result()
    var (pixelCount, outsideCount) = (0, 0)
    result.points = [VoxelPoint](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      frame.depth.meters.packed.samples.withUnsafeBufferPointer { meters in
        frame.noiseMeters.packed.samples.withUnsafeBufferPointer { noise in
          frame.rays.xOverZ.packed.samples.withUnsafeBufferPointer { xOverZ in
            frame.rays.yOverZ.packed.samples.withUnsafeBufferPointer { yOverZ in
              let rasters = Rasters(meters: meters, noise: noise, xOverZ: xOverZ, yOverZ: yOverZ)
              for y in 0..<size.height {
                let row = fill(row: y, of: rasters, into: buffer, &count)
                pixelCount += row.pixels
                outsideCount += row.outside
              }
            }
          }
        }
      }
    }
    (result.pixelCount, result.outsideCount) = (pixelCount, outsideCount)
    return result
  }

  private struct Rasters {
    let meters: UnsafeBufferPointer<Float>
    let noise: UnsafeBufferPointer<Float>
    let xOverZ: UnsafeBufferPointer<Float>
    let yOverZ: UnsafeBufferPointer<Float>
  }

  /// Appends the runs of a row, and returns how many pixels lie in and outside of the grid.
  private func fill(
    row y: Int, of rasters: Rasters, into buffer: UnsafeMutableBufferPointer<VoxelPoint>,
    _ count: inout Int
  ) -> (pixels: Int, outside: Int) {
    let width = frame.depth.size.width
    let (right, down, forward) = (
      frame.worldFromCamera.rotation.x * perMeter, frame.worldFromCamera.rotation.y * perMeter,
      frame.worldFromCamera.rotation.z * perMeter
    )
    // Counted from the grid's corner: above 0, where rounding toward 0 is rounding down.
    let origin = frame.worldFromCamera.translation * perMeter + VoxelKey.reach
    let last = 2 * VoxelKey.reach
    let shared = frame.shared
    let constant = Float(shared.constantMeters * shared.constantMeters)
    let linear = Float(shared.perMeter * shared.perMeter)
    let quadratic = Float(shared.perMeterSquared * shared.perMeterSquared)
    var run = VoxelRun()
    var (pixels, outside) = (0, 0)
    for x in 0..<width {
      let pixel = y &* width &+ x
      let z = rasters.meters[pixel]
      let noise = rasters.noise[pixel]
      // NaN and infinity fail one of these.
      guard z > 0, z < .infinity, noise >= 0, noise < .infinity else { continue }
      let (rayX, rayY) = (rasters.xOverZ[pixel], rasters.yOverZ[pixel])
      let place =
        origin + (right * Double(rayX) + down * Double(rayY) + forward) * Double(z)
      guard place.x >= 0, place.y >= 0, place.z >= 0, place.x < last, place.y < last,
        place.z < last
      else {
        outside += 1
        continue
      }
      pixels += 1
      let (cellX, cellY, cellZ) = (Int(place.x), Int(place.y), Int(place.z))
      let key = VoxelKey.key(cellX, cellY, cellZ)
      if key != run.key || run.count == 255 {
        run.flush(into: buffer, &count)
        run = VoxelRun(key: key)
      }
      // The length of the ray over its depth: what is uncertain along z is so along the ray.
      let stretch = rayX * rayX + rayY * rayY + 1
      let own = max(noise, Self.leastNoise)
      let square = z * z
      run.add(
        SIMD4(
          Float(place.x - Double(cellX)), Float(place.y - Double(cellY)),
          Float(place.z - Double(cellZ)),
          (constant + linear * square + quadratic * square * square) * stretch),
        color: color(x, y), weight: 1 / (own * own * stretch))
    }
    run.flush(into: buffer, &count)
    return (pixels, outside)
  }

  /// The color of the nearest pixel by centers, as in ``PointCloud``.
  @inline(__always)
  private func color(_ x: Int, _ y: Int) -> RGB8? {
    guard let color = frame.color else { return nil }
    let row = (2 * y + 1) * color.height / (2 * frame.depth.size.height)
    return color.samples[row &* color.rowStride &+ colorColumns[x]]
  }
}

/// Sums over neighboring pixels in one voxel.
private struct VoxelRun {
  var key = VoxelKey.none
  var count = 0
  private var weight: Float = 0
  /// Of the place and of the shared variance, weighted.
  private var sum = SIMD4<Float>.zero
  private var colorSum = SIMD3<Float>.zero

  init() {}

  init(key: UInt64) { self.key = key }

  @inline(__always)
  mutating func add(_ values: SIMD4<Float>, color: RGB8?, weight added: Float) {
    count &+= 1
    weight += added
    sum += values * added
    if let color {
      colorSum += SIMD3(Float(color.red), Float(color.green), Float(color.blue)) * added
    }
  }

  /// Appends the mean, if there is any pixel.
  @inline(__always)
  func flush(into buffer: UnsafeMutableBufferPointer<VoxelPoint>, _ index: inout Int) {
    guard count > 0 else { return }
    let mean = sum / weight
    let color = pointwiseMin(colorSum / weight + 0.5, SIMD3(repeating: 255))
    buffer.initializeElement(
      at: index,
      to: VoxelPoint(
        key: key, x: mean.x, y: mean.y, z: mean.z, weight: weight, sharedVariance: mean.w,
        color: RGB8(red: UInt8(color.x), green: UInt8(color.y), blue: UInt8(color.z)),
        pixelCount: UInt8(count)))
    index &+= 1
  }
}
