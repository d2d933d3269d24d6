import PlumblineEffects
import PlumblineModel
import PlumblineSimulation

/// Scenes of seeded noise.
enum RandomScenes {
  static func color(_ size: RasterSize, _ random: inout SeededGenerator) -> Raster<RGB8> {
    Raster(size: size) { _, _ in
      RGB8(
        red: UInt8.random(in: 0...255, using: &random),
        green: UInt8.random(in: 0...255, using: &random),
        blue: UInt8.random(in: 0...255, using: &random))
    }
  }

  /// An image of noise whose left part, narrower than half, is nearer.
  static func steps(
    _ size: RasterSize, seed: UInt64, near: Float = 2, far: Float = 0.5, isMetric: Bool = true
  ) -> EffectScene {
    var random = SeededGenerator(seed: seed)
    return EffectScene(
      color: color(size, &random),
      disparity: Raster(size: size) { x, _ in 5 * x < 2 * size.width ? near : far },
      isMetric: isMetric)
  }

  /// Disparities of every kind that a file can hold.
  static func hostile(_ size: RasterSize, seed: UInt64, isMetric: Bool) -> EffectScene {
    var random = SeededGenerator(seed: seed)
    let strange: [Float] = [.nan, .infinity, -.infinity, -3, 0, -0.0, .leastNonzeroMagnitude, 7]
    let color = color(size, &random)
    var scene = EffectScene(
      color: color,
      disparity: Raster(size: size) { x, y in
        // One is plain, so that there is depth.
        x + y == 0 ? 1 : strange[Int.random(in: 0..<strange.count, using: &random)]
      },
      isMetric: isMetric)
    scene.sigma = .infinity
    return scene
  }

  /// Sizes at which windows, bands and pyramids end early.
  static let sizes = [(1, 1), (1, 9), (7, 1), (2, 2), (33, 18), (64, 48)].map {
    RasterSize(width: $0.0, height: $0.1)
  }
}
