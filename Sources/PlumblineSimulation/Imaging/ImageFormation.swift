internal import PlumblineModel

/// The processing of light by a camera between lens and file.
///
/// In the order of a device: vignetting and exposure, blur of the lens, the sRGB curve, noise,
/// rounding to 8 bits. Each is one property and is off at its neutral value.
public struct ImageFormation: Hashable, Sendable {
  /// The factor between the light of the scene and the image's linear 1.
  public var exposure: Double
  /// The standard deviation of the lens's Gaussian point spread in pixels; 0 is sharp.
  public var blurSigmaPixels: Double
  /// The share of light that the corners of the image lose, 0 to 1, growing with the square of the
  /// radius.
  public var vignetting: Double
  /// The standard deviation of gray noise, in codes of 8 bits; the three channels share it.
  public var noiseSigmaCodes: Double

  /// Creates a camera; by default a phone's in a bright room.
  public init(
    exposure: Double = 1, blurSigmaPixels: Double = 0.6, vignetting: Double = 0.2,
    noiseSigmaCodes: Double = 1.5
  ) {
    precondition(
      exposure > 0 && blurSigmaPixels >= 0 && (0...1).contains(vignetting) && noiseSigmaCodes >= 0,
      "a camera cannot have negative blur, noise or light")
    self.exposure = exposure
    self.blurSigmaPixels = blurSigmaPixels
    self.vignetting = vignetting
    self.noiseSigmaCodes = noiseSigmaCodes
  }

  /// A camera without blur, noise and vignetting: pixels are means over their area.
  public static let perfect = ImageFormation(blurSigmaPixels: 0, vignetting: 0, noiseSigmaCodes: 0)

  /// The image of a scene's light, sRGB; equal seeds give equal images on every platform.
  ///
  /// Cost: O(pixels · blur).
  func image(of radiance: Raster<SIMD3<Float>>, seed: UInt64) -> Raster<RGB8> {
    var light = radiance.packed.samples
    let size = radiance.size
    expose(&light, size)
    GaussianBlur(sigmaPixels: blurSigmaPixels).blur(&light, size)
    var generator = SeededGenerator(seed: seed)
    let curve = SRGBCurve.shared
    return Raster(size: size) { x, y in
      let value = light[y * size.width + x]
      let noise =
        noiseSigmaCodes > 0 ? Float(noiseSigmaCodes * generator.coarseGaussian()) : 0
      return RGB8(
        red: curve.code(value.x, plus: noise), green: curve.code(value.y, plus: noise),
        blue: curve.code(value.z, plus: noise))
    }
  }

  private func expose(_ light: inout [SIMD3<Float>], _ size: RasterSize) {
    guard exposure != 1 || vignetting > 0 else { return }
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    let loss = vignetting / max((middle * middle).sum(), 1)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let offset = SIMD2(Double(x), Double(y)) - middle
        light[y * size.width + x] *= Float(exposure * (1 - loss * (offset * offset).sum()))
      }
    }
  }
}

extension SeededGenerator {
  /// A nearly normal draw from one number: the sum of its four 16-bit parts, which ends at ±3.46.
  ///
  /// Six times faster than ``gaussian()``; its tails are lighter (excess kurtosis −0.3), which no
  /// use of image noise here depends on.
  /// - Source: The Irwin–Hall distribution of four uniform numbers has the variance 4/12.
  mutating func coarseGaussian() -> Double {
    let bits = next()
    let sum =
      (bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) + (bits >> 48)
    return (Double(sum) - 131_070) * (1.732_050_807_568_877_2 / 65_536)
  }
}
