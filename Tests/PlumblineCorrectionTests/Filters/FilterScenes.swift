import PlumblineModel
import PlumblineTestSupport

@testable import PlumblineCorrection

/// Maps for the laws of filters.
enum FilterScenes {
  static let sigma = SigmaCurve(constantMeters: 0.0005, perMeterSquared: 0.002)

  /// Surfaces at several depths with noise, holes, specks and mixed pixels.
  static func noisy(_ size: RasterSize, seed: UInt64, holes: Double = 0.1) -> DepthFrame {
    var random = SeededGenerator(seed: seed)
    let map = Raster(size: size) { x, y -> Float in
      if random.chance(holes) { return .nan }
      if random.chance(0.03) { return Float(random.uniform(in: 0.3..<3)) }
      let surface = (x / 9 + y / 7) % 3
      let depth = surface == 0 ? 0.5 : surface == 1 ? 1.1 + 0.004 * Double(x) : 2
      return Float(depth + random.gaussian(mean: 0, sigma: sigma.sigmaMeters(atDepth: depth)))
    }
    let levels = Raster(size: size) { _, _ in UInt8(random.integer(below: 3)) }
    let color = Raster(size: size) { _, _ in
      RGB8(
        red: UInt8(random.integer(below: 256)), green: UInt8(random.integer(below: 256)),
        blue: UInt8(random.integer(below: 256)))
    }
    return DepthFrame(
      depth: DepthMap(meters: map), sigma: sigma,
      confidence: ConfidenceMap(levels: levels, maximumLevel: 2), color: color)
  }

  /// The plane z = 1 / (a + b·x + c·y), as a pinhole camera sees a leaning wall.
  static func plane(_ a: Double, _ b: Double, _ c: Double, _ size: RasterSize) -> DepthFrame {
    let map = Raster(size: size) { x, y -> Float in
      let inverse: Double = a + b * Double(x) + c * Double(y)
      return Float(1 / inverse)
    }
    return DepthFrame(
      depth: DepthMap(meters: map), sigma: sigma,
      confidence: ConfidenceMap(levels: Raster(size: size, repeating: 2), maximumLevel: 2),
      color: Raster(size: size, repeating: RGB8(red: 90, green: 90, blue: 90)))
  }

  /// Every filter that keeps the map's size.
  static let filters: [any DepthFilter] = [
    RangeLimits(nearest: 0.4, farthest: 1.5), ConfidenceThreshold(leastLevel: 1),
    FlyingPixelRemoval(), SilhouetteRemoval(bandPixels: 2), SpeckleRemoval(minimumPixels: 20),
    BilateralFilter(), BilateralFilter(radiusPixels: 5, sigmaPixels: 3, sigmas: 4),
    JointBilateralFilter(), JointBilateralFilter(radiusPixels: 2, sigmas: nil), HoleFilling(),
    HoleFilling(rule: .left), HoleFilling(rule: .farthest), HoleFilling(rule: .nearest),
  ]

  /// Whether two maps have the same bits, NaN equal to NaN.
  static func same(_ a: Raster<Float>, _ b: Raster<Float>) -> Bool {
    a.size == b.size
      && zip(a.packed.samples, b.packed.samples).allSatisfy {
        $0 == $1 || ($0.isNaN && $1.isNaN)
      }
  }
}
