import Plumbline
import PlumblineTestSupport
import Testing

@testable import PlumblineIO
@testable import PlumblineImages

/// A blur of a HEIC whose gain map is that of ISO 21496-1 (`tmap`); no such file of a phone was at hand.
@Suite struct ToneMappedBlurTests {
  @Test("The gain map is blurred with the image, and its numbers stay")
  func blurred() throws {
    let bytes = ToneMappedPhoto.heic(isApples: false)
    let photo = try EffectPhoto(bytes, fileName: "photo.heic")
    let scene = try photo.scene(for: "blur")
    #expect(scene.gainMap != nil)
    let image = try BlurEffect(focus: .point([40, 30]), aperture: .fNumber(0.6)).applied(to: scene)
    let (file, findings) = try photo.file(
      image, as: .heic, keeping: .ofBlurredScene, options: PhotoWritingOptions(hevc: .raw))
    #expect(!findings.contains { $0.code == .photoGainMapLeftOut })
    let (before, after) = (try PhotoContents(reading: bytes), try PhotoContents(reading: file))
    #expect(after.gainMap?.toneMapping == before.gainMap?.toneMapping)
    guard case .uint8(let old) = before.gainMap?.samples,
      case .uint8(let new) = after.gainMap?.samples
    else {
      Issue.record("a gain map of other than 8 bits")
      return
    }
    #expect(new.size == old.size && new != old)
    // Gains of 1 to 4 times: what the brighter rendition has in all stays nearly what it was.
    func light(_ color: Raster<RGB8>, _ map: Raster<UInt8>) -> Double {
      let gains = map.scaledNearest(to: color.size)
      return zip(color.samples, gains.samples).reduce(0) { sum, pixel in
        let code = Double(pixel.0.green) / 255
        return sum + code * code * (1 + 3 * Double(pixel.1) / 255)
      }
    }
    let share = light(after.color, new) / light(before.color, old)
    #expect(share > 0.8 && share < 1.25, "\(share)")
  }
}
