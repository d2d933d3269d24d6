import PlumblineGeometry
import PlumblineModel

/// The slow twin of ``VoxelGrid``: a dictionary of voxels, pixel after pixel, in double precision.
struct SlowVoxelGrid {
  struct Voxel {
    var weight = 0.0
    var place = SIMD3<Double>.zero
    var shared = 0.0
    var color = SIMD3<Double>.zero
    /// The weights of the pixels of each frame.
    var weightsOfFrames: [Int: [Double]] = [:]

    var mean: SIMD3<Double> { place / weight }
  }

  let sideMeters: Double
  let correlation: CorrelatedNoise
  let mapWidth: Int
  private(set) var voxels: [SIMD3<Int>: Voxel] = [:]

  init(sideMeters: Double, correlation: CorrelatedNoise, mapWidth: Int) {
    self.sideMeters = sideMeters
    self.correlation = correlation
    self.mapWidth = mapWidth
  }

  mutating func add(_ frame: VoxelFrame, number: Int) {
    for y in 0..<frame.depth.size.height {
      for x in 0..<frame.depth.size.width {
        let (z, noise) = (Double(frame.depth.meters[x, y]), Double(frame.noiseMeters[x, y]))
        guard z > 0, z.isFinite, noise.isFinite else { continue }
        let ray = SIMD3(Double(frame.rays.xOverZ[x, y]), Double(frame.rays.yOverZ[x, y]), 1)
        let point = frame.worldFromCamera * (ray * z)
        let cell = (point / sideMeters).rounded(.down)
        let stretch = (ray * ray).sum()
        let sigma = frame.shared.sigmaMeters(atDepth: z)
        add(
          point, to: SIMD3(Int(cell.x), Int(cell.y), Int(cell.z)),
          weight: 1 / (noise * noise * stretch), shared: sigma * sigma * stretch,
          color: color(of: frame, x, y), frame: number)
      }
    }
  }

  private func color(of frame: VoxelFrame, _ x: Int, _ y: Int) -> SIMD3<Double> {
    guard let color = frame.color else { return .zero }
    let size = frame.depth.size
    let pixel = color[
      (2 * x + 1) * color.width / (2 * size.width), (2 * y + 1) * color.height / (2 * size.height)]
    return SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue))
  }

  private mutating func add(
    _ point: SIMD3<Double>, to cell: SIMD3<Int>, weight: Double, shared: Double,
    color: SIMD3<Double>, frame: Int
  ) {
    var voxel = voxels[cell, default: Voxel()]
    voxel.weightsOfFrames[frame, default: []].append(weight)
    voxel.weight += weight
    voxel.place += point * weight
    voxel.shared += shared * weight
    voxel.color += color * weight
    voxels[cell] = voxel
  }

  /// One standard deviation of a voxel's mean, in meters.
  func sigma(of voxel: Voxel) -> Double {
    let information = voxel.weightsOfFrames.values.reduce(0) { sum, weights in
      let side = Double(min(weights.count, 256)).squareRoot()
      let independent = correlation.effectiveCount(ofMeanOver: side, mapWidth: mapWidth)
      return sum + independent * weights.reduce(0, +) / Double(weights.count)
    }
    return (1 / information + voxel.shared / voxel.weight).squareRoot()
  }
}
