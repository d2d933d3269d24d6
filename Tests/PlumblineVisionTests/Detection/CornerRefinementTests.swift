import Foundation
import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct CornerRefinementTests {
  /// The root mean square error in pixels over corners that start up to a distance away.
  private func error(
    _ shape: SimulatedCorner.Shape, radius: Int, startingWithin distance: Double = 1.2,
    corners: Int = 40
  ) throws -> Double {
    var random = SeededGenerator(seed: 7)
    var sum = 0.0
    for _ in 0..<corners {
      let picture = SimulatedCorner(shape, using: &random)
      let start = picture.corner + offset(within: distance, using: &random)
      let found = try #require(
        CornerRefinement(radius: radius).refined(start, in: picture.luma), "from \(start)")
      let miss = found - picture.corner
      sum += (miss * miss).sum()
    }
    return (sum / Double(corners)).squareRoot()
  }

  private func offset(within distance: Double, using random: inout SeededGenerator) -> SIMD2<Double>
  {
    let turn = random.uniform(in: 0..<(2 * .pi))
    return SIMD2(cos(turn), sin(turn)) * random.uniform(in: 0..<distance)
  }

  @Test(
    "Without noise a corner is found within 0.02 pixels, whatever blur and slant",
    arguments: [(20.0, 6), (12, 5), (8, 3)], [0, 0.7, 1.2])
  func noiseless(square: (pixels: Double, radius: Int), blur: Double) throws {
    let shape = SimulatedCorner.Shape(squarePixels: square.pixels, blurPixels: blur)
    #expect(try error(shape, radius: square.radius) < 0.02, "pixels")
  }
}
