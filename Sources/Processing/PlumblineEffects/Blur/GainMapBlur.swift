internal import PlumblineModel

/// The gain map of a blurred photo: that with which the blurred image shows the blurred light.
///
/// The brighter rendition's light is L·(least + range·s), s being the share of the gain map. L and L·s
/// are blurred with the layers of the image, without anything that makes clipped pixels brighter; the
/// quotient of the sum and the light of the blurred image is the new gain. Where the image is as it
/// was, so is the map.
struct GainMapBlur {
  /// Light is carried in codes of its fourth root, so that dark light has its steps too.
  private static let roots = (0..<65536).map {
    UInt8((255 * (Double($0) / 65535).squareRoot().squareRoot()).rounded())
  }
  private static let powers = (0..<256).map { code in
    let square = Float(code * code) / 65025
    return square * square
  }
  /// Differences of light below this share, and this much, come from the codes.
  private static let codeError: (share: Float, least: Float) = (0.04, 0.002)

  let effect: BlurEffect
  let scene: EffectScene
  let map: SceneGainMap
  let law: BlurLaw
  let largest: Double

  /// The gain map of the blurred image, of the size of the old one.
  func codes(of image: Raster<RGB8>, threads: Int) -> Raster<UInt8> {
    let gain = map.codes.interpolated(to: scene.color.size, threads: threads)
    let light = LinearLight.shared.linear.map { Float($0) / 65535 }
    let pixels = scene.color.packed.samples
    // What gains add is often little: its largest is carried as 1.
    var peak: Float = 1e-6
    for (pixel, code) in zip(pixels, gain.samples) {
      peak = max(peak, Self.luminance(pixel, light) * map.shares[Int(code)])
    }
    var carrier = scene
    carrier.color = Raster(
      size: scene.color.size,
      samples: zip(pixels, gain.samples).map { pixel, code in
        let own = Self.luminance(pixel, light)
        return RGB8(
          red: Self.root(own * map.shares[Int(code)] / peak), green: Self.root(own), blue: 0)
      })
    var plain = effect
    plain.highlights = 0
    let blurred = SceneBlur.prepared(
      plain, carrier, law, largest: largest, threads: threads,
      light: (Self.powers, Self.roots)
    ).image(threads: threads)
    return composed(image, blurred, light, peak, threads: threads)
  }

  private func composed(
    _ image: Raster<RGB8>, _ blurred: Raster<RGB8>, _ light: [Float], _ peak: Float, threads: Int
  ) -> Raster<UInt8> {
    let (old, size, photo) = (map.codes.packed, map.codes.size, image.size)
    let (before, after, sums) = (scene.color.packed.samples, image.samples, blurred.samples)
    let samples: [UInt8] = filled(size.pixelCount, rows: size.height, threads: threads) {
      rows, target in
      for y in rows {
        let lines =
          y * photo.height
          / size.height..<max(
            (y + 1) * photo.height / size.height, y * photo.height / size.height + 1)
        for x in 0..<size.width {
          let columns =
            x * photo.width
            / size.width..<max(
              (x + 1) * photo.width / size.width, x * photo.width / size.width + 1)
          var (extra, own, shown) = (Float(0), Float(0), Float(0))
          var isChanged = false
          for row in lines {
            for column in columns {
              let pixel = row * photo.width + column
              isChanged = isChanged || before[pixel] != after[pixel]
              extra += peak * Self.powers[Int(sums[pixel].red)]
              own += Self.powers[Int(sums[pixel].green)]
              shown += Self.luminance(after[pixel], light)
            }
          }
          let index = y * size.width + x
          target[index] =
            isChanged
            ? code(extra, own, shown, count: lines.count * columns.count) : old.samples[index]
        }
      }
    }
    return Raster(size: size, samples: samples)
  }

  /// The code that makes the light that is shown that which is wanted.
  private func code(_ extra: Float, _ own: Float, _ shown: Float, count: Int) -> UInt8 {
    guard shown > 0 else { return map.code(of: 0) }
    let share = extra / max(own, shown)
    guard let range = map.range else { return map.code(of: min(share, 1)) }
    // Clipped lights that were taken as brighter are in the image already.
    let off = own - shown
    let isMeant = abs(off) > Self.codeError.share * own + Self.codeError.least * Float(count)
    guard isMeant else { return map.code(of: min(extra / shown, 1)) }
    let wanted = (own * map.least + range * extra) / shown
    return map.code(of: min(max((wanted - map.least) / range, 0), 1))
  }

  /// The luminance of a pixel, 0 to 1.
  ///
  /// - Source: ITU-R BT.709-6, item 3.2.
  private static func luminance(_ pixel: RGB8, _ light: [Float]) -> Float {
    0.2126 * light[Int(pixel.red)] + 0.7152 * light[Int(pixel.green)]
      + 0.0722 * light[Int(pixel.blue)]
  }

  private static func root(_ light: Float) -> UInt8 {
    UInt8((255 * min(max(light, 0), 1).squareRoot().squareRoot()).rounded())
  }
}
