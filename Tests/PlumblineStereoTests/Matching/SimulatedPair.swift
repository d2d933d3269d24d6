import PlumblineModel
import PlumblineSimulation
import PlumblineStereo

/// Two images of a leaning plane with a box before it, from smooth random texture, and the truth.
struct SimulatedPair {
  let pair: RectifiedPair
  let truth: Raster<Float>

  /// Draws a pair; `box` is how much nearer the box lies, in pixels of disparity.
  init(
    width: Int = 128, height: Int = 64, seed: UInt64, nearest: Double = 6, slope: Double = 0,
    box: Double = 0, noise: Double = 0, gain: Double = 1, offset: Double = 0
  ) {
    var random = SeededGenerator(seed: seed)
    // Waves of 3…16 pixels in all directions: band-limited, and exact at any position.
    let waves = (0..<12).map { _ -> (x: Double, y: Double, phase: Double) in
      let frequency = 2 * Double.pi / Double.random(in: 3...16, using: &random)
      let angle = Double.random(in: 0...(2 * Double.pi), using: &random)
      let direction = Self.direction(angle)
      return (
        frequency * direction.x, frequency * direction.y,
        Double.random(in: 0...(2 * Double.pi), using: &random)
      )
    }
    func texture(_ x: Double, _ y: Double) -> Double {
      120 + waves.reduce(0) { $0 + 14 * Self.direction($1.x * x + $1.y * y + $1.phase).x }
    }
    func isBox(_ x: Double, _ y: Int) -> Bool {
      box != 0 && x > Double(width) * 0.4 && x < Double(width) * 0.7 && y > height / 4
        && y < height * 3 / 4
    }
    func disparity(_ x: Double, _ y: Int) -> Double {
      isBox(x, y) ? nearest + box : nearest + slope * x
    }
    func code(_ value: Double) -> UInt8 {
      let spread = noise * (Double.random(in: -1...1, using: &random) * 3.0.squareRoot())
      return UInt8(min(max((value + spread).rounded(), 0), 255))
    }
    let size = RasterSize(width: width, height: height)
    truth = Raster(size: size) { x, y in Float(disparity(Double(x), y)) }
    let left = Raster<UInt8>(size: size) { x, y in
      code(texture(Double(x) + (isBox(Double(x), y) ? 500 : 0), Double(y)))
    }
    let right = Raster<UInt8>(size: size) { x, y in
      let onBox = Double(x) + nearest + box
      let source = isBox(onBox, y) ? onBox : (Double(x) + nearest) / (1 - slope)
      return code(gain * texture(source + (isBox(onBox, y) ? 500 : 0), Double(y)) + offset)
    }
    pair = RectifiedPair(left: left, right: right)
  }

  /// Cosine and sine by the Taylor series after reduction: tests need no C library.
  private static func direction(_ angle: Double) -> (x: Double, y: Double) {
    let reduced = angle.remainder(dividingBy: 2 * .pi)
    var (term, x, y) = (1.0, 0.0, 0.0)
    for n in 0..<16 {
      if n % 2 == 0 { x += n % 4 == 0 ? term : -term } else { y += n % 4 == 1 ? term : -term }
      term *= reduced / Double(n + 1)
    }
    return (x, y)
  }
}
