import PlumblineModel
import PlumblineStereo
import Testing

@Suite struct PixelDisparityMapTests {
  @Test func whatIsNotFiniteIsMissing() {
    let map = PixelDisparityMap(
      pixels: .init(size: .init(width: 3, height: 1), samples: [-2, .infinity, .nan]))
    #expect(map.pixels[0, 0] == -2)
    #expect(map.pixels[1, 0].isNaN && map.pixels[2, 0].isNaN)
  }
}
