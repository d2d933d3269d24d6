import PlumblineModel

/// The processing of light by a camera between lens and file.
///
/// The steps are in the order of a device: vignetting and exposure, blur of the lens, the sRGB
/// curve, noise, rounding to 8 bits. Each step is one property and is disabled at its neutral
/// value.
public struct ImageFormation: Hashable, Sendable {
  /// The factor from the light of the scene to the image's linear values, where 1 is white.
  public var exposure: Double
  /// The standard deviation of the lens's Gaussian point spread in pixels; 0 is sharp.
  public var blurSigmaPixels: Double
  /// The fraction of light that the corners of the image lose, 0 to 1; it grows with the square of
  /// the radius.
  public var vignetting: Double
  /// The standard deviation of gray noise in 8-bit codes; it is equal in the three channels.
  public var noiseSigmaCodes: Double

  /// Creates an image formation; the defaults are those of a phone in a bright room.
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

  /// Without blur, noise and vignetting: each pixel is the mean over its area.
  package static let perfect = ImageFormation(blurSigmaPixels: 0, vignetting: 0, noiseSigmaCodes: 0)

  /// The sRGB image of a scene's light; equal seeds give equal images on every platform.
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
        let share: Double = exposure * (1 - loss * (offset * offset).sum())
        light[y * size.width + x] *= Float(share)
      }
    }
  }
}

extension SeededGenerator {
  /// An approximately normal random number from one draw: the sum of its four 16-bit parts, limited
  /// to ±3.46.
  ///
  /// It is six times faster than ``gaussian()``; its tails are lighter (excess kurtosis −0.3),
  /// which is irrelevant for image noise here.
  /// - Source: The Irwin–Hall distribution of four uniform numbers has the variance 4/12.
  mutating func coarseGaussian() -> Double {
    let bits = next()
    let sum =
      (bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) + (bits >> 48)
    return (Double(sum) - 131_070) * (1.732_050_807_568_877_2 / 65_536)
  }
}

/// A Gaussian blur in two passes; the border of the image is repeated outside.
struct GaussianBlur {
  /// The weights from the center outward; the center counts once, the others on both sides.
  let weights: [Float]

  /// Truncates the kernel at four standard deviations, where 0.006 % of its area is left.
  init(sigmaPixels: Double) {
    guard sigmaPixels > 0 else {
      weights = [1]
      return
    }
    let radius = max(1, Int((4 * sigmaPixels).rounded(.up)))
    let bell = (0...radius).map { distance in
      portableExponential(-Double(distance * distance) / (2 * sigmaPixels * sigmaPixels))
    }
    let sum = 2 * bell.reduce(0, +) - bell[0]
    weights = bell.map { Float($0 / sum) }
  }

  func blur(_ light: inout [SIMD3<Float>], _ size: RasterSize) {
    guard weights.count > 1 else { return }
    var middle = light
    let (width, height) = (size.width, size.height)
    light.withUnsafeMutableBufferPointer { image in
      middle.withUnsafeMutableBufferPointer { passed in
        for y in 0..<height {
          let row = y * width
          for x in 0..<width {
            var sum = image[row + x] * weights[0]
            for offset in 1..<weights.count {
              let pair = image[row + max(x - offset, 0)] + image[row + min(x + offset, width - 1)]
              sum += pair * weights[offset]
            }
            passed[row + x] = sum
          }
        }
        for y in 0..<height {
          for x in 0..<width {
            var sum = passed[y * width + x] * weights[0]
            for offset in 1..<weights.count {
              let above = passed[max(y - offset, 0) * width + x]
              let below = passed[min(y + offset, height - 1) * width + x]
              sum += (above + below) * weights[offset]
            }
            image[y * width + x] = sum
          }
        }
      }
    }
  }
}

/// `e` to a power of at most 0, with an error below 1e-14.
///
/// - Source: The power series of `exp(x/2ⁿ)` with |x/2ⁿ| below 1/16, squared n times.
func portableExponential(_ power: Double) -> Double {
  guard power > -700 else { return 0 }
  var argument = power
  var squarings = 0
  while argument < -0.0625 {
    argument /= 2
    squarings += 1
  }
  var sum = 1.0
  for term in (1...12).reversed() { sum = 1 + sum * argument / Double(term) }
  for _ in 0..<squarings { sum *= sum }
  return sum
}
