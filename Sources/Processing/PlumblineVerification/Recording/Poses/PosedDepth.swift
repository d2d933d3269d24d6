package import PlumblineCorrection
package import PlumblineModel

/// The depths of one frame that can be compared with those of others: fully trusted, off every edge.
///
/// A map with more than ``maximumPixels`` is thinned to every *n*-th column and row, so that the cost
/// of a comparison does not depend on its size.
package struct PosedDepth: Sendable {
  /// About the pixels of a LiDAR map.
  static let maximumPixels = 256 * 192
  /// A pixel lies at an edge where the depths within two pixels differ by more than this share.
  ///
  /// - Source: `Documentation/recordings.md`; on a LiDAR recording such edges cover a quarter of the
  ///   pixels, and with full confidence leave 0.7 % that another view sees through.
  static let edgeShare: Float = 0.05

  /// The pose of the camera.
  package var worldFromCamera: RigidTransform
  /// The camera of the map as stored.
  let calibration: CameraCalibration
  /// The ± of a depth, as the frame is assessed; `nil` when the sensor is not known.
  let sigma: SigmaCurve?
  /// Every so many-th column and row of the map is in ``inverse``.
  let step: Int
  /// One over the depth of each trusted pixel, in 1/m; NaN elsewhere.
  let inverse: Raster<Float>
  /// One over the depth of each pixel of full confidence, in 1/m; NaN elsewhere.
  private let measured: Raster<Float>
  private let xOverZ: Raster<Float>
  private let yOverZ: Raster<Float>

  /// Chooses the pixels of a map; O(*n*).
  ///
  /// - Parameters:
  ///   - corrected: The map.
  ///   - confidence: The sensor's rating of the map's pixels; only those of its maximum are taken.
  ///   - sigma: The ± of a depth; `nil` when it is not known.
  ///   - worldFromCamera: The pose.
  ///
  /// It is `nil` for a map without a calibration that fits it.
  package init?(
    _ corrected: CorrectedDepth, confidence: ConfidenceMap?, sigma: SigmaCurve?,
    worldFromCamera: RigidTransform
  ) {
    guard let calibration = corrected.calibration, let rays = corrected.rays,
      rays.size == corrected.depth.size
    else { return nil }
    let size = corrected.depth.size
    let shrinkage = (Double(size.pixelCount) / Double(Self.maximumPixels)).squareRoot()
    let step = max(1, Int(shrinkage.rounded(.up)))
    let thin = RasterSize(
      width: (size.width + step - 1) / step, height: (size.height + step - 1) / step)
    func thinned(_ raster: Raster<Float>) -> Raster<Float> {
      step == 1 ? raster.packed : Raster(size: thin) { x, y in raster[x * step, y * step] }
    }
    var depth = thinned(corrected.depth.meters)
    if let confidence, confidence.levels.size == size {
      for y in 0..<thin.height {
        for x in 0..<thin.width
        where confidence.levels[x * step, y * step] < confidence.maximumLevel {
          depth[x, y] = .nan
        }
      }
    }
    self.worldFromCamera = worldFromCamera
    self.calibration = calibration
    self.sigma = sigma
    self.step = step
    xOverZ = thinned(rays.xOverZ)
    yOverZ = thinned(rays.yOverZ)
    measured = depth.map { $0 > 0 ? 1 / $0 : .nan }
    inverse = Self.inverseOffEdges(depth)
  }

  /// The inverse of each depth all of whose neighbors within two pixels are measured and near it.
  private static func inverseOffEdges(_ depth: Raster<Float>) -> Raster<Float> {
    let (width, height) = (depth.width, depth.height)
    var least = [Float](repeating: .nan, count: width * height)
    var most = least
    // First along rows, then along columns; a comparison with NaN is false, so it is asked for.
    for y in 0..<height {
      for x in 2..<max(2, width - 2) {
        var (low, high) = (Float.infinity, Float(0))
        for u in x - 2...x + 2 {
          let z = depth.samples[y * width + u]
          guard z > 0, z < .infinity else {
            low = .nan
            break
          }
          (low, high) = (min(low, z), max(high, z))
        }
        (least[y * width + x], most[y * width + x]) = (low, high)
      }
    }
    return Raster(size: depth.size) { x, y in
      guard y >= 2, y < height - 2 else { return .nan }
      var (low, high) = (Float.infinity, Float(0))
      for v in y - 2...y + 2 {
        let z = least[v * width + x]
        guard z > 0 else { return .nan }
        (low, high) = (min(low, z), max(high, most[v * width + x]))
      }
      let z = depth.samples[y * width + x]
      return high - low <= edgeShare * z ? 1 / z : .nan
    }
  }

  /// The points of every `stride`-th trusted pixel in each direction, in the camera's frame.
  func points(stride: Int) -> [SIMD3<Double>] {
    var points: [SIMD3<Double>] = []
    for y in Swift.stride(from: 0, to: inverse.height, by: stride) {
      for x in Swift.stride(from: 0, to: inverse.width, by: stride) {
        let z = 1 / Double(inverse[x, y])
        guard z > 0 else { continue }
        points.append(SIMD3(Double(xOverZ[x, y]) * z, Double(yOverZ[x, y]) * z, z))
      }
    }
    return points
  }

  /// The plane that passes through the surface around a place of the map: `n` with `n·p = 1`.
  ///
  /// The inverse depth between four pixels, with the slope from two pixels on either side.
  ///
  /// - Parameter point: A point of the camera's frame before the camera.
  /// - Returns: `n` in 1/m and the depth of the surface there; `nil` where the point's pixel is
  ///   outside of the map or not trusted.
  func plane(at point: SIMD3<Double>) -> (normal: SIMD3<Double>, depth: Double)? {
    let pixel = calibration.pixel(of: point) / Double(step)
    guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(inverse.width - 1),
      pixel.y < Double(inverse.height - 1)
    else { return nil }
    let (x, y) = (Int(pixel.x), Int(pixel.y))
    let (u, v) = (pixel.x - Double(x), pixel.y - Double(y))
    func value(_ x: Int, _ y: Int) -> Double { Double(inverse[x, y]) }
    let upper = value(x, y) * (1 - u) + value(x + 1, y) * u
    let lower = value(x, y + 1) * (1 - u) + value(x + 1, y + 1) * u
    let middle = upper * (1 - v) + lower * v
    // NaN where one of the four is not trusted.
    guard middle > 0 else { return nil }
    let slope = slope(u < 0.5 ? x : x + 1, v < 0.5 ? y : y + 1)
    return (normal(inverse: middle, slope: slope, along: point), 1 / middle)
  }

  /// The plane `n·p = 1` of a surface on the ray of a point, by its inverse depth and its slope there.
  private func normal(
    inverse: Double, slope: SIMD2<Double>, along point: SIMD3<Double>
  ) -> SIMD3<Double> {
    let focal = calibration.intrinsics.focalLength / Double(step)
    let (perX, perY) = (slope.x * focal.x, slope.y * focal.y)
    return SIMD3(perX, perY, inverse - perX * point.x / point.z - perY * point.y / point.z)
  }

  /// The points of every `stride`-th pixel in each direction whose surface is flat over four pixels,
  /// however steep it is, with their planes `n·p = 1`.
  ///
  /// Inverse depth is linear on planes: a bend of a hundredth is an edge or a curve.
  func flatPoints(stride: Int) -> [(point: SIMD3<Double>, normal: SIMD3<Double>)] {
    var points: [(point: SIMD3<Double>, normal: SIMD3<Double>)] = []
    for y in Swift.stride(from: 2, to: measured.height - 2, by: stride) {
      for x in Swift.stride(from: 2, to: measured.width - 2, by: stride) {
        let middle = measured[x, y]
        let across = measured[x + 2, y] + measured[x - 2, y] - 2 * middle
        let down = measured[x, y + 2] + measured[x, y - 2] - 2 * middle
        // NaN, where one of the five is missing, fails.
        guard max(abs(across), abs(down)) <= 0.01 * middle, !across.isNaN, !down.isNaN else {
          continue
        }
        let z = 1 / Double(middle)
        let point = SIMD3(Double(xOverZ[x, y]) * z, Double(yOverZ[x, y]) * z, z)
        points.append(
          (point, normal(inverse: Double(middle), slope: slope(x, y), along: point)))
      }
    }
    return points
  }

  /// The change of inverse depth for a pixel, along rows and columns, at a trusted pixel: all within
  /// two pixels of it are measured.
  private func slope(_ x: Int, _ y: Int) -> SIMD2<Double> {
    SIMD2(
      Double(measured[x + 2, y] - measured[x - 2, y]),
      Double(measured[x, y + 2] - measured[x, y - 2])) / 4
  }
}
