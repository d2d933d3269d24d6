package import PlumblineModel
import PlumblineSimulation

/// Smooth random structure, which has a value between pixels too.
package struct RandomTexture: Sendable {
  private var waves: [(frequency: SIMD2<Double>, phase: Double, size: Double)] = []

  /// Draws forty waves of 14 pixels and more.
  package init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      waves.append(
        (
          SIMD2(generator.uniform(in: -0.45..<0.45), generator.uniform(in: -0.45..<0.45)),
          generator.uniform(in: 0..<6.28), generator.uniform(in: 0.3..<1)
        ))
    }
  }

  /// The gray level at a position in pixels.
  package func level(at place: SIMD2<Double>) -> UInt8 {
    var sum = 0.0
    for wave in waves {
      // A wave without the math library: a parabola through a sine's zeros and peaks.
      let turn = (wave.frequency.x * place.x + wave.frequency.y * place.y + wave.phase) / 6.2831853
      let part = turn - turn.rounded(.down)
      sum += wave.size * (part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part))
    }
    return UInt8(max(0, min(255, 128 + 16 * sum)))
  }

  /// An image of it; `place` says where a pixel looks.
  package func image(
    _ size: RasterSize, at place: (SIMD2<Double>) -> SIMD2<Double> = { $0 }
  ) -> Raster<UInt8> {
    Raster(size: size) { x, y in level(at: place([Double(x), Double(y)])) }
  }
}
