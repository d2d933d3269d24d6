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

  /// The points in the order of the pixels; O(*n*).
  func points() -> (points: [VoxelPoint], outsideCount: Int) {
    let size = frame.depth.size
    var outsideCount = 0
    let points = [VoxelPoint](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      frame.depth.meters.packed.samples.withUnsafeBufferPointer { meters in
        frame.noiseMeters.packed.samples.withUnsafeBufferPointer { noise in
          frame.rays.xOverZ.packed.samples.withUnsafeBufferPointer { xOverZ in
            frame.rays.yOverZ.packed.samples.withUnsafeBufferPointer { yOverZ in
              let rasters = Rasters(meters: meters, noise: noise, xOverZ: xOverZ, yOverZ: yOverZ)
              for y in 0..<size.height {
                outsideCount += fill(row: y, of: rasters, into: buffer, &count)
              }
            }
          }
        }
      }
    }
    return (points, outsideCount)
  }

  private struct Rasters {
    let meters: UnsafeBufferPointer<Float>
    let noise: UnsafeBufferPointer<Float>
    let xOverZ: UnsafeBufferPointer<Float>
    let yOverZ: UnsafeBufferPointer<Float>
  }

  /// Appends the points of a row, and returns how many lie outside of the grid.
  private func fill(
    row y: Int, of rasters: Rasters, into buffer: UnsafeMutableBufferPointer<VoxelPoint>,
    _ count: inout Int
  ) -> Int {
    let width = frame.depth.size.width
    let (right, down, forward) = (
      frame.worldFromCamera.rotation.x * perMeter, frame.worldFromCamera.rotation.y * perMeter,
      frame.worldFromCamera.rotation.z * perMeter
    )
    // Counted from the grid's corner: above 0, where rounding toward 0 is rounding down.
    let origin = frame.worldFromCamera.translation * perMeter + VoxelKey.reach
    let last = 2 * VoxelKey.reach
    let constant = Float(frame.shared.constantMeters * frame.shared.constantMeters)
    let linear = Float(frame.shared.perMeter * frame.shared.perMeter)
    let quadratic = Float(frame.shared.perMeterSquared * frame.shared.perMeterSquared)
    var outsideCount = 0
    for x in 0..<width {
      let pixel = y &* width &+ x
      let z = rasters.meters[pixel]
      let noise = rasters.noise[pixel]
      // NaN and infinity fail one of these.
      guard z > 0, z < .infinity, noise >= 0, noise < .infinity else { continue }
      let (rayX, rayY) = (rasters.xOverZ[pixel], rasters.yOverZ[pixel])
      let depth = Double(z)
      let place =
        origin + (right * Double(rayX) + down * Double(rayY) + forward) * depth
      guard place.x >= 0, place.y >= 0, place.z >= 0, place.x < last, place.y < last,
        place.z < last
      else {
        outsideCount += 1
        continue
      }
      let (cellX, cellY, cellZ) = (Int(place.x), Int(place.y), Int(place.z))
      // The length of the ray over its depth: what is uncertain along z is so along the ray.
      let stretch = rayX * rayX + rayY * rayY + 1
      let own = max(noise, Self.leastNoise)
      let square = z * z
      buffer.initializeElement(
        at: count,
        to: VoxelPoint(
          key: VoxelKey.key(cellX, cellY, cellZ), x: Float(place.x - Double(cellX)),
          y: Float(place.y - Double(cellY)), z: Float(place.z - Double(cellZ)),
          information: 1 / (own * own * stretch),
          sharedVariance: (constant + linear * square + quadratic * square * square) * stretch,
          color: color(x, y)))
      count += 1
    }
    return outsideCount
  }

  /// The color of the nearest pixel by centers, as in ``PointCloud``.
  @inline(__always)
  private func color(_ x: Int, _ y: Int) -> RGB8 {
    guard let color = frame.color else { return RGB8(red: 0, green: 0, blue: 0) }
    let row = (2 * y + 1) * color.height / (2 * frame.depth.size.height)
    return color.samples[row &* color.rowStride &+ colorColumns[x]]
  }
}
