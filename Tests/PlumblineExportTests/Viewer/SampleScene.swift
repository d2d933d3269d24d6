import PlumblineModel
import PlumblineExport

/// A bust before a wall, ray-cast: exact depth, then noise, holes and steps as a phone makes them.
struct SampleScene {
  private struct Ellipsoid {
    var center: SIMD3<Double>
    var radii: SIMD3<Double>
    var color: SIMD3<Double>
  }

  private struct Hit {
    var depth: Double
    var normal: SIMD3<Double>
    var color: SIMD3<Double>
  }

  private static let shapes = [
    Ellipsoid(
      center: [0, 0.005, 0.45], radii: [0.078, 0.108, 0.092], color: [0.80, 0.62, 0.52]),
    Ellipsoid(
      center: [0, 0.018, 0.358], radii: [0.014, 0.026, 0.022], color: [0.82, 0.62, 0.52]),
    Ellipsoid(
      center: [-0.078, 0.01, 0.458], radii: [0.012, 0.03, 0.02], color: [0.76, 0.56, 0.46]),
    Ellipsoid(
      center: [0.078, 0.01, 0.458], radii: [0.012, 0.03, 0.02], color: [0.76, 0.56, 0.46]),
    Ellipsoid(
      center: [0, -0.055, 0.475], radii: [0.086, 0.085, 0.094], color: [0.22, 0.16, 0.13]),
    Ellipsoid(
      center: [0, 0.13, 0.475], radii: [0.046, 0.11, 0.05], color: [0.74, 0.56, 0.47]),
    Ellipsoid(
      center: [0, 0.285, 0.50], radii: [0.215, 0.135, 0.11], color: [0.22, 0.34, 0.46]),
  ]
  private static let wallDepth = 0.95

  let size: RasterSize
  private var seed: UInt64

  init(size: RasterSize = RasterSize(width: 432, height: 576), seed: UInt64 = 7) {
    self.size = size
    self.seed = seed
  }

  /// The focal length in pixels, that of a front camera.
  var focal: Double { 0.93 * Double(size.width) }

  /// The ray (x/z, y/z) through a pixel position.
  func ray(x: Double, y: Double) -> SIMD2<Double> {
    let center = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    return (SIMD2(x, y) - center) / focal
  }

  /// The scene as a report draws it.
  mutating func reportScene(withPhoto: Bool = true) -> ReportScene {
    var depth = Raster<Float>(size: size, repeating: .nan)
    var photo = Raster<RGB8>(size: size, repeating: RGB8(red: 0, green: 0, blue: 0))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let hit = hit(along: ray(x: Double(x), y: Double(y)))
        photo[x, y] = shaded(hit)
        depth[x, y] = measured(hit, x: x)
      }
    }
    return ReportScene(
      colorJPEG: withPhoto ? SampleJPEG.encoded(photo) : nil, depthMeters: depth, isMetric: true,
      rays: RayGrid(size: size) { ray(x: $0, y: $1) },
      sigma: SigmaCurve(constantMeters: 0.000_3, perMeter: 0.000_8, perMeterSquared: 0.005_5),
      lengthPercent: 0.6, displayOrientation: 1)
  }

  private func hit(along ray: SIMD2<Double>) -> Hit {
    let direction = SIMD3(ray.x, ray.y, 1)
    let at = ray * Self.wallDepth
    let isFrame = abs(at.x + 0.22) < 0.13 && abs(at.y + 0.25) < 0.16
    let isImage = abs(at.x + 0.22) < 0.115 && abs(at.y + 0.25) < 0.145
    let image = SIMD3(0.42 + at.x, 0.50 - at.y * 0.5, 0.56 + at.y)
    let wall = SIMD3(0.78, 0.77, 0.73) - 0.12 * max(0, at.y)
    var best = Hit(
      depth: isFrame ? Self.wallDepth - 0.02 : Self.wallDepth, normal: [0, 0, -1],
      color: isImage ? image : isFrame ? [0.32, 0.22, 0.15] : wall)
    for shape in Self.shapes {
      let scaled = direction / shape.radii
      let offset = shape.center / shape.radii
      let a = (scaled * scaled).sum()
      let b = (scaled * offset).sum()
      let root = b * b - a * ((offset * offset).sum() - 1)
      guard root > 0 else { continue }
      let depth = (b - root.squareRoot()) / a
      guard depth > 0, depth < best.depth else { continue }
      let normal = (direction * depth - shape.center) / (shape.radii * shape.radii)
      let length = (normal * normal).sum().squareRoot()
      best = Hit(depth: depth, normal: normal / length, color: shape.color)
    }
    return best
  }

  private mutating func shaded(_ hit: Hit) -> RGB8 {
    let light = SIMD3(-0.45, -0.62, -0.64)
    let lit = 0.32 + 0.72 * max(0, (hit.normal * light).sum()) + 0.015 * noise()
    let color = (hit.color * lit).clamped(
      lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
    return RGB8(
      red: UInt8(255 * color.x), green: UInt8(255 * color.y), blue: UInt8(255 * color.z))
  }

  // A disparity of 1/400 per meter steps, no answer at grazing surfaces, dark hair and the border.
  private mutating func measured(_ hit: Hit, x: Int) -> Float {
    let isGrazing = abs(hit.normal.z) < 0.22 && hit.depth < 0.9
    let isDark = hit.color.x < 0.3 && hit.color.z < 0.2 && noise() > 0.9
    if isGrazing || isDark || noise() > 2.9 || x < size.width / 60 { return .nan }
    let disparity = 1 / hit.depth + 0.001_5 * noise()
    return Float(1 / ((disparity * 400).rounded() / 400))
  }

  // About normal with a standard deviation of 1: the sum of twelve even draws (SplitMix64).
  private mutating func noise() -> Double {
    var sum = -6.0
    for _ in 0..<12 {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var bits = seed
      bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
      sum += Double((bits ^ bits >> 31) >> 11) / 9_007_199_254_740_992
    }
    return sum
  }
}
