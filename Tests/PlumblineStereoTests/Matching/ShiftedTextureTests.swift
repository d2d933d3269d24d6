import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

/// A random texture and itself, moved.
@Suite struct ShiftedTextureTests {
  @Test(arguments: [0, 3, -4])
  func aShiftedTextureGivesTheShift(shift: Int) throws {
    var random = SeededGenerator(seed: 11)
    let left = Raster<UInt8>(size: RasterSize(width: 48, height: 24)) { _, _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let right = Raster<UInt8>(size: left.size) { x, y in left[min(max(x + shift, 0), 47), y] }
    let match = try StereoMatcher(disparities: -8..<8).match(RectifiedPair(left: left, right: right))
    let found = match.disparity.pixels.samples.filter { !$0.isNaN }
    #expect(found.count > 48 * 24 / 2)
    #expect(found.allSatisfy { abs($0 - Float(shift)) < 0.5 }, "in pixels")
  }
}
