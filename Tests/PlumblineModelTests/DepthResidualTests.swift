import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("An estimate minus what was measured")
struct DepthResidualTests {
  private static let size = RasterSize(width: 13, height: 7)

  private func map(_ seed: UInt64) -> DepthMap {
    var generator = SeededGenerator(seed: seed)
    return DepthMap(
      meters: Raster(size: Self.size) { _, _ in
        switch UInt8.random(in: 0..<8, using: &generator) {
        case 0: .nan
        case 1: 0
        case 2: .infinity
        default: Float.random(in: 0.2...9, using: &generator)
        }
      })
  }

  @Test("It is there exactly where both are, with the ± of the measurement", arguments: 0..<8)
  func law(seed: Int) {
    let (estimate, measured) = (map(UInt64(seed)), map(UInt64(seed) + 100))
    let residual = DepthResidual(estimate: estimate, measured: measured) { 0.01 * $0 }
    var count = 0
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let (own, real) = (estimate.meters[x, y], measured.meters[x, y])
        let (left, sigma) = (residual.meters[x, y], residual.sigmaMeters[x, y])
        guard own > 0, own < .infinity, real > 0, real < .infinity else {
          #expect(left.isNaN && sigma.isNaN)
          continue
        }
        count += 1
        #expect(left == Float(Double(own) - Double(real)))
        #expect(sigma == Float(0.01 * Double(real)))
      }
    }
    #expect(residual.count == count)
    let sizes = residual.meters.samples.filter { !$0.isNaN }.map { abs($0) }
    let span = residual.spanMeters ?? 0
    #expect(sizes.count { $0 > span } <= 1 + sizes.count / 50)
  }

  @Test("Nothing measured leaves no span; a residual of nothing has colors for a millimeter")
  func edges() {
    let nothing = DepthMap(meters: Raster(size: Self.size, repeating: .nan))
    #expect(DepthResidual(estimate: map(1), measured: nothing) { $0 }.spanMeters == nil)
    let same = DepthResidual(estimate: map(1), measured: map(1)) { $0 }
    #expect(same.spanMeters == 0.001)
    #expect(same == DepthResidual(estimate: map(1), measured: map(1)) { $0 })
    #expect(same != DepthResidual(estimate: map(1), measured: map(1)) { 2 * $0 })
  }

  @Test("The colors are white at 0 and as dark on both sides")
  func colors() {
    let colors = DivergingColors.colors
    #expect(colors.count == 256)
    func light(_ color: RGB8) -> Int { Int(color.red) + Int(color.green) + Int(color.blue) }
    #expect(light(colors[127]) > 720 && light(colors[128]) > 720)
    for index in 0..<127 {
      #expect(light(colors[index]) <= light(colors[index + 1]))
      #expect(light(colors[255 - index]) <= light(colors[254 - index]))
    }
    #expect(colors[0].blue > colors[0].red && colors[255].red > colors[255].blue)
  }
}
