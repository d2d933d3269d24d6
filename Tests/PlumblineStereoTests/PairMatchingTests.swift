import PlumblineModel
import PlumblineStereo
import PlumblineTestSupport
import Testing

@Suite("Points that two images share")
struct PairMatchingTests {
  private let size = RasterSize(width: 240, height: 180)

  @Test("a shift of any fraction is found to a tenth of a pixel")
  func shift() {
    for (seed, shift) in [(1, SIMD2(7.3, 0.0)), (2, SIMD2(-4.75, 2.4))] {
      let texture = RandomTexture(seed: UInt64(seed))
      let left = texture.image(size)
      let right = texture.image(size) { $0 + shift }
      let matches = PairMatching().matches(left: left, right: right)
      #expect(matches.count > 60, "\(matches.count)")
      let errors = matches.map { match -> Double in
        let error = match.left - match.right - shift
        return (error * error).sum().squareRoot()
      }.sorted()
      // 8-bit rounding of a strong texture: well below a tenth of a pixel.
      #expect(errors[errors.count / 2] < 0.05 && errors[errors.count * 9 / 10] < 0.1, "\(errors)")
    }
  }

  @Test("a quarter turn is found when patches are turned")
  func turned() {
    let texture = RandomTexture(seed: 3)
    let left = texture.image(size)
    let right = texture.image(size.transposed) { [$0.y, 179 - $0.x] }
    var matching = PairMatching()
    matching.isUpright = false
    let matches = matching.matches(left: left, right: right)
    let close = matches.filter { match in
      let error = SIMD2(179 - match.left.y, match.left.x) - match.right
      return abs(error.x) < 2 && abs(error.y) < 2
    }
    #expect(close.count > 30 && close.count * 4 > matches.count * 3, "\(matches.count)")
  }

  @Test("unrelated images share nothing that agrees, gray ones and tiny ones nothing at all")
  func nothing() {
    let left = RandomTexture(seed: 4).image(size)
    let other = RandomTexture(seed: 5).image(size)
    let camera = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [240, 240], principalPoint: [119.5, 89.5], size: size))
    #expect(throws: StereoError.self) {
      try RelativePose.found(
        in: PairMatching().matches(left: left, right: other), left: camera, right: camera)
    }
    let gray = Raster<UInt8>(size: size, repeating: 90)
    #expect(PairMatching().matches(left: left, right: gray).isEmpty)
    let tiny = Raster<UInt8>(size: RasterSize(width: 3, height: 2), repeating: 7)
    #expect(PairMatching().matches(left: tiny, right: left).isEmpty)
    let empty = Raster<UInt8>(size: RasterSize(width: 0, height: 0), samples: [])
    #expect(PairMatching().matches(left: empty, right: empty).isEmpty)
  }
}
